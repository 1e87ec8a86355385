// SPDX-License-Identifier: Apache-2.0
import { Connection, Message } from "../connection";
import { element, replace } from "../dom";
import { Panel } from "../panel";
import { Robots } from "../robots";

/// Any topic as text, and a plot of one of its numbers.
export class RawPanel extends Panel {
  private topic = element("select", { "aria-label": "topic" });
  private field = element("select", { "aria-label": "number to plot" });
  private text = element("pre");
  private canvas = element("canvas", { width: "800", height: "200" });
  private message?: Message;
  private points: [number, number][] = [];

  constructor(connection: Connection, robots: Robots) {
    super("topics", connection, robots, true);
    this.topic.onchange = () => this.show();
    this.field.onchange = () => {
      this.points = [];
      this.refresh();
    };
    this.canvas.style.background = "#fff";
    this.body.append(element("div", { class: "bar" }, this.topic, this.field), this.canvas, this.text);
  }
  protected start() {
    const chosen = this.topic.value;
    const names = [...this.connection.channels.keys()].sort();
    replace(this.topic, ...names.map((name) => element("option", { value: name }, name)));
    if (names.includes(chosen)) this.topic.value = chosen;
    this.message = undefined;
    this.points = [];
    if (this.topic.value) this.watch(this.topic.value, (message) => this.take(message));
  }
  private take(message: Message) {
    if (!this.message) replace(this.field, ...numbers(message).map((path) => element("option", {}, path)));
    this.message = message;
    const value = Number(this.field.value.split(".").reduce((part: Message, name) => part?.[name], message));
    if (Number.isFinite(value)) this.points.push([Date.now() / 1000, value]);
    if (this.points.length > 1000) this.points.shift();
  }
  protected draw() {
    replace(this.text, this.message ? JSON.stringify(this.message, short, 1).slice(0, 20000) : "nothing yet");
    const g = this.canvas.getContext("2d")!;
    g.clearRect(0, 0, 800, 200);
    if (this.points.length < 2) return;
    const end = this.points[this.points.length - 1][0], values = this.points.map(([, value]) => value);
    const low = Math.min(...values), high = Math.max(...values), span = high - low || 1;
    g.strokeStyle = "#1d5fb4";
    g.beginPath();
    for (const [time, value] of this.points) g.lineTo(790 - (end - time) * 40, 185 - ((value - low) / span) * 170);
    g.stroke();
    g.fillText(high.toPrecision(4), 2, 12);
    g.fillText(low.toPrecision(4), 2, 196);
  }
}

/// Paths of the numbers in a message, e.g. header.stamp.sec.
function numbers(value: Message, path = ""): string[] {
  if (typeof value === "number" || typeof value === "bigint") return [path];
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return [];
  return Object.entries(value).slice(0, 50).flatMap(([name, part]) => numbers(part, path ? `${path}.${name}` : name)).slice(0, 200);
}

function short(_name: string, value: unknown) {
  if (typeof value === "bigint") return value.toString();
  if (ArrayBuffer.isView(value)) return Array.from((value as Uint8Array).slice(0, 40));
  return value;
}
