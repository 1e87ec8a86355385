// SPDX-License-Identifier: Apache-2.0
import { Connection, Message } from "../connection";
import { element, replace } from "../dom";
import { Panel } from "../panel";
import { Robots } from "../robots";
import { seconds } from "../words";

const kLevels: [number, string, string][] = [[10, "debug", ""], [20, "info", ""], [30, "warn", "warn"], [40, "error", "bad"], [50, "fatal", "bad"]];
const kMost = 1000;

/// What nodes say, by level, source and word.
export class LogPanel extends Panel {
  private entries: Message[] = [];
  private level = element("select", { "aria-label": "level" }, ...kLevels.map(([value, name]) => element("option", { value: `${value}` }, name)));
  private search = element("input", { type: "search", placeholder: "source or word", "aria-label": "search" });
  private list = element("table");

  constructor(connection: Connection, robots: Robots) {
    super("log", connection, robots, true);
    this.level.value = "20";
    this.level.onchange = this.search.oninput = () => this.refresh();
    this.body.append(element("div", { class: "bar" }, this.level, this.search), element("div", { class: "scroll" }, this.list));
  }
  protected start() {
    this.entries = []; // /rosout is latched: they come again
    this.watch("/rosout", (entry) => {
      this.entries.unshift(entry);
      this.entries.splice(kMost);
    });
  }
  protected draw() {
    const least = Number(this.level.value), word = this.search.value.toLowerCase();
    const shown = this.entries.filter((e) => e.level >= least && (`${e.name} ${e.msg}`).toLowerCase().includes(word)).slice(0, 200);
    replace(this.list, ...shown.map((e) => {
      const [, name, kind] = kLevels.find(([value]) => value === e.level) ?? [0, `${e.level}`, ""];
      return element("tr", {}, element("td", {}, seconds(e.stamp).toFixed(2)), element("td", { class: kind }, name),
        element("td", {}, e.name), element("td", {}, e.msg));
    }));
  }
}
