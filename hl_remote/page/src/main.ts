// SPDX-License-Identifier: Apache-2.0
import { Connection } from "./connection";
import { button, element, replace } from "./dom";
import { Panel } from "./panel";
import { CameraPanel } from "./panels/camera";
import { FieldPanel } from "./panels/field";
import { LogPanel } from "./panels/log";
import { ParameterPanel } from "./panels/parameters";
import { RawPanel } from "./panels/raw";
import { BehaviorPanel, GamePanel, HcmPanel, MotorPanel, TeamLinkPanel } from "./panels/states";
import { Robots } from "./robots";

const page = new URL(location.href);
const server = new URL(page.searchParams.get("server") ?? page.href); // ?server=ws://... : another bridge, e.g. foxglove_bridge
server.protocol = server.protocol === "https:" || server.protocol === "wss:" ? "wss:" : "ws:";
const connection = new Connection(server.href);
const robots = new Robots(connection);

const panels = {
  field: new FieldPanel(connection, robots), game: new GamePanel(connection, robots), behavior: new BehaviorPanel(connection, robots),
  hcm: new HcmPanel(connection, robots), motors: new MotorPanel(connection, robots), camera: new CameraPanel(connection, robots),
  team: new TeamLinkPanel(connection, robots), log: new LogPanel(connection, robots), parameters: new ParameterPanel(connection, robots),
  raw: new RawPanel(connection, robots),
};
const perspectives: Record<string, Panel[]> = {
  match: [panels.field, panels.game, panels.behavior, panels.log],
  motion: [panels.hcm, panels.motors, panels.log],
  vision: [panels.camera, panels.field],
  network: [panels.team, panels.game, panels.raw],
  parameters: [panels.parameters],
};
let perspective = localStorage.getItem("perspective") ?? "match";
if (!(perspective in perspectives)) perspective = "match";

const place = (id: string) => document.getElementById(id)!;

function showPerspective(name: string) {
  for (const panel of perspectives[perspective]) panel.hide();
  perspective = name;
  localStorage.setItem("perspective", name);
  replace(place("perspectives"), ...Object.keys(perspectives).map((each) => button(each, () => showPerspective(each), { "aria-pressed": `${each === name}` })));
  replace(place("panels"), ...perspectives[name].map((panel) => panel.box));
  for (const panel of perspectives[name]) panel.show();
}

function showRobots() {
  const boxes = [...robots.all.values()].sort((a, b) => a.prefix.localeCompare(b.prefix)).map((robot) => {
    const box = button("", () => {
      robots.selected = robot;
      showRobots();
      for (const panel of perspectives[perspective]) panel.show();
    }, { class: `robot ${robot.presence}`, "aria-pressed": `${robot === robots.selected}` });
    box.append(element("strong", {}, robot.name), ` ${robot.presence}`, ...robot.summary().map((line) => element("small", { class: line.kind }, line.text)));
    return box;
  });
  replace(place("robots"), ...(boxes.length ? boxes : [element("p", {}, connection.connected ? "no robot publishes robot_state yet" : "no connection")]));
}

let known = "";
connection.onChange = () => {
  const status = place("connection");
  status.className = connection.connected ? "" : "lost";
  replace(status, connection.connected ? "connected" : "no connection, trying again");
  replace(place("rights"), connection.match ? "match: looking only" : connection.mayCommand ? "may command" : "looking only");
  const before = robots.selected;
  robots.look();
  showRobots();
  const offered = [...connection.channels.keys()].sort().join() + connection.mayCommand + connection.connected;
  if (offered === known && before === robots.selected) return;
  known = offered;
  for (const panel of perspectives[perspective]) panel.show();
};
connection.onStatus = (level, text) => {
  replace(place("notices"), element("span", { class: ["", "warn", "bad"][level] ?? "" }, text));
};
setInterval(showRobots, 1000);
showPerspective(perspective);
connection.open();
