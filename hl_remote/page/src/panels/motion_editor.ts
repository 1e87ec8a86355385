// SPDX-License-Identifier: Apache-2.0
import { Connection, Message } from "../connection";
import { button, download, element, replace } from "../dom";
import { Editing } from "../motion/editing";
import { fromFumanoid, toFumanoid } from "../motion/fumanoid_text";
import { Grid } from "../motion/grid";
import { duration, Keyframe, Motion } from "../motion/motion";
import { Present, Recorder } from "../motion/recorder";
import { actionOf, EditorAction, keysOf } from "../motion/shortcuts";
import { Panel } from "../panel";
import { Robot, Robots } from "../robots";
import { limpMotors, wrongMotors } from "../wrong";

const kMoves: EditorAction[] = ["take pose", "go to row", "play from row", "play all", "halt", "verify", "save"]; // need the robot
const kEmpty: Motion = { name: "motion", keyframes: [] };

/// Keyframe motions on the robot's recorder. The page's motion is given to the recorder before anything is done with it.
export class MotionEditorPanel extends Panel {
  private editing = new Editing(kEmpty);
  private grid = new Grid(() => this.editing, () => ({ ...this.present, wrong: wrongMotors(this.servos, this.hardware), limp: limpMotors(this.hardware) }));
  private recorder?: Recorder;
  private of?: Robot; // whose recorder was asked
  private recording = false; // the recorder has a motion
  private present: Present = { unsaved: false, joints: [], lower: [], upper: [], animations: [], findings: [] };
  private synced = ""; // motion the recorder has
  private servos?: Message;
  private hardware?: Message;

  private name = element("input", { "aria-label": "name of the motion", placeholder: "name" });
  private library = element("select", { "aria-label": "motions of the robot" });
  private going = element("input", { type: "number", min: "0.1", max: "10", step: "0.1", value: "1", "aria-label": "seconds to get to a row" });
  private buttons = new Map<EditorAction, HTMLButtonElement>();
  private robotButtons: HTMLButtonElement[] = [];
  private asking = 0; // orders that the robot has not answered yet: nothing else is ordered meanwhile
  private playing = false; // an animation, from the request to its result
  private cancel?: () => Promise<Message>;
  private play = button("play as animation", () => this.telling(() => this.playAnimation()));
  private stop = button("stop animation", () => this.telling(async () => void (await this.cancel?.())));
  private said = element("p", { role: "status" });
  private findings = element("ul", { "aria-label": "findings" });
  private file = element("input", { type: "file", accept: ".txt,.json", "aria-label": "import", hidden: "" });

  constructor(connection: Connection, robots: Robots) {
    super("motion editor", connection, robots, true);
    this.box.onkeydown = (event) => this.pressed(event);
    this.grid.onChange = () => this.edited();
    this.grid.onJoint = (joint) => this.toggleTorque(joint);
    this.file.onchange = () => this.importFile();
    const action = (name: EditorAction) => {
      const result = button(name, () => this.act(name), { title: keysOf(name) });
      this.buttons.set(name, result);
      return result;
    };
    const withRobot = (text: string, run: () => Promise<void>) => {
      const result = button(text, () => this.attempt(run));
      this.robotButtons.push(result);
      return result;
    };
    this.body.append(
      element("div", { class: "bar" }, this.name, withRobot("new", () => this.begin("start", this.name.value)), this.library,
        withRobot("load", () => this.begin("load", this.library.value)), withRobot("release robot", () => this.release()), this.play, this.stop),
      element("div", { class: "bar" }, ...(["undo", "redo", "insert row", "copy", "paste", "delete", "mirror"] as EditorAction[]).map(action), button("import", () => this.file.click()),
        button("export for FUmanoid", () => download(`${this.editing.motion.name}.txt`, toFumanoid(this.editing.motion.keyframes, this.present.joints))),
        button("export", () => download(`${this.editing.motion.name}.json`, JSON.stringify(this.editing.motion, null, 1))), this.file),
      element("div", { class: "bar" }, ...kMoves.map(action), element("label", {}, "get there in ", this.going, " s")),
      this.said, element("div", { class: "wide-scroll" }, this.grid.table), this.findings);
  }

