// SPDX-License-Identifier: Apache-2.0
import { Connection, Parameter } from "../connection";
import { button, element, replace } from "../dom";
import { Panel } from "../panel";
import { Robot, Robots } from "../robots";

/// Parameters of the selected robot's nodes; changed by typing and Enter, shown as the node has them afterwards.
export class ParameterPanel extends Panel {
  private values: Parameter[] = [];
  private search = element("input", { type: "search", placeholder: "node or parameter", "aria-label": "search" });
  private said = element("span", { role: "status" });
  private list = element("table");

  constructor(connection: Connection, robots: Robots) {
    super("parameters", connection, robots, true);
    this.search.oninput = () => this.refresh();
    this.body.append(element("div", { class: "bar" }, this.search, button("ask again", () => this.ask()), this.said), element("div", { class: "scroll" }, this.list));
  }
  protected start(_robot: Robot) {
    this.ask();
  }
  private async ask() {
    replace(this.said, "asking the nodes ...");
    try {
      this.values = (await this.connection.parameters()).sort((a, b) => a.name.localeCompare(b.name));
      replace(this.said, `${this.values.length} parameters`);
    } catch (error) {
      replace(this.said, this.connection.match ? "a match is running: robots are not asked" : (error as Error).message);
    }
    this.refresh();
  }
  protected draw() {
    const word = this.search.value.toLowerCase(), prefix = this.robots.selected?.prefix ?? "/";
    const shown = this.values.filter((p) => p.name.startsWith(prefix) && p.name.toLowerCase().includes(word)).slice(0, 300);
    replace(this.list, ...shown.map((p) => element("tr", {}, element("th", {}, p.name), element("td", {}, this.field(p)))));
  }
  private field(parameter: Parameter): HTMLElement {
    const input = element("input", { "aria-label": parameter.name, value: JSON.stringify(parameter.value) ?? "" });
    input.disabled = !this.connection.mayCommand;
    input.onchange = async () => {
      try {
        const [now] = await this.connection.setParameter({ ...parameter, value: JSON.parse(input.value) });
        Object.assign(parameter, now);
        const taken = JSON.stringify(now?.value) === JSON.stringify(JSON.parse(input.value));
        replace(this.said, taken ? `${parameter.name} is ${JSON.stringify(now.value)}` : `refused: ${parameter.name} stays ${JSON.stringify(now?.value)}`);
        this.said.className = taken ? "good" : "bad";
      } catch (error) {
        replace(this.said, `${parameter.name}: ${(error as Error).message}`);
        this.said.className = "bad";
      }
      input.value = JSON.stringify(parameter.value);
    };
    return input;
  }
}
