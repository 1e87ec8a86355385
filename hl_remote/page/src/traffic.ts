// SPDX-License-Identifier: Apache-2.0
// What goes over the connection: how much of which topic, and the last frames as they were, before anybody read them.
export interface RawFrame { at: number; out: boolean; size: number; what: string; start: string }

const kWindow = 5; // s the rates are taken over
const kFrames = 400;
const kShown = 48; // bytes of a frame

interface Count { second: number; messages: number; bytes: number }

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, kShown), (byte) => byte.toString(16).padStart(2, "0")).join(" ") + (bytes.length > kShown ? " ..." : "");
}

export class Traffic {
  frames: RawFrame[] = [];
  recording = false; // frames are kept only while somebody looks
  private topics = new Map<string, Count[]>();

  count(topic: string, bytes: number, now: number) {
    const second = Math.floor(now / 1000);
    let counts = this.topics.get(topic);
    if (!counts) this.topics.set(topic, (counts = []));
    const last = counts[counts.length - 1];
    if (last?.second === second) {
      ++last.messages;
      last.bytes += bytes;
    } else {
      counts.push({ second, messages: 1, bytes });
      while (counts[0].second < second - kWindow) counts.shift();
    }
  }

  /// Per second over the last complete seconds, the largest first.
  rates(now: number): { topic: string; hertz: number; bytes: number }[] {
    const end = Math.floor(now / 1000);
    return [...this.topics].map(([topic, counts]) => {
      const recent = counts.filter(({ second }) => second < end && second >= end - kWindow);
      const sum = (what: "messages" | "bytes") => recent.reduce((total, count) => total + count[what], 0) / kWindow;
      return { topic, hertz: sum("messages"), bytes: sum("bytes") };
    }).filter(({ hertz }) => hertz > 0).sort((a, b) => b.bytes - a.bytes);
  }

  frame(out: boolean, data: string | ArrayBuffer | Uint8Array, what: string, now: number) {
    if (!this.recording) return;
    const text = typeof data === "string";
    const bytes = text ? undefined : data instanceof Uint8Array ? data : new Uint8Array(data);
    this.frames.push({ at: now, out, size: text ? data.length : bytes!.length, what, start: text ? data.slice(0, 200) : hex(bytes!) });
    if (this.frames.length > kFrames) this.frames.shift();
  }
}
