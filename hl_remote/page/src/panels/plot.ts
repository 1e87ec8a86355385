// SPDX-License-Identifier: Apache-2.0
import uPlot from "uplot";
import { Connection, Message } from "../connection";
import { button, element, replace } from "../dom";
import { Panel } from "../panel";
import { Robot, Robots } from "../robots";
import { Field, numericFields, Series } from "../series";

const kColours = ["#1d5fb4", "#b3261e", "#187a3b", "#a15c00", "#7b3fa0", "#00838f", "#5d4037", "#c2185b"];
const kHeight = 260; // px
const kRedraw = 100; // ms

interface Line { topic: string; field: Field }

/// Any numbers of any topics over time. What is plotted of a robot follows the selection.
export class PlotPanel extends Panel {
  private topic = element("select", { "aria-label": "topic to plot" });
  private field = element("select", { "aria-label": "number to plot" });
  private seconds = element("select", { "aria-label": "seconds to plot" }, ...[10, 30, 120].map((value) => element("option", { value: `${value}` }, `${value} s`)));
  private chips = element("div", { class: "bar" });
  private place = element("div");
  private lines: Line[] = [];
  private series = new Map<string, Series>(); // by topic
  private sample?: { topic: string; end: () => void };
  private plot?: uPlot;
  private drawn = 0;
  private paused = false;

  constructor(connection: Connection, robots: Robots) {
    super("plots", connection, robots, true);
    this.seconds.value = "30";
    this.topic.onchange = () => this.offerFields();
    this.seconds.onchange = () => this.show();
    const pause = button("pause", () => {
      this.paused = !this.paused;
      pause.setAttribute("aria-pressed", `${this.paused}`);
    }, { "aria-pressed": "false" });
    this.body.append(element("div", { class: "bar" }, this.topic, this.field, button("plot", () => this.add()), this.seconds, pause, button("clear", () => this.clear())), this.chips, this.place);
  }

  /// Topics of a robot are kept relative to it.
  private relative(name: string) {
    const prefix = this.robots.selected?.prefix ?? "/";
    return prefix !== "/" && name.startsWith(prefix) ? `~/${name.slice(prefix.length)}` : name;
  }
  private absolute(name: string) {
    return name.startsWith("~/") ? (this.robots.selected?.prefix ?? "/") + name.slice(2) : name;
  }

  protected start(_robot: Robot) {
    const names = [...this.connection.channels.keys()].sort().map((name) => this.relative(name)), chosen = this.topic.value;
    replace(this.topic, ...names.map((name) => element("option", {}, name)));
    if (names.includes(chosen)) this.topic.value = chosen;
    this.offerFields();
    this.series.clear();
    for (const topic of new Set(this.lines.map((line) => line.topic))) {
      const series = new Series(this.lines.filter((line) => line.topic === topic).map(({ field }) => field), Number(this.seconds.value));
      this.series.set(topic, series);
      this.watch(this.absolute(topic), (message) => series.add((this.connection.now || Date.now()) / 1000, message));
    }
    this.build();
  }
  override hide() {
    super.hide();
    this.sample?.end();
    this.sample = undefined;
  }

  /// The numbers of a topic are known when its first message is there.
  private offerFields() {
    const topic = this.topic.value;
    if (!topic || this.sample?.topic === topic) return;
    this.sample?.end();
    replace(this.field);
    const take = (message: Message) => {
      replace(this.field, ...numericFields(message).map(({ path, label }) => element("option", { value: path }, label)));
      end();
    };
    const end = this.connection.watch(this.absolute(topic), take);
    this.sample = { topic, end };
  }

  private add() {
    const option = this.field.selectedOptions[0];
    if (!option || this.lines.length >= kColours.length) return;
    this.lines.push({ topic: this.topic.value, field: { path: option.value, label: option.text } });
    this.show();
  }
  private clear() {
    this.lines = [];
    this.show();
  }

  private build() {
    replace(this.chips, ...this.lines.map((line, i) => {
      const chip = button(`${line.topic} ${line.field.label} ×`, () => {
        this.lines.splice(i, 1);
        this.show();
      }, { title: "remove" });
      chip.style.borderColor = kColours[i];
      return chip;
    }));
    this.plot?.destroy();
    this.plot = undefined;
    if (this.lines.length === 0) return;
    const series: uPlot.Series[] = this.lines.map((line, i) => ({ label: line.field.label, stroke: kColours[i], spanGaps: true, width: 1.5 }));
    this.plot = new uPlot({ width: Math.max(300, this.place.clientWidth), height: kHeight, scales: { x: { time: false } }, series: [{ label: "s" }, ...series] }, [[]], this.place);
  }

  protected draw() {
    if (!this.plot || this.paused || Date.now() - this.drawn < kRedraw) return;
    this.drawn = Date.now();
    const tables = [...this.series.values()].filter(({ times }) => times.length > 0).map(({ times, values }): uPlot.AlignedData => [times, ...values]);
    if (tables.length === 0) return;
    const joined = uPlot.join(tables);
    // In the order of the lines: topics are joined one after the other.
    const order = [...this.series].filter(([, { times }]) => times.length > 0).flatMap(([topic]) => this.lines.filter((line) => line.topic === topic));
    const columns = this.lines.map((line) => (order.includes(line) ? joined[order.indexOf(line) + 1] : Array.from(joined[0], () => null)));
    this.plot.setData([joined[0], ...columns] as uPlot.AlignedData);
  }
}
