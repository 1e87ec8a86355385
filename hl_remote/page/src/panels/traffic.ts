// SPDX-License-Identifier: Apache-2.0
import { Connection } from "../connection";
import { button, element, replace } from "../dom";
import { Panel } from "../panel";
import { Robots } from "../robots";
import { RawFrame } from "../traffic";

const kShown = 120;

/// How much of which topic comes, and the frames of the connection as they are, before anybody reads them.
export class TrafficPanel extends Panel {
  private rates = element("table", { "aria-label": "rates" });
  private frames = element("table", { "aria-label": "frames" });
  private search = element("input", { type: "search", placeholder: "topic or word", "aria-label": "search frames" });
  private listening: HTMLButtonElement;

  constructor(connection: Connection, robots: Robots) {
    super("traffic", connection, robots, true);
    this.listening = button("show frames", () => {
      connection.traffic.recording = !connection.traffic.recording;
      this.listening.setAttribute("aria-pressed", `${connection.traffic.recording}`);
    }, { "aria-pressed": "false" });
    this.body.append(element("div", { class: "scroll" }, this.rates), element("div", { class: "bar" }, this.listening, this.search), element("div", { class: "scroll" }, this.frames));
  }
  protected start() {
    const timer = setInterval(() => this.refresh(), 1000);
    this.ended(() => clearInterval(timer));
  }
  protected draw() {
    const { traffic } = this.connection;
    const rates = traffic.rates(Date.now()), all = rates.reduce((sum, { bytes }) => sum + bytes, 0);
    const row = (name: string, hertz: string, bytes: number) => element("tr", {}, element("td", {}, name), element("td", { class: "number" }, hertz), element("td", { class: "number" }, `${(bytes / 1000).toFixed(1)} kB/s`));
    replace(this.rates, row("all", "", all), ...rates.map(({ topic, hertz, bytes }) => row(topic, `${hertz.toFixed(1)} Hz`, bytes)));
    const word = this.search.value.toLowerCase();
    const shown = traffic.frames.filter((frame) => `${frame.what} ${frame.start}`.toLowerCase().includes(word)).slice(-kShown).reverse();
    replace(this.frames, ...shown.map((frame) => this.frame(frame)));
  }
  private frame({ at, out, size, what, start }: RawFrame) {
    return element("tr", {}, element("td", {}, new Date(at).toISOString().slice(11, 23)), element("td", {}, out ? "out" : "in"), element("td", { class: "number" }, `${size}`),
      element("td", {}, what), element("td", {}, element("code", {}, start)));
  }
}
