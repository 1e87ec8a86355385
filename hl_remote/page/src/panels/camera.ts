// SPDX-License-Identifier: Apache-2.0
import { Connection, Message } from "../connection";
import { element, replace } from "../dom";
import { Panel } from "../panel";
import { drawPicture } from "../picture";
import { Robot, Robots } from "../robots";
import { seconds } from "../words";

const kTopics = ["camera/image_marked/compressed", "camera/image_raw"]; // the first that is offered

interface View { figure: HTMLElement; canvas: HTMLCanvasElement; caption: HTMLElement; topic: string; image?: Message; busy: boolean }

/// Pictures with what was found in them, of one or several robots; as JPEG where somebody offers that, else plain.
export class CameraPanel extends Panel {
  private chosen = new Set<string>(); // robots beside the selected one
  private others = element("div", { class: "bar", "aria-label": "robots to look through" });
  private place = element("div", { class: "views" });
  private views = new Map<string, View>();

  constructor(connection: Connection, robots: Robots) {
    super("camera", connection, robots, true);
    this.body.append(this.others, this.place);
  }

  protected start(selected: Robot) {
    const seeing = this.robots.sorted().filter((robot) => kTopics.some((name) => this.connection.channels.has(robot.topic(name))));
    replace(this.others, ...seeing.map((robot) => {
      const box = element("input", { type: "checkbox" });
      box.checked = robot === selected || this.chosen.has(robot.prefix);
      box.onchange = () => {
        if (box.checked) this.chosen.add(robot.prefix);
        else this.chosen.delete(robot.prefix);
        this.show();
      };
      box.disabled = robot === selected;
      return element("label", {}, box, ` ${robot.name}`);
    }));
    this.views.clear();
    const shown = [selected, ...seeing.filter((robot) => robot !== selected && this.chosen.has(robot.prefix))];
    replace(this.place, ...shown.map((robot) => this.view(robot).figure));
  }

  private view(robot: Robot): View {
    const offered = kTopics.find((name) => this.connection.channels.has(robot.topic(name))) ?? kTopics[1];
    const canvas = element("canvas", { width: "640", height: "480", "data-robot": robot.name }), caption = element("figcaption");
    const view: View = { figure: element("figure", {}, canvas, caption), canvas, caption, topic: robot.topic(offered), busy: false };
    this.views.set(robot.prefix, view);
    this.watch(view.topic, (image) => (view.image = image));
    return view;
  }

  protected draw() {
    for (const view of this.views.values()) this.paint(view);
  }
  private async paint(view: View) {
    if (!view.image) return replace(view.caption, `no picture on ${view.topic}`);
    if (view.busy) return; // the next animation frame shows the newest
    view.busy = true;
    const image = view.image;
    const fault = await drawPicture(view.canvas, image);
    view.busy = false;
    replace(view.caption, fault ?? `${view.topic}, ${seconds(image.header.stamp).toFixed(2)} s`);
  }
}
