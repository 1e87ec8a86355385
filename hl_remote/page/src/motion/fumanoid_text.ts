// SPDX-License-Identifier: Apache-2.0
// FUmanoid's motion files: a line per move with a value of 0..1023 for each motor and the delay to the next move (ms),
// each followed by a comma; the last line is -1.
import { Keyframe, kLongest, kShortest } from "./motion";

export const kMotors = 22; // of their robot
const kTicks = 1023, kRange = 300; // degrees over all ticks

const toTicks = (degrees: number) => Math.max(0, Math.min(kTicks, Math.round((degrees / kRange + 0.5) * kTicks)));
const toDegrees = (ticks: number) => Math.round((ticks / kTicks - 0.5) * kRange * 10) / 10;

/// `joints[i]` is moved by motor i + 1; motors beyond are skipped. Throws what is wrong, with the line.
export function fromFumanoid(text: string, joints: string[]): Keyframe[] {
  const keyframes: Keyframe[] = [];
  let duration = 1; // s; the first move has no delay before it
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const cells = line.split(",").map((cell) => cell.trim()).filter((cell) => cell !== "");
    if (cells.length === 0) continue;
    const values = cells.map(Number);
    const fail = (why: string): never => {
      throw new Error(`line ${index + 1}: ${why}`);
    };
    const wrong = cells.find((_, i) => !Number.isFinite(values[i]));
    if (wrong !== undefined) fail(`'${wrong}' is not a number`);
    if (values.length === 1 && values[0] === -1) break;
    const delay = values.pop()!;
    if (values.length !== kMotors && values.length !== joints.length)
      fail(`${values.length} motors; there must be ${kMotors}, or ${joints.length} as this robot has`);
    const outside = values.find((value) => value < 0 || value > kTicks);
    if (outside !== undefined) fail(`position ${outside} is not within 0..${kTicks}`);
    keyframes.push({ duration, joints: Object.fromEntries(joints.slice(0, values.length).map((joint, motor) => [joint, toDegrees(values[motor])])) });
    duration = Math.max(kShortest, Math.min(kLongest, delay / 1000));
  }
  if (keyframes.length === 0) throw new Error("there are no moves in this file");
  return keyframes;
}

/// A joint that a keyframe does not name stays where the one before left it; motors this robot lacks stand in the middle.
export function toFumanoid(keyframes: Keyframe[], joints: string[]): string {
  const pose: Record<string, number> = {};
  const lines = keyframes.map((keyframe, row) => {
    Object.assign(pose, keyframe.joints);
    const motors = Array.from({ length: kMotors }, (_, motor) => toTicks(pose[joints[motor]] ?? 0));
    const next = keyframes[row + 1];
    const delay = (keyframe.pause ?? 0) + (next ? next.duration : 0);
    return [...motors, Math.max(Math.round(delay * 1000), next ? kShortest * 1000 : 100)].join(",") + ",";
  });
  return [...lines, "-1", ""].join("\n");
}
