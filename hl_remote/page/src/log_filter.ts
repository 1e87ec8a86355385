// SPDX-License-Identifier: Apache-2.0
// What nodes said, and which of it somebody wants to see.
import { seconds } from "./words";

export interface Entry { level: number; name: string; msg: string; stamp: any }
export interface Filter { level: number; source: string; word: string }

const kMost = 2000; // entries that are kept

export class Entries {
  all: Entry[] = []; // newest first
  sources = new Set<string>();

  add(entry: Entry) {
    let at = 0; // what was said before we listened comes in any order
    while (at < this.all.length && seconds(this.all[at].stamp) > seconds(entry.stamp)) ++at;
    // After a pause of the connection what was said before comes again.
    for (let same = at; same < this.all.length && seconds(this.all[same].stamp) === seconds(entry.stamp); ++same)
      if (this.all[same].name === entry.name && this.all[same].msg === entry.msg) return;
    this.all.splice(at, 0, entry);
    if (this.all.length > kMost) this.all.pop();
    this.sources.add(entry.name);
  }
  /// The newest ones that fit; every word must occur, in source or text.
  filtered({ level, source, word }: Filter, most: number): Entry[] {
    const words = word.toLowerCase().split(/\s+/).filter((part) => part !== "");
    const result: Entry[] = [];
    for (const entry of this.all) {
      if (entry.level < level || (source !== "" && entry.name !== source)) continue;
      const text = `${entry.name} ${entry.msg}`.toLowerCase();
      if (words.every((part) => text.includes(part))) result.push(entry);
      if (result.length >= most) break;
    }
    return result;
  }
}
