// SPDX-License-Identifier: Apache-2.0
// The motion editor's keys. Alt is free in browsers' text fields; Ctrl+Z and Ctrl+Y undo and redo as everywhere.
export type EditorAction = "undo" | "redo" | "take pose" | "insert row" | "copy" | "paste" | "delete" | "mirror" | "go to row" | "play from row" | "play all" | "halt" | "verify" | "save";

interface Keys { key: string; ctrl?: boolean; alt?: boolean; shift?: boolean }
export const kShortcuts: [EditorAction, Keys][] = [
  ["undo", { key: "z", ctrl: true }],
  ["redo", { key: "y", ctrl: true }],
  ["redo", { key: "z", ctrl: true, shift: true }],
  ["take pose", { key: "t", alt: true }],
  ["insert row", { key: "i", alt: true }],
  ["copy", { key: "c", alt: true }],
  ["paste", { key: "v", alt: true }],
  ["delete", { key: "Delete", alt: true }],
  ["mirror", { key: "m", alt: true }],
  ["go to row", { key: "g", alt: true }],
  ["play from row", { key: "p", alt: true }],
  ["play all", { key: "p", alt: true, shift: true }],
  ["halt", { key: "Escape" }],
  ["verify", { key: "r", alt: true }],
  ["save", { key: "s", alt: true }],
];

export interface Pressed { key: string; code?: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean }

/// What the keys mean; nothing if they mean nothing here.
export function actionOf(pressed: Pressed): EditorAction | undefined {
  const letter = /^Key([A-Z])$/.exec(pressed.code ?? "")?.[1].toLowerCase(); // Alt writes other letters on a Mac
  const found = kShortcuts.find(([, keys]) => {
    const same = keys.key.length > 1 ? pressed.key === keys.key : pressed.key.toLowerCase() === keys.key || letter === keys.key;
    return same && !!keys.ctrl === (pressed.ctrlKey || pressed.metaKey) && !!keys.alt === pressed.altKey && !!keys.shift === pressed.shiftKey;
  });
  return found?.[0];
}

/// As people read it: Ctrl+Z.
export function keysOf(action: EditorAction): string {
  const keys = kShortcuts.find(([name]) => name === action)?.[1];
  if (!keys) return "";
  return [keys.ctrl && "Ctrl", keys.alt && "Alt", keys.shift && "Shift", keys.key.length === 1 ? keys.key.toUpperCase() : keys.key].filter(Boolean).join("+");
}
