// SPDX-License-Identifier: Apache-2.0
// The contract's numbers in words.
export const kRobotStates = ["controllable", "falling", "fallen", "getting up", "animation", "start-up", "shutdown", "penalty",
  "penalty pose", "record", "walking", "motors off", "HCM off", "hardware problem", "picked up", "kicking"];
export const kGameStates = ["INITIAL", "READY", "SET", "PLAYING", "FINISHED"];
export const kRoles = ["idling", "other", "striker", "supporter", "defender", "goalie"];
export const kLinkStates = ["disconnected", "connecting", "connected"];
export const kOwners = ["nobody", "HCM", "walking", "animation", "kick", "head", "record"];

export const word = (list: string[], index: number) => list[index] ?? `${index}`;

export function clock(seconds: number): string {
  const sign = seconds < 0 ? "-" : "";
  const s = Math.abs(Math.trunc(seconds));
  return `${sign}${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

export const yaw = (q: { x: number; y: number; z: number; w: number }) =>
  Math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));

/// s; the decoder calls the second part nsec or nanosec, depending on its version.
export const seconds = (stamp: { sec: number; nsec?: number; nanosec?: number }) => stamp.sec + (stamp.nsec ?? stamp.nanosec ?? 0) * 1e-9;

/// When it was: the time of day for a clock of the world's, seconds for one that begins with a simulation.
export function moment(stamp: { sec: number; nsec?: number; nanosec?: number }): string {
  const kWorld = 1e9; // s; no simulation is so long
  const s = seconds(stamp), pad = (value: number) => String(value).padStart(2, "0");
  if (s < kWorld) return s.toFixed(2);
  const time = new Date(s * 1000);
  return `${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}.${pad(Math.floor(time.getMilliseconds() / 10))}`;
}
