// SPDX-License-Identifier: Apache-2.0
import { Connection, Message } from "../connection";
import { element, replace } from "../dom";
import { Panel } from "../panel";
import { ParameterTable } from "../parameter_table";
import { drawPicture, shares } from "../picture";
import { Robot, Robots } from "../robots";

// The vision's words for what it takes a pixel for, in the colours of camera/image_classes.
const kClasses: [string, [number, number, number]][] = [
  ["field", [60, 140, 60]], ["white", [150, 150, 150]], ["line", [255, 255, 255]], ["ball", [255, 140, 0]], ["red team", [220, 40, 40]],
  ["blue team", [30, 90, 220]], ["other obstacle", [130, 60, 130]], ["own body", [70, 60, 70]], ["nothing", [0, 0, 0]]];
const kTopic = "camera/image_classes/compressed";
const kPictures = ["camera/image_marked/compressed", "camera/image_raw"];

/// The camera's picture beside what the vision takes each pixel for, and the parameters that decide it.
export class ColourPanel extends Panel {
  private picture = element("canvas", { width: "640", height: "480" });
  private classes = element("canvas", { width: "640", height: "480", "aria-label": "what the vision takes it for" });
  private legend = element("table");
  private said = element("p", { role: "status" });
  private parameters: ParameterTable;
  private newest: { picture?: Message; classes?: Message } = {};
  private busy = false;

  constructor(connection: Connection, robots: Robots) {
    super("colour check", connection, robots, true);
    this.parameters = new ParameterTable(connection);
    this.body.append(this.said, element("div", { class: "views" }, element("figure", {}, this.picture), element("figure", {}, this.classes),
      element("div", {}, this.legend), this.parameters.box));
  }

  protected start(robot: Robot) {
    this.newest = {};
    const offered = kPictures.find((name) => this.connection.channels.has(robot.topic(name))) ?? kPictures[1];
    this.watch(robot.topic(offered), (image) => (this.newest.picture = image));
    this.watch(robot.topic(kTopic), (image) => (this.newest.classes = image));
    this.parameters.show([robot.topic("detection")]);
    this.ended(() => this.parameters.hide());
  }

  protected async draw() {
    if (!this.newest.classes) return replace(this.said, "nothing heard of the node detection");
    if (this.busy) return;
    this.busy = true;
    const { picture, classes } = this.newest;
    if (picture) await drawPicture(this.picture, picture);
    const fault = await drawPicture(this.classes, classes);
    this.busy = false;
    replace(this.said, fault ?? "");
    const parts = shares(this.classes, kClasses.map(([, colour]) => colour));
    replace(this.legend, ...kClasses.map(([name, [r, g, b]], i) => {
      const swatch = element("span", { class: "swatch" });
      swatch.style.background = `rgb(${r},${g},${b})`;
      return element("tr", {}, element("td", {}, swatch), element("td", {}, name), element("td", { class: "number" }, `${(parts[i] * 100).toFixed(1)} %`));
    }));
  }
}
