// SPDX-License-Identifier: Apache-2.0
// What is wrong with a motor, in words; from servo_data and hardware_state.
import { kHot } from "./robots";
type Message = any;

const kErrorBits: [number, string][] = [[1, "voltage"], [2, "angle"], [4, "overheating"], [8, "range"], [16, "checksum"], [32, "overload"], [64, "instruction"]];

/// By joint; only joints with something wrong. Limp is no fault by itself and stands apart.
export function wrongMotors(servos: Message | undefined, hardware: Message | undefined): Map<string, string> {
  const result = new Map<string, Set<string>>();
  const add = (joint: string, what: string) => result.set(joint, (result.get(joint) ?? new Set()).add(what));
  for (const what of ["missing", "overloaded", "hot"]) for (const joint of hardware?.[`joints_${what}`] ?? []) add(joint, what);
  (servos?.joint_names ?? []).forEach((joint: string, i: number) => {
    if (servos.temperature[i]?.temperature > kHot) add(joint, "hot");
    for (const [bit, name] of kErrorBits) if ((servos.error?.[i] ?? 0) & bit) add(joint, bit === 32 ? "overloaded" : bit === 4 ? "hot" : `error: ${name}`);
  });
  return new Map([...result].map(([joint, words]) => [joint, [...words].join(", ")]));
}

export function limpMotors(hardware: Message | undefined): Set<string> {
  return new Set(hardware?.joints_limp ?? []);
}
