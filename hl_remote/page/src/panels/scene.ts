// SPDX-License-Identifier: Apache-2.0
import { Connection, Message } from "../connection";
import { element, replace } from "../dom";
import { onField } from "../field";
import { Panel } from "../panel";
import { Robot, Robots } from "../robots";
import { FrameTree, Pose } from "../scene/frames";
import type { SceneView } from "../scene/view";
import { yaw } from "../words";

const kFrame = 60; // ms between two pictures
const kRoots = ["map", "odom"]; // what the field stands in, the first that is known

/// Robots as their URDF and TF tell, the selected one's ball and path. three.js comes with the first opening.
export class ScenePanel extends Panel {
  private canvas = element("canvas", { class: "scene" });
  private follow = element("input", { type: "checkbox" });
  private said = element("p", { role: "status" });
  private view?: SceneView;
  private loading = false;
  private trees = new Map<Robot, FrameTree>();
  private descriptions = new Map<Robot, string>();
  private pose?: Message;
  private model?: Message;
  private path?: Message;
  private drawn = 0;

  constructor(connection: Connection, robots: Robots) {
    super("3-D", connection, robots, true);
    this.body.append(element("div", { class: "bar" }, element("label", {}, this.follow, " follow the selected robot")), this.said, this.canvas);
    this.follow.onchange = () => this.refresh();
  }

  protected start(selected: Robot) {
    if (!this.view && !this.loading) this.load();
    this.pose = this.model = this.path = undefined;
    const shown = this.robots.team();
    for (const robot of this.trees.keys()) if (!shown.includes(robot)) this.remove(robot);
    for (const robot of shown) {
      const tree = this.trees.get(robot) ?? new FrameTree();
      this.trees.set(robot, tree);
      for (const topic of ["tf", "tf_static"]) this.watch(robot.topic(topic), (message) => tree.take(message));
      this.watch(robot.topic("robot_description"), ({ data }) => this.describe(robot, data));
    }
    this.watch(selected.topic("pose"), (message) => (this.pose = message));
    this.watch(selected.topic("personal_model"), (message) => (this.model = message));
    this.watch(selected.topic("path"), (message) => (this.path = message));
  }

  private async load() {
    this.loading = true;
    replace(this.said, "loading ...");
    try {
      const { SceneView } = await import("../scene/view");
      this.view = new SceneView(this.canvas, () => this.refresh());
      for (const [robot, xml] of this.descriptions) this.view.setRobot(robot.prefix, xml, (uri) => this.connection.asset(uri));
      this.refresh();
    } catch (error) {
      replace(this.said, `this browser does not draw in three dimensions: ${(error as Error).message}`);
    }
    this.loading = false;
  }

  private describe(robot: Robot, xml: string) {
    if (this.descriptions.get(robot) === xml && (!this.view || this.view.has(robot.prefix))) return;
    this.descriptions.set(robot, xml);
    this.view?.setRobot(robot.prefix, xml, (uri) => this.connection.asset(uri));
  }
  private remove(robot: Robot) {
    this.trees.delete(robot);
    this.descriptions.delete(robot);
    this.view?.removeRobot(robot.prefix);
  }

  protected draw() {
    if (!this.view || Date.now() - this.drawn < kFrame) return;
    this.drawn = Date.now();
    const told: string[] = [];
    for (const [robot, tree] of this.trees) {
      const root = kRoots.find((name) => tree.lookup(name, "base_link")) ?? tree.rootOf("base_link");
      const shown = this.view.pose(robot.prefix, (link): Pose | undefined => tree.lookup(root, link));
      told.push(`${robot.name}: ${shown} links in ${root}`);
      const own = robot === this.robots.selected && this.follow.checked ? tree.lookup(root, "base_link") : undefined;
      if (own) this.view.lookAt(own.p[0], own.p[1]);
    }
    replace(this.said, told.join(", ") || "no robot tells its frames");
    this.view.setBall(this.ball());
    this.view.setPath((this.path?.poses ?? []).map(({ pose }: Message) => [pose.position.x, pose.position.y]));
    this.view.draw();
  }

  private ball(): [number, number] | undefined {
    if (!this.pose || !(this.model?.ball.confidence > 0)) return undefined;
    const { position, orientation } = this.pose.pose.pose;
    const at = onField({ x: position.x, y: position.y, heading: yaw(orientation) }, this.model.ball.ball_relative);
    return at.every(Number.isFinite) ? at : undefined;
  }
}
