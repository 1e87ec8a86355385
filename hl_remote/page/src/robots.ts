// SPDX-License-Identifier: Apache-2.0
// Who is there: a robot is a namespace in which somebody publishes robot_state. Nothing is configured.
import { Connection, Message } from "./connection";
import { kRobotStates, kRoles, word } from "./words";

export type Presence = "online" | "unreachable" | "offline";
export const kHot = 65; // degrees Celsius from which a servo is a worry
const kLowVoltage = 10.5; // V
const kUnreachable = 3000; // ms of silence

export class Robot {
  state?: Message;
  hardware?: Message;
  strategy?: Message;
  game?: Message;
  hottest?: number;
  lastHeard = 0; // ms of this machine's clock
  there = true; // its topics are offered
  private ends: (() => void)[] = [];

  constructor(connection: Connection, readonly prefix: string) {
    const keep = (topic: string, take: (message: Message) => void) =>
      this.ends.push(connection.watch(prefix + topic, (message) => {
        this.lastHeard = Date.now();
        take(message);
      }));
    keep("robot_state", (message) => (this.state = message));
    keep("hardware_state", (message) => (this.hardware = message));
    keep("strategy", (message) => (this.strategy = message));
    keep("gamestate", (message) => (this.game = message));
    keep("servo_data", (message) => (this.hottest = Math.max(...message.temperature.map((t: Message) => t.temperature))));
  }

  get name() {
    return this.prefix === "/" ? "robot" : this.prefix.slice(1, -1);
  }
  topic(name: string) {
    return this.prefix + name;
  }
  get presence(): Presence {
    if (!this.there) return "offline";
    return Date.now() - this.lastHeard < kUnreachable ? "online" : "unreachable";
  }
  /// Lines for the list, each with whether it is a worry.
  summary(): { text: string; kind: string }[] {
    const lines: { text: string; kind: string }[] = [];
    const seen = Math.round((Date.now() - this.lastHeard) / 1000);
    if (this.presence !== "online") lines.push({ text: this.lastHeard ? `last heard ${seen} s ago` : "not heard yet", kind: "warn" });
    if (this.state) lines.push({ text: word(kRobotStates, this.state.state), kind: [2, 13].includes(this.state.state) ? "bad" : "" });
    if (this.strategy) lines.push({ text: word(kRoles, this.strategy.role), kind: "" });
    if (this.game?.penalized) lines.push({ text: `penalised, ${this.game.seconds_till_unpenalized} s`, kind: "bad" });
    const volt = this.hardware?.voltage;
    if (volt > 0) lines.push({ text: `${volt.toFixed(1)} V${volt < kLowVoltage ? ", battery low" : ""}`, kind: volt < kLowVoltage ? "bad" : "" });
    if (this.hottest !== undefined && Number.isFinite(this.hottest))
      lines.push({ text: `${Math.round(this.hottest)} C${this.hottest > kHot ? ", hot" : ""}`, kind: this.hottest > kHot ? "bad" : "" });
    return lines;
  }
  end() {
    for (const end of this.ends) end();
  }
}

export class Robots {
  all = new Map<string, Robot>();
  selected?: Robot;

  constructor(private connection: Connection) {}

  /// Robots that appeared or went; one that went stays in the list as offline.
  look() {
    const there = new Set<string>();
    for (const topic of this.connection.channels.keys())
      if (topic.endsWith("/robot_state")) there.add(topic.slice(0, -"robot_state".length));
    for (const prefix of there) if (!this.all.has(prefix)) this.all.set(prefix, new Robot(this.connection, prefix));
    for (const robot of this.all.values()) robot.there = there.has(robot.prefix);
    this.selected ??= this.sorted()[0];
  }
  sorted(): Robot[] {
    return [...this.all.values()].sort((a, b) => a.prefix.localeCompare(b.prefix));
  }
  /// Those of the selected one's team, as far as the referee has told.
  team(): Robot[] {
    const own = this.selected?.game?.own_team;
    return this.sorted().filter((robot) => robot === this.selected || (own !== undefined && robot.game?.own_team === own));
  }
}
