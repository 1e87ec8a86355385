// SPDX-License-Identifier: Apache-2.0
import { Connection } from "../connection";
import { button, element, replace } from "../dom";
import { Entries } from "../log_filter";
import { Panel } from "../panel";
import { Robots } from "../robots";
import { moment } from "../words";

const kLevels: [number, string, string][] = [[10, "debug", ""], [20, "info", ""], [30, "warn", "warn"], [40, "error", "bad"], [50, "fatal", "bad"]];
const kShown = 200;

/// What nodes say, by level, source and words.
export class LogPanel extends Panel {
  private entries = new Entries();
  private known = 0; // sources in the list
  private level = element("select", { "aria-label": "level" }, ...kLevels.map(([value, name]) => element("option", { value: `${value}` }, name)));
  private source = element("select", { "aria-label": "source" }, element("option", { value: "" }, "all sources"));
  private search = element("input", { type: "search", placeholder: "words", "aria-label": "search" });
  private list = element("table", { "aria-label": "entries" });
  private paused = false;
  private listening = false;

  constructor(connection: Connection, robots: Robots) {
    super("log", connection, robots, true);
    this.level.value = "20";
    const filter = () => this.showList();
    this.level.onchange = this.source.onchange = this.search.oninput = filter;
    const pause = button("pause", () => {
      this.paused = !this.paused;
      pause.setAttribute("aria-pressed", `${this.paused}`);
      this.refresh();
    }, { "aria-pressed": "false" });
    this.body.append(element("div", { class: "bar" }, this.level, this.source, this.search, pause), element("div", { class: "scroll" }, this.list));
  }
  /// From the first time it is shown on, whatever robot is selected: what is said meanwhile is not lost.
  protected start() {
    if (this.listening) return;
    this.listening = true;
    this.connection.watch("/rosout", (entry) => {
      this.entries.add(entry);
      if (this.box.isConnected) this.refresh();
    });
  }
  protected draw() {
    if (!this.paused) this.showList();
  }
  private showList() {
    if (this.entries.sources.size !== this.known) {
      this.known = this.entries.sources.size;
      const chosen = this.source.value;
      replace(this.source, element("option", { value: "" }, "all sources"), ...[...this.entries.sources].sort().map((name) => element("option", {}, name)));
      this.source.value = chosen;
    }
    const shown = this.entries.filtered({ level: Number(this.level.value), source: this.source.value, word: this.search.value }, kShown);
    replace(this.list, ...shown.map((entry) => {
      const [, name, kind] = kLevels.find(([value]) => value === entry.level) ?? [0, `${entry.level}`, ""];
      return element("tr", {}, element("td", { class: "number" }, moment(entry.stamp)), element("td", { class: kind }, name),
        element("td", {}, entry.name), element("td", {}, entry.msg));
    }));
  }
}
