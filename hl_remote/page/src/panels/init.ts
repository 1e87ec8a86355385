// SPDX-License-Identifier: Apache-2.0
import { Connection, Message } from "../connection";
import { button, element, replace } from "../dom";
import { Order } from "../orders";
import { Panel } from "../panel";
import { Robot, Robots } from "../robots";
import { word, kRoles } from "../words";

const kStep = 250; // ms
const kShown = 12; // orders
const kAskAgain = 3000; // ms

interface Lists { roles: string[]; strategies: string[]; tasks: string[] }

/// Roles and tasks from the robots' own lists, to one robot or the team; sent again until the robot confirms.
export class InitPanel extends Panel {
  private lists?: Lists;
  private turn = 0; // grows when the panel is hidden or shows another robot
  private situation = new Map<string, Message>(); // behavior_debug by robot
  private orders: { robot: Robot; order: Order }[] = [];
  private cancels = new Map<Robot, () => Promise<Message>>();
  private to = element("select", { "aria-label": "to whom" }, element("option", { value: "one" }, "this robot"), element("option", { value: "team" }, "its team"), element("option", { value: "all" }, "all robots"));
  private role = element("select", { "aria-label": "role" });
  private task = element("select", { "aria-label": "task" });
  private words = element("input", { "aria-label": "arguments", placeholder: "arguments: a, b", title: "separated by commas" });
  private buttons: HTMLButtonElement[];
  private strategy = element("summary");
  private strategies = element("p");
  private said = element("p", { role: "status" });
  private list = element("table", { "aria-label": "orders" });

  constructor(connection: Connection, robots: Robots) {
    super("init", connection, robots);
    const each = (text: string, make: (robot: Robot) => Order) => button(text, () => this.give(make));
    const roles = each("set role", (robot) => this.roleOrder(robot, this.role.selectedIndex)), free = each("tactics choose", (robot) => this.automaticOrder(robot));
    const run = each("run task", (robot) => this.taskOrder(robot)), stop = each("stop task", (robot) => this.stopOrder(robot));
    const start = each("may play", (robot) => this.penaltyOrder(robot, false)), freeze = each("freeze", (robot) => this.penaltyOrder(robot, true));
    this.buttons = [roles, free, run, stop, start, freeze];
    this.body.append(element("div", { class: "bar" }, this.to, start, freeze), element("div", { class: "bar" }, this.role, roles, free),
      element("div", { class: "bar" }, this.task, this.words, run, stop), element("details", {}, this.strategy, this.strategies), this.said, element("div", { class: "scroll" }, this.list));
    setInterval(() => this.orders.forEach(({ order }) => order.step(Date.now())), kStep);
  }

  protected start(robot: Robot) {
    for (const each of this.robots.all.values()) this.watch(each.topic("behavior_debug"), (message) => this.situation.set(each.prefix, message));
    this.ask(robot);
  }
  override hide() {
    super.hide();
    ++this.turn;
  }

  private async ask(robot: Robot) {
    const { turn } = this;
    const service = robot.topic("list_behaviors");
    if (!this.connection.services.has(service)) return replace(this.said, "this robot offers no lists: no node behavior");
    try {
      this.lists = (await this.connection.call(service, {})) as Lists;
      replace(this.said, "");
      const fill = (select: HTMLSelectElement, names: string[]) => {
        const chosen = select.value;
        replace(select, ...names.map((name) => element("option", {}, name)));
        if (names.includes(chosen)) select.value = chosen;
      };
      fill(this.role, this.lists.roles);
      fill(this.task, this.lists.tasks);
    } catch (error) {
      replace(this.said, this.connection.match ? "a match is running: robots are not asked" : (error as Error).message);
      if (!this.connection.match) setTimeout(() => turn === this.turn && this.ask(robot), kAskAgain);
    }
    this.refresh();
  }

  protected draw() {
    for (const each of this.buttons) each.disabled = !this.connection.mayCommand;
    const now = this.robots.selected && this.situation.get(this.robots.selected.prefix)?.situation;
    replace(this.strategy, `strategy: the tactics choose${now ? `, now "${now}"` : ""}`);
    replace(this.strategies, (this.lists?.strategies ?? []).join(", "));
    replace(this.list, ...this.orders.map(({ robot, order }) => element("tr", { class: "order" }, element("th", {}, robot.name), element("td", {}, order.what),
      element("td", { class: order.state === "confirmed" ? "good" : order.state === "sent" ? "warn" : "bad" }, order.text))));
  }

  private give(make: (robot: Robot) => Order) {
    const { selected } = this.robots;
    if (!selected) return;
    const chosen = this.to.value === "one" ? [selected] : this.to.value === "team" ? this.robots.team() : this.robots.sorted();
    for (const robot of chosen) {
      const order = make(robot);
      this.orders = [{ robot, order }, ...this.orders.filter((old) => old.robot !== robot || old.order.over)].slice(0, kShown); // a new order replaces one under way
      order.step(Date.now());
    }
    this.refresh();
  }
  private order(what: string, send: () => Promise<string | undefined>, confirmed: () => boolean) {
    return new Order(what, { send, confirmed }, () => this.refresh());
  }
  private ordered(robot: Robot, service: string, request: Message) {
    return async () => {
      const answer = await this.connection.call(robot.topic(service), request);
      return answer.success ? undefined : answer.message || "not done";
    };
  }

  private roleOrder(robot: Robot, role: number) {
    return this.order(`role ${word(kRoles, role)}`, this.ordered(robot, "set_role", { role, automatic: false }), () => robot.strategy?.role === role);
  }
  private automaticOrder(robot: Robot) {
    return this.order("tactics choose the role", this.ordered(robot, "set_role", { role: 0, automatic: true }), () => true); // the robot does not tell who chose
  }
  private penaltyOrder(robot: Robot, penalize: boolean) {
    const kPenalty = [7, 8]; // robot_state of a robot that must not move
    return this.order(penalize ? "freeze" : "may play", this.ordered(robot, "manual_penalize", { word: penalize ? 1 : 2 }), () => kPenalty.includes(robot.state?.state) === penalize);
  }

  private taskOrder(robot: Robot) {
    const name = this.task.value, words = this.words.value.split(",").map((text) => text.trim()).filter((text) => text !== "");
    let accepted = false;
    return this.order(`task ${name}(${words.join(", ")})`, async () => {
      if (accepted) return undefined; // only what was not heard is sent again
      const { result, cancel } = await this.connection.act(robot.topic("run_task"), { text: "", name, arguments: words, time_limit: 0 });
      accepted = true;
      this.cancels.set(robot, cancel);
      result.then((end) => this.taskEnded(robot, name, end)).catch((error: Error) => this.taskEnded(robot, name, { outcome: 1, reason: error.message, diagnostics: [] }));
      return undefined;
    }, () => accepted);
  }
  private taskEnded(robot: Robot, name: string, end: Message) {
    const kOutcomes = ["completed", "failed", "cancelled", "invalid", "refused", "timed out"];
    this.said.className = end.outcome === 0 ? "good" : "bad";
    replace(this.said, `${robot.name}: ${name} ${word(kOutcomes, end.outcome)}${end.reason ? `: ${end.reason}` : ""} ${end.diagnostics.join("; ")}`);
  }
  private stopOrder(robot: Robot) {
    return this.order("stop the task", async () => {
      const cancel = this.cancels.get(robot);
      if (!cancel) return "no task was started from here";
      await cancel();
      return undefined;
    }, () => !this.situation.get(robot.prefix)?.task);
  }
}
