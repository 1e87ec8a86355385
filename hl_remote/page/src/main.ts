// SPDX-License-Identifier: Apache-2.0
import { Connection } from "./connection";
import { button, element, replace } from "./dom";
import { Panel } from "./panel";
import { CameraPanel } from "./panels/camera";
import { ColourPanel } from "./panels/colour";
import { FieldPanel } from "./panels/field";
import { InitPanel } from "./panels/init";
import { LogPanel } from "./panels/log";
import { MotionEditorPanel } from "./panels/motion_editor";
import { ParameterPanel } from "./panels/parameters";
import { PlotPanel } from "./panels/plot";
import { RawPanel } from "./panels/raw";
import { ScenePanel } from "./panels/scene";
import { BehaviorPanel, GamePanel, HcmPanel, MotorPanel, TeamLinkPanel } from "./panels/states";
import { TrafficPanel } from "./panels/traffic";
import { Robots } from "./robots";

const page = new URL(location.href);
const server = new URL(page.searchParams.get("server") ?? page.href); // ?server=ws://... : another bridge, e.g. foxglove_bridge
server.protocol = server.protocol === "https:" || server.protocol === "wss:" ? "wss:" : "ws:";
const connection = new Connection(server.href);
const robots = new Robots(connection);

type PanelKind = new (connection: Connection, robots: Robots) => Panel;
const made = new Map<PanelKind, Panel>();
/// Each panel exists once and is shown wherever a perspective names it.
function panel(kind: PanelKind): Panel {
  if (!made.has(kind)) made.set(kind, new kind(connection, robots));
  return made.get(kind)!;
}

const perspectives: Record<string, PanelKind[]> = {
  match: [FieldPanel, GamePanel, BehaviorPanel, InitPanel, LogPanel],
  motion: [MotionEditorPanel, HcmPanel, MotorPanel, PlotPanel, LogPanel],
  vision: [CameraPanel, ColourPanel, FieldPanel],
  "3-D": [ScenePanel],
  network: [TeamLinkPanel, GamePanel, TrafficPanel, RawPanel],
  parameters: [ParameterPanel, PlotPanel],
};
let perspective = localStorage.getItem("perspective") ?? "match";
if (!(perspective in perspectives)) perspective = "match";
const shown = () => perspectives[perspective].map(panel);
const place = (id: string) => document.getElementById(id)!;

function showPerspective(name: string) {
  for (const each of shown()) each.hide();
  perspective = name;
  localStorage.setItem("perspective", name);
  replace(place("perspectives"), ...Object.keys(perspectives).map((each) => button(each, () => showPerspective(each), { "aria-pressed": `${each === name}` })));
  replace(place("panels"), ...shown().map(({ box }) => box));
  for (const each of shown()) each.show();
}

function select(prefix: string) {
  robots.selected = robots.all.get(prefix);
  showRobots();
  for (const each of shown()) each.show();
}

/// Buttons stay the same while only what they say changes, so that a click is never lost.
const boxes = new Map<string, HTMLButtonElement>();
function showRobots() {
  const all = robots.sorted();
  for (const robot of all) {
    if (!boxes.has(robot.prefix)) boxes.set(robot.prefix, button("", () => select(robot.prefix)));
    const box = boxes.get(robot.prefix)!;
    box.className = `robot ${robot.presence}`;
    box.setAttribute("aria-pressed", `${robot === robots.selected}`);
    replace(box, element("strong", {}, robot.name), ` ${robot.presence}`, ...robot.summary().map((line) => element("small", { class: line.kind }, line.text)));
  }
  const list = place("robots");
  if (all.length === 0) return replace(list, element("p", {}, connection.connected ? "no robot publishes robot_state yet" : "no connection"));
  const wanted = all.map((robot) => boxes.get(robot.prefix)!);
  if (wanted.length !== list.children.length || wanted.some((box, i) => list.children[i] !== box)) replace(list, ...wanted);
}

let known = "";
let telling: ReturnType<typeof setTimeout> | undefined;
/// Topics and services come in bursts: panels begin anew once for all of them.
function changed() {
  telling = undefined;
  const before = robots.selected;
  robots.look();
  showRobots();
  const offered = [...connection.channels.keys(), ...connection.services.keys()].sort().join() + connection.mayCommand + connection.connected;
  if (offered === known && before === robots.selected) return;
  known = offered;
  for (const each of shown()) each.show();
}
connection.onChange = () => {
  const status = place("connection");
  status.className = connection.connected ? "" : "lost";
  replace(status, connection.connected ? "connected" : "no connection, trying again");
  replace(place("rights"), connection.match ? "match: looking only" : connection.mayCommand ? "may command" : "looking only");
  document.body.classList.toggle("match", connection.match);
  document.body.classList.toggle("looking", !connection.mayCommand);
  telling ??= setTimeout(changed, 100);
};

const kNotice = 15000; // ms
const notices = new Map<string, HTMLElement>();
connection.onStatus = (level, text, id = "") => {
  notices.set(id, element("span", { class: ["", "warn", "bad"][level] ?? "" }, text));
  replace(place("notices"), ...notices.values());
  const shown = notices.get(id);
  if (id === "") setTimeout(() => notices.get(id) === shown && connection.onStatusOver(id), kNotice); // others are taken back
};
connection.onStatusOver = (id) => {
  notices.delete(id);
  replace(place("notices"), ...notices.values());
};
setInterval(showRobots, 1000);
showPerspective(perspective);
connection.open();
