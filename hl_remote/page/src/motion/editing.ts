// SPDX-License-Identifier: Apache-2.0
import { kLargestAngle, kLongest, kShortest, Keyframe, mirroredKeyframe, Motion } from "./motion";

const kMostSteps = 500; // that can be undone

/// A motion being edited: every change makes a new motion, and can be undone and redone. Knows no page and no robot.
export class Editing {
  private history: Motion[];
  private at = 0;
  private copied: Keyframe[] = [];

  constructor(motion: Motion) {
    this.history = [motion];
  }

  get motion(): Motion {
    return this.history[this.at];
  }
  get canUndo() {
    return this.at > 0;
  }
  get canRedo() {
    return this.at + 1 < this.history.length;
  }
  get canPaste() {
    return this.copied.length > 0;
  }
  undo() {
    if (this.canUndo) --this.at;
  }
  redo() {
    if (this.canRedo) ++this.at;
  }

  /// The whole motion anew, e.g. as the recorder has it after a pose was taken. No step if nothing differs.
  replace(motion: Motion) {
    if (JSON.stringify(motion) !== JSON.stringify(this.motion)) this.change(motion);
  }

  /// False: the value cannot be; nothing changes. `undefined` leaves the joint out of the keyframe.
  setJoint(row: number, joint: string, degrees: number | undefined): boolean {
    const keyframe = this.motion.keyframes[row];
    if (!keyframe) return false;
    if (degrees !== undefined && !(Math.abs(degrees) <= kLargestAngle)) return false;
    if (keyframe.joints[joint] === degrees) return true;
    const joints = { ...keyframe.joints };
    if (degrees === undefined) delete joints[joint];
    else joints[joint] = degrees;
    this.changeRow(row, { ...keyframe, joints });
    return true;
  }

  setTime(row: number, what: "duration" | "pause", seconds: number): boolean {
    const keyframe = this.motion.keyframes[row];
    const least = what === "duration" ? kShortest : 0;
    if (!keyframe || !(seconds >= least && seconds <= kLongest)) return false;
    if ((keyframe[what] ?? 0) !== seconds) this.changeRow(row, { ...keyframe, [what]: seconds });
    return true;
  }

  /// Before `row`; behind the last one if there is no such row.
  insert(row: number, keyframes: Keyframe[]) {
    if (keyframes.length === 0) return;
    const rows = [...this.motion.keyframes];
    rows.splice(Math.min(row, rows.length), 0, ...keyframes);
    this.changeRows(rows);
  }

  remove(first: number, last: number) {
    const rows = this.motion.keyframes.filter((_, row) => row < first || row > last);
    if (rows.length < this.motion.keyframes.length) this.changeRows(rows);
  }

  copy(first: number, last: number) {
    this.copied = this.motion.keyframes.slice(first, last + 1);
  }
  paste(row: number) {
    this.insert(row, this.copied.map(({ label: _label, ...rest }) => rest as Keyframe)); // a label exists once
  }

  mirror(first: number, last: number) {
    const rows = this.motion.keyframes.map((keyframe, row) => (row < first || row > last ? keyframe : mirroredKeyframe(keyframe)));
    if (rows.length > 0) this.changeRows(rows);
  }

  describe(words: Partial<Record<"name" | "author" | "description", string>>) {
    this.replace({ ...this.motion, ...words });
  }

  private changeRow(row: number, keyframe: Keyframe) {
    this.changeRows(this.motion.keyframes.map((old, index) => (index === row ? keyframe : old)));
  }
  private changeRows(keyframes: Keyframe[]) {
    this.change({ ...this.motion, keyframes });
  }
  private change(motion: Motion) {
    this.history.splice(this.at + 1);
    this.history.push(motion);
    if (this.history.length > kMostSteps) this.history.shift();
    this.at = this.history.length - 1;
  }
}
