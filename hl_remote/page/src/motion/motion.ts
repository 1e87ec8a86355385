// SPDX-License-Identifier: Apache-2.0
// A keyframe motion as hl_animation's files hold it; angles in degrees. What the editor does not show (checks, torque,
// labels, ...) is kept as it is.
export interface Keyframe {
  duration: number; // s, to get there
  pause?: number; // s, to stay
  joints: Record<string, number>; // degrees
  [more: string]: unknown;
}
export interface Motion {
  name: string;
  keyframes: Keyframe[];
  [more: string]: unknown;
}

export const kShortest = 0.02, kLongest = 60; // s of a keyframe's duration
export const kLargestAngle = 360; // degrees

const kHead: Record<string, number> = { HeadPan: -1, HeadTilt: 1 };

/// The joint of the other side and how its angle turns: servos of the two sides turn against each other.
export function mirroredJoint(joint: string): { joint: string; sign: number } {
  if (joint in kHead) return { joint, sign: kHead[joint] };
  if (joint.startsWith("L")) return { joint: "R" + joint.slice(1), sign: -1 };
  if (joint.startsWith("R")) return { joint: "L" + joint.slice(1), sign: -1 };
  return { joint, sign: 1 };
}

/// Left and right exchanged, as hl_animation does it.
export function mirroredKeyframe(keyframe: Keyframe): Keyframe {
  const joints: Record<string, number> = {};
  for (const [name, angle] of Object.entries(keyframe.joints)) {
    const other = mirroredJoint(name);
    joints[other.joint] = angle === 0 ? 0 : other.sign * angle;
  }
  const result: Keyframe = { ...keyframe, joints };
  if (keyframe.support === "left") result.support = "right";
  if (keyframe.support === "right") result.support = "left";
  if (typeof keyframe.check === "object" && keyframe.check !== null) {
    const { min_roll, max_roll, ...rest } = keyframe.check as Record<string, number>;
    result.check = { ...rest, ...(max_roll === undefined ? {} : { min_roll: -max_roll }), ...(min_roll === undefined ? {} : { max_roll: -min_roll }) };
  }
  return result;
}

export function duration(motion: Motion): number {
  return motion.keyframes.reduce((sum, keyframe) => sum + keyframe.duration + (keyframe.pause ?? 0), 0);
}

/// Every joint any keyframe moves, those of `known` first and in their order.
export function jointsOf(motion: Motion, known: string[] = []): string[] {
  const used = new Set(motion.keyframes.flatMap((keyframe) => Object.keys(keyframe.joints)));
  return [...known, ...[...used].filter((joint) => !known.includes(joint)).sort()];
}
