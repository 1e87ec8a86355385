// SPDX-License-Identifier: Apache-2.0
// Panels that show the newest message of a topic or two as a table.
import { Connection, Message } from "../connection";
import { element, replace, table } from "../dom";
import { Panel } from "../panel";
import { Robot, Robots } from "../robots";
import { limpMotors, wrongMotors } from "../wrong";
import { clock, kGameStates, kLinkStates, kOwners, kRoles, moment, word } from "../words";

const kSubstitute = 14; // PlayerInfo's penalty of those who do not play

abstract class StatePanel extends Panel {
  protected newest = new Map<string, Message>();
  protected abstract topics: string[];

  protected start(robot: Robot) {
    this.newest.clear();
    for (const topic of this.topics) this.watch(robot.topic(topic), (message) => this.newest.set(topic, message));
  }
  protected nothing(): boolean {
    if (this.newest.size > 0) return false;
    replace(this.body, element("p", { class: "warn" }, this.robots.selected ? `nothing heard on ${this.topics.join(", ")}` : "no robot"));
    return true;
  }
}

export class GamePanel extends StatePanel {
  protected topics = ["gamestate"];
  constructor(connection: Connection, robots: Robots) { super("game", connection, robots); }
  protected draw() {
    if (this.nothing()) return;
    const game = this.newest.get("gamestate")!;
    const players = (list: Message[]) => list.map((p, i) => (p.penalty === 0 ? `${i + 1}` : p.penalty === kSubstitute ? "" : `${i + 1}: penalised ${p.seconds_till_unpenalized} s`)).filter((text) => text !== "").join(", ") || "-";
    replace(this.body, table([
      ["referee", game.referee_connected ? "heard" : { text: "not heard", kind: "warn" }],
      ["state", word(kGameStates, game.game_state) + (game.stopped ? ", stopped" : "")],
      ["score", `${game.own_score} : ${game.rival_score}`],
      ["time left", clock(game.seconds_remaining) + (game.first_half ? ", first half" : ", second half")],
      ["own players", players(game.own_players)],
      ["rival players", players(game.rival_players)],
      ["this robot", game.penalized ? { text: "penalised", kind: "bad" } : game.allowed_to_move ? "may move" : "must not move"],
    ]));
  }
}

export class BehaviorPanel extends StatePanel {
  protected topics = ["behavior_debug"];
  constructor(connection: Connection, robots: Robots) { super("behaviour", connection, robots); }
  protected draw() {
    if (this.nothing()) return;
    const debug = this.newest.get("behavior_debug")!;
    replace(this.body, table([
      ["role", word(kRoles, debug.role)], ["situation", debug.situation],
      ...["move", "head", "kick"].map((slot): [string, string] => [slot, `${debug[`${slot}_skill`] || "-"} ${debug[`${slot}_state`]}`]),
      ...(debug.task ? [["task", `${debug.task}: ${debug.task_statements.join(" / ")}`] as [string, string]] : []),
      ...debug.reasons.map((reason: Message): [string, string] => [reason.name, reason.value]),
    ]));
  }
}

export class HcmPanel extends StatePanel {
  protected topics = ["hcm_debug"];
  constructor(connection: Connection, robots: Robots) { super("control manager", connection, robots); }
  protected draw() {
    if (this.nothing()) return;
    const debug = this.newest.get("hcm_debug")!;
    const owners = new Map<string, string[]>();
    debug.joint_names.forEach((name: string, i: number) => {
      const owner = word(kOwners, debug.owners[i]);
      owners.set(owner, [...(owners.get(owner) ?? []), name]);
    });
    replace(this.body, table([
      ["state", debug.state], ["goals sent", `${debug.goals_sent}`],
      ["refused", debug.goals_refused > 0n ? { text: `${debug.goals_refused}: ${debug.refusals.join("; ")}`, kind: "warn" } : "none"],
      ...[...owners].map(([owner, joints]): [string, string] => [owner, joints.length === debug.joint_names.length ? "all joints" : joints.join(", ")]),
    ]), element("div", { class: "scroll" }, table(debug.transitions.map((t: Message): [string, string] => [moment(t.stamp), `${t.from_state} -> ${t.to_state}: ${t.reason}`]))));
  }
}

export class MotorPanel extends StatePanel {
  protected topics = ["servo_data", "hardware_state", "joint_states"];
  constructor(connection: Connection, robots: Robots) { super("motors", connection, robots); }
  protected draw() {
    if (this.nothing()) return;
    const hardware = this.newest.get("hardware_state"), servos = this.newest.get("servo_data"), joints = this.newest.get("joint_states");
    const wrong = wrongMotors(servos, hardware), limp = limpMotors(hardware);
    const row = (name: string, i: number) => {
      const temperature = servos?.temperature[i]?.temperature, volt = servos?.voltage[i], at = joints?.name.indexOf(name) ?? -1;
      const what = wrong.get(name), kind = what ? "bad" : limp.has(name) ? "warn" : "good";
      const cell = (text: string) => element("td", { class: `number ${what ? "bad" : ""}` }, text);
      return element("tr", {}, element("th", {}, name), element("td", { class: kind }, what ?? (limp.has(name) ? "limp" : "well")), cell(at < 0 ? "-" : `${(joints.position[at] * 180 / Math.PI).toFixed(1)} deg`),
        cell(joints?.effort?.length > at && at >= 0 ? `${joints.effort[at].toFixed(2)} Nm` : "-"), cell(temperature > 0 ? `${temperature.toFixed(0)} C` : "-"),
        cell(volt > 0 ? `${volt.toFixed(1)} V` : "-"));
    };
    replace(this.body, hardware ? table([["board", hardware.text ? { text: hardware.text, kind: "bad" } : "well"], ["voltage", `${hardware.voltage.toFixed(1)} V`], ["bus", `${hardware.bus_rate.toFixed(0)} Hz`]]) : "",
      element("div", { class: "scroll" }, element("table", { "aria-label": "motors" }, ...(servos?.joint_names ?? joints?.name ?? []).map(row))));
  }
}

export class TeamLinkPanel extends StatePanel {
  protected topics = ["team_link"];
  constructor(connection: Connection, robots: Robots) { super("team link", connection, robots); }
  protected draw() {
    if (this.nothing()) return;
    const link = this.newest.get("team_link")!;
    const rows: [string, { text: string; kind: string }][] = link.mates.map((mate: Message) => [`player ${mate.player_number}`, {
      text: `${word(kLinkStates, mate.state)}, ${mate.age.toFixed(1)} s old, ${(mate.loss * 100).toFixed(0)} % lost, ${(mate.delay * 1000).toFixed(0)} ms, ${mate.rate.toFixed(1)} Hz`,
      kind: mate.state === 2 ? "good" : "warn" }]);
    replace(this.body, table([...rows, ["messages left", link.message_budget === 65535 ? "no limit" : `${link.message_budget}`], ["sending", `${link.send_rate.toFixed(1)} Hz`]]));
  }
}
