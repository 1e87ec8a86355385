// SPDX-License-Identifier: Apache-2.0
// The recorder of one robot: the only way by which the editor moves it. Refusals are exceptions with the robot's words.
import { Connection, Message } from "../connection";
import { Robot } from "../robots";
import { Motion } from "./motion";

const kVerbs = { start: 0, load: 1, play: 2, save: 8, stop: 9, limp: 11, stiff: 12, goTo: 13, playFrom: 14, halt: 15 };
export type Verb = keyof typeof kVerbs;

export interface Finding { kind: string; what: string; keyframe: number; time: number; value: number; limit: number; unit: string }
export interface Present {
  motion?: Motion; // none: nothing is being recorded
  unsaved: boolean;
  joints: string[]; // by motor number
  lower: number[]; // degrees
  upper: number[];
  animations: string[]; // that can be loaded
  findings: Finding[];
}

export class Recorder {
  constructor(private connection: Connection, private robot: Robot) {}

  get there() {
    return this.connection.services.has(this.robot.topic("edit_animation"));
  }

  async command(verb: Verb, more: { name?: string; index?: number; duration?: number; joints?: string[]; author?: string; description?: string } = {}): Promise<string> {
    const request = { verb: kVerbs[verb], name: "", index: -1, duration: 0, pause: 0, joints: [], author: "", description: "", ...more };
    return said(await this.connection.call(this.robot.topic("recorder_command"), request));
  }

  /// The present pose, before row `index`; -1: at the end.
  async takePose(index: number, joints: string[] = []): Promise<string> {
    return said(await this.connection.call(this.robot.topic("record_keyframe"), { duration: 0, pause: 0, joints, index }));
  }

  /// What the recorder has; with a motion, that takes its place first.
  async edit(motion?: Motion, verify = false): Promise<Present> {
    const answer = await this.connection.call(this.robot.topic("edit_animation"), { text: motion ? JSON.stringify(motion) : "", verify });
    said(answer);
    return { ...answer, lower: [...answer.lower], upper: [...answer.upper], motion: answer.text ? (JSON.parse(answer.text) as Motion) : undefined };
  }
}

function said(answer: Message): string {
  if (!answer.success) throw new Error(answer.message);
  return answer.message;
}