  protected start(robot: Robot) {
    this.recorder = new Recorder(this.connection, robot);
    this.watch(robot.topic("servo_data"), (message) => (this.servos = message));
    this.watch(robot.topic("hardware_state"), (message) => (this.hardware = message));
    // Of another robot; what is being edited stays when only the list of topics has changed.
    const known = robot === this.of && this.recording;
    this.of = robot;
    if (!known && this.recorder.there && this.connection.mayCommand) this.attempt(() => this.look());
  }

  protected draw() {
    const may = this.connection.mayCommand && !!this.recorder?.there, free = may && this.asking === 0;
    this.box.setAttribute("aria-busy", `${this.asking > 0}`);
    for (const each of this.robotButtons) each.disabled = !free;
    this.play.disabled = !may || this.playing; // asked for again, it would interrupt itself
    this.stop.disabled = !this.connection.mayCommand || !this.cancel;
    for (const name of kMoves) this.buttons.get(name)!.disabled = !(name === "halt" ? may : free) || !this.recording;
    this.buttons.get("undo")!.disabled = !this.editing.canUndo;
    this.buttons.get("redo")!.disabled = !this.editing.canRedo;
    this.buttons.get("paste")!.disabled = !this.editing.canPaste;
    this.name.disabled = this.library.disabled = !may;
    this.grid.markCells();
    if (!this.recorder?.there && this.said.textContent === "") this.say("no recorder: ros2 run hl_animation recorder", "warn");
  }

  // --- what the keys and buttons do

  private pressed(event: KeyboardEvent) {
    const action = actionOf(event);
    if (!action || this.buttons.get(action)!.disabled) return;
    event.preventDefault();
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.dispatchEvent(new Event("change")); // what is typed counts
    this.act(action);
  }

  private act(action: EditorAction) {
    const { editing } = this, [first, last] = this.grid.rows;
    switch (action) {
      case "undo": editing.undo(); return this.edited();
      case "redo": editing.redo(); return this.edited();
      case "copy": editing.copy(first, last); return this.say(`${last - first + 1} rows copied`), this.refresh();
      case "paste": editing.paste(last + 1); return this.edited(last + 1);
      case "insert row": editing.insert(last + 1, [this.rowLike(last)]); return this.edited(last + 1);
      case "delete": editing.remove(first, last); return this.edited(first);
      case "mirror": editing.mirror(first, last); return this.edited();
      case "take pose": return this.attempt(() => this.takePose(last));
      case "go to row": return this.attempt(() => this.order("goTo", { index: first, duration: Number(this.going.value) }));
      case "play from row": return this.attempt(() => this.order("playFrom", { index: first, duration: Number(this.going.value) }));
      case "play all": return this.attempt(() => this.order("play"));
      case "halt": return this.attempt(() => this.order("halt"));
      case "verify": return this.attempt(() => this.verify());
      case "save": return this.attempt(() => this.save());
    }
  }

  /// A new row begins as the one before it.
  private rowLike(row: number): Keyframe {
    return { duration: 1, joints: { ...this.editing.motion.keyframes[row]?.joints } };
  }

  private edited(select?: number) {
    this.present.findings = [];
    replace(this.findings);
    this.grid.draw();
    if (select !== undefined) this.grid.select(select);
    this.say(`${this.editing.motion.keyframes.length} keyframes, ${duration(this.editing.motion).toFixed(2)} s${JSON.stringify(this.editing.motion) === this.synced ? "" : ", changed"}`);
    this.refresh();
  }

  private async toggleTorque(joint: string) {
    if (!this.recording || !this.connection.mayCommand) return this.say("joints get limp only while a motion is being recorded: new or load", "warn");
    const limp = limpMotors(this.hardware).has(joint);
    await this.attempt(async () => this.say(await this.recorder!.command(limp ? "stiff" : "limp", { joints: [joint] })));
  }

  // --- with the recorder

