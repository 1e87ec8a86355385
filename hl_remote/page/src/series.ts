// SPDX-License-Identifier: Apache-2.0
// Any number in any message, and its course in time.
type Message = any;

const kMostFields = 400, kMostElements = 60, kMostDepth = 8;
const kMostPoints = 3000;

/// Names of an array's elements, where the message tells them: joint_states.name, servo_data.joint_names, ...
function namesBeside(message: Message, length: number): string[] | undefined {
  for (const key of ["name", "joint_names", "joints"]) {
    const names = message?.[key];
    if (Array.isArray(names) && names.length === length && typeof names[0] === "string") return names;
  }
  return undefined;
}

export interface Field { path: string; label: string }

/// All numbers of a message: `pose.position.x`, `position[3]` with the label `position LKnee`.
export function numericFields(message: Message): Field[] {
  const result: Field[] = [];
  const look = (value: Message, path: string, label: string, depth: number, around: Message) => {
    if (result.length >= kMostFields || depth > kMostDepth) return;
    if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
      result.push({ path, label });
    } else if (ArrayBuffer.isView(value) || Array.isArray(value)) {
      const list = value as unknown as Message[];
      if (list.length > kMostElements) return;
      const names = namesBeside(around, list.length);
      for (let i = 0; i < list.length; ++i) look(list[i], `${path}[${i}]`, `${label} ${names ? names[i] : i}`, depth + 1, list[i]);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, part] of Object.entries(value)) look(part, path ? `${path}.${name}` : name, label ? `${label}.${name}` : name, depth + 1, value);
    }
  };
  look(message, "", "", 0, message);
  return result;
}

/// The number at a path; NaN if there is none.
export function valueAt(message: Message, path: string): number {
  let part = message;
  for (const step of path.split(/[.[\]]+/).filter((word) => word !== "")) part = part?.[step];
  return typeof part === "number" || typeof part === "bigint" || typeof part === "boolean" ? Number(part) : NaN;
}

/// Several numbers over one time axis, the newest `seconds` of them.
export class Series {
  times: number[] = []; // s
  values: number[][] = [];

  constructor(readonly fields: Field[], private seconds: number) {
    this.values = fields.map(() => []);
  }

  add(time: number, message: Message) {
    if (this.times.length > 0 && time < this.times[this.times.length - 1]) this.clear(); // the world began anew
    this.times.push(time);
    this.fields.forEach((field, i) => this.values[i].push(valueAt(message, field.path)));
    let old = 0;
    while (this.times.length - old > kMostPoints || this.times[old] < time - this.seconds) ++old;
    if (old === 0) return;
    this.times.splice(0, old);
    for (const list of this.values) list.splice(0, old);
  }

  clear() {
    this.times = [];
    this.values = this.fields.map(() => []);
  }
}
