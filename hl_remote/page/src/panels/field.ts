// SPDX-License-Identifier: Apache-2.0
import { Connection, Message } from "../connection";
import { element } from "../dom";
import { kField, onField } from "../field";
import { Panel } from "../panel";
import { Robot, Robots } from "../robots";
import { kRoles, word, yaw } from "../words";

const { length: kLength, width: kWidth, margin: kMargin, goal: kGoal, goalDepth: kGoalDepth, area: kArea, penaltyArea: kPenaltyArea, circle: kCircle, mark: kMark } = kField;
const kPixels = 85; // per m

/// All robots of the selected one's team as they believe to stand, and the selected one's view of ball and others.
export class FieldPanel extends Panel {
  private canvas = element("canvas", { width: `${(kLength + 2 * kMargin) * kPixels}`, height: `${(kWidth + 2 * kMargin) * kPixels}` });
  private poses = new Map<string, Message>();
  private model?: Message;
  private path?: Message;

  constructor(connection: Connection, robots: Robots) {
    super("field", connection, robots);
    this.body.append(this.canvas);
  }

  protected start(robot: Robot) {
    this.model = this.path = undefined;
    for (const other of this.robots.all.values()) this.watch(other.topic("pose"), (pose) => this.poses.set(other.prefix, pose));
    this.watch(robot.topic("personal_model"), (model) => (this.model = model));
    this.watch(robot.topic("path"), (path) => (this.path = path));
  }

  protected draw() {
    const g = this.canvas.getContext("2d")!;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, this.canvas.width, this.canvas.height);
    g.setTransform(kPixels, 0, 0, -kPixels, this.canvas.width / 2, this.canvas.height / 2); // m, y up
    this.lines(g);
    const robot = this.robots.selected;
    if (!robot) return;
    this.drawPath(g);
    for (const other of this.robots.all.values()) {
      const pose = this.poses.get(other.prefix);
      if (pose && sameTeam(robot, other)) this.drawRobot(g, other, pose.pose, other === robot);
    }
    const own = this.poses.get(robot.prefix);
    if (own && this.model) this.drawModel(g, own.pose);
  }

  private lines(g: CanvasRenderingContext2D) {
    g.strokeStyle = "#fff";
    g.lineWidth = 0.05;
    g.strokeRect(-kLength / 2, -kWidth / 2, kLength, kWidth);
    for (const side of [-1, 1]) {
      for (const [depth, width] of [kArea, kPenaltyArea]) g.strokeRect(side * kLength / 2, -width / 2, -side * depth, width);
      g.strokeRect(side * kLength / 2, -kGoal / 2, side * kGoalDepth, kGoal);
      disc(g, side * (kLength / 2 - kMark), 0, 0.05, "#fff");
    }
    g.beginPath();
    g.moveTo(0, -kWidth / 2);
    g.lineTo(0, kWidth / 2);
    g.moveTo(kCircle / 2, 0);
    g.arc(0, 0, kCircle / 2, 0, 2 * Math.PI);
    g.stroke();
  }

  private drawRobot(g: CanvasRenderingContext2D, robot: Robot, pose: Message, selected: boolean) {
    const { x, y } = pose.pose.position;
    const heading = yaw(pose.pose.orientation);
    if (![x, y, heading].every(Number.isFinite)) return;
    const deviation = Math.sqrt(Math.max(0, pose.covariance[0] + pose.covariance[7]));
    disc(g, x, y, Math.min(2, deviation * 2), "#ffffff30");
    disc(g, x, y, 0.15, selected ? "#1d5fb4" : "#7fb0ef");
    g.strokeStyle = "#fff";
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(x + 0.3 * Math.cos(heading), y + 0.3 * Math.sin(heading));
    g.stroke();
    text(g, x, y - 0.35, robot.strategy ? `${robot.name} ${word(kRoles, robot.strategy.role)}` : robot.name);
  }

  /// The model is relative to the robot.
  private drawModel(g: CanvasRenderingContext2D, own: Message) {
    const { x: ownX, y: ownY } = own.pose.position;
    const place = (point: Message) => onField({ x: ownX, y: ownY, heading: yaw(own.pose.orientation) }, point);
    for (const other of this.model.robots) {
      const [x, y] = place(other.position);
      disc(g, x, y, 0.12, other.team === 1 ? "#7fb0ef" : "#c9403a");
    }
    if (!(this.model.ball.confidence > 0)) return;
    const [x, y] = place(this.model.ball.ball_relative);
    disc(g, x, y, 0.09, "#ffb020");
  }

  private drawPath(g: CanvasRenderingContext2D) {
    if (!this.path?.poses.length) return;
    g.strokeStyle = "#ffe680";
    g.lineWidth = 0.04;
    g.beginPath();
    for (const stamped of this.path.poses) g.lineTo(stamped.pose.position.x, stamped.pose.position.y);
    g.stroke();
  }
}

const sameTeam = (a: Robot, b: Robot) => a === b || (a.game !== undefined && b.game !== undefined && a.game.own_team === b.game.own_team);

function disc(g: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string) {
  if (![x, y, radius].every(Number.isFinite)) return;
  g.fillStyle = colour;
  g.beginPath();
  g.arc(x, y, radius, 0, 2 * Math.PI);
  g.fill();
}

function text(g: CanvasRenderingContext2D, x: number, y: number, words: string) {
  g.save();
  g.translate(x, y);
  g.scale(1 / kPixels, -1 / kPixels);
  g.fillStyle = "#fff";
  g.font = "18px system-ui";
  g.textAlign = "center";
  g.fillText(words, 0, 0);
  g.restore();
}