  private async look() {
    this.adopt(await this.recorder!.edit());
  }
  private adopt(present: Present) {
    this.present = present;
    this.recording = present.motion !== undefined;
    const chosen = this.library.value;
    replace(this.library, ...present.animations.map((name) => element("option", {}, name)));
    if (present.animations.includes(chosen)) this.library.value = chosen;
    if (present.motion) {
      this.editing.replace(present.motion);
      this.synced = JSON.stringify(present.motion);
      this.name.value = present.motion.name;
    }
    this.grid.draw();
    this.refresh();
  }
  private async sync() {
    if (JSON.stringify(this.editing.motion) === this.synced) return;
    this.adopt(await this.recorder!.edit(this.editing.motion));
  }

  private async begin(verb: "start" | "load", name: string) {
    await this.recorder!.command(verb, { name });
    this.editing = new Editing(kEmpty);
    await this.look();
    this.editing = new Editing(this.editing.motion); // there is nothing before it to go back to
    this.grid.draw();
    this.grid.select(0);
    this.say(`${name}: the robot is reserved for recording`);
  }

  private async release() {
    await this.recorder!.command("stop");
    this.recording = false;
    this.say("the robot is free again");
    this.refresh();
  }
  private async takePose(row: number) {
    await this.sync();
    const empty = this.editing.motion.keyframes.length === 0;
    const said = await this.recorder!.takePose(empty ? -1 : row + 1);
    await this.look();
    this.grid.select(empty ? 0 : row + 1);
    this.say(said);
  }
  private async order(verb: "goTo" | "playFrom" | "play" | "halt", more = {}) {
    if (verb !== "halt") await this.sync();
    this.say((await this.recorder!.command(verb, more)) || verb);
  }
  private async verify() {
    const present = await this.recorder!.edit(this.editing.motion, true);
    this.adopt(present);
    replace(this.findings, ...present.findings.map((finding) => element("li", { class: "bad" },
      `keyframe ${finding.keyframe + 1}, ${finding.time.toFixed(2)} s: ${finding.kind} ${finding.what}: ${finding.value.toFixed(2)}, allowed ${finding.limit.toFixed(2)} ${finding.unit}`)));
    this.say(present.findings.length === 0 ? "nothing wrong found" : `${present.findings.length} findings`, present.findings.length === 0 ? "good" : "bad");
  }
  private async save() {
    if (this.name.value !== "" && this.name.value !== this.editing.motion.name) this.editing.describe({ name: this.name.value });
    await this.sync();
    const said = await this.recorder!.command("save");
    await this.look();
    this.say(said, "good");
  }

  /// As the robot would in a game: by the animation node and the control manager's leave.
  private async playAnimation() {
    const robot = this.robots.selected!, name = this.name.value || this.library.value;
    this.playing = true;
    this.draw();
    try {
      if (this.connection.services.has(robot.topic("reload_animations"))) await this.connection.call(robot.topic("reload_animations"), {});
      const { result, cancel } = await this.connection.act(robot.topic("play_animation"), { animation: name, hcm: false });
      this.cancel = cancel;
      this.say(`${name} plays`);
      this.refresh();
      const { successful, message } = await result;
      this.say(successful ? `${name} has been played` : message, successful ? "good" : "bad");
    } finally {
      this.playing = false;
      this.cancel = undefined;
      this.refresh();
    }
  }

  private async importFile() {
    const chosen = this.file.files?.[0];
    this.file.value = "";
    if (!chosen) return;
    await this.attempt(async () => {
      const text = await chosen.text();
      const motion: Motion = chosen.name.endsWith(".json") ? JSON.parse(text) : { ...this.editing.motion, keyframes: fromFumanoid(text, this.present.joints) };
      if (!Array.isArray(motion.keyframes)) throw new Error(`${chosen.name} holds no keyframes`);
      this.editing.replace({ ...motion, name: this.editing.motion.name });
      this.edited(0);
    });
  }

  private async attempt(run: () => Promise<void>) {
    const focus = document.activeElement;
    ++this.asking;
    this.draw();
    await this.telling(run);
    --this.asking;
    this.draw();
    if (focus instanceof HTMLElement && this.box.contains(focus)) focus.focus(); // a button that was disabled has lost it, and the keys with it
  }
  private async telling(run: () => Promise<void>) {
    try {
      await run();
    } catch (error) {
      this.say((error as Error).message, "bad");
    }
  }
  private say(text: string, kind = "") {
    this.said.className = kind;
    replace(this.said, text);
  }
}
