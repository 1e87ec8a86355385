// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { Editing } from "../src/motion/editing";
import { fromFumanoid, kMotors, toFumanoid } from "../src/motion/fumanoid_text";
import { duration, Keyframe, mirroredKeyframe, Motion } from "../src/motion/motion";
import { actionOf, keysOf, kShortcuts } from "../src/motion/shortcuts";

const pose = (angle: number): Keyframe => ({ duration: 1, joints: { LKnee: angle, RKnee: -angle, HeadTilt: 5 } });
const wave = (): Motion => ({ name: "wave", start: "standing", keyframes: [pose(10), pose(20), pose(30)] });
const knees = (editing: Editing) => editing.motion.keyframes.map((keyframe) => keyframe.joints.LKnee);

test("every change can be undone and redone, step by step", () => {
  const editing = new Editing(wave());
  editing.setJoint(0, "LKnee", 11);
  editing.insert(1, [pose(15)]);
  editing.remove(3, 3);
  assert.deepEqual(knees(editing), [11, 15, 20]);
  editing.undo();
  assert.deepEqual(knees(editing), [11, 15, 20, 30]);
  editing.undo();
  editing.undo();
  assert.deepEqual(knees(editing), [10, 20, 30]);
  assert.equal(editing.canUndo, false);
  editing.undo(); // nothing left: nothing happens
  editing.redo();
  assert.deepEqual(knees(editing), [11, 20, 30]);
  editing.setJoint(0, "LKnee", 12);
  assert.equal(editing.canRedo, false, "a new change forgets what was undone");
});

test("random edits: undoing all of them leads back to the beginning", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % below;
  const editing = new Editing(wave());
  for (let i = 0; i < 300; ++i) {
    const row = random(6);
    [() => editing.setJoint(row, "LKnee", random(90)), () => editing.insert(row, [pose(random(90))]), () => editing.remove(row, row + random(2)),
      () => editing.copy(row, row + 1), () => editing.paste(row), () => editing.mirror(row, row + 1), () => editing.setTime(row, "pause", random(5))][random(7)]();
  }
  const last = JSON.stringify(editing.motion);
  while (editing.canUndo) editing.undo();
  assert.deepEqual(editing.motion, wave());
  while (editing.canRedo) editing.redo();
  assert.equal(JSON.stringify(editing.motion), last);
});

test("values that cannot be change nothing", () => {
  const editing = new Editing(wave());
  assert.equal(editing.setJoint(0, "LKnee", 361), false);
  assert.equal(editing.setJoint(0, "LKnee", NaN), false);
  assert.equal(editing.setJoint(9, "LKnee", 0), false);
  assert.equal(editing.setTime(0, "duration", 0.01), false);
  assert.equal(editing.setTime(0, "pause", -1), false);
  assert.equal(editing.canUndo, false);
  assert.equal(editing.setJoint(0, "LKnee", undefined), true);
  assert.equal("LKnee" in editing.motion.keyframes[0].joints, false);
});

test("copied rows are inserted where wanted, labels stay unique", () => {
  const editing = new Editing({ name: "x", keyframes: [{ ...pose(1), label: "home", torque: 0.5 }, pose(2)] });
  editing.copy(0, 1);
  editing.paste(2);
  assert.deepEqual(knees(editing), [1, 2, 1, 2]);
  assert.equal(editing.motion.keyframes[2].label, undefined);
  assert.equal(editing.motion.keyframes[2].torque, 0.5, "what the editor does not show is kept");
});

test("mirroring exchanges the sides, twice is as before", () => {
  const keyframe: Keyframe = { duration: 1, support: "left", check: { max_roll: 10, otherwise: "abort" }, joints: { LKnee: 30, RKnee: 5, HeadPan: 20, HeadTilt: 7 } };
  const mirrored = mirroredKeyframe(keyframe);
  assert.deepEqual(mirrored.joints, { RKnee: -30, LKnee: -5, HeadPan: -20, HeadTilt: 7 });
  assert.equal(mirrored.support, "right");
  assert.deepEqual(mirrored.check, { min_roll: -10, otherwise: "abort" });
  assert.deepEqual(mirroredKeyframe(mirrored), keyframe);
  assert.equal(duration(wave()), 3);
});

test("FUmanoid's text: motors by number, delays between moves, comma at the end, -1", () => {
  const joints = Array.from({ length: 20 }, (_, i) => `J${i + 1}`);
  const line = (value: number, delay: number) => `${Array(kMotors).fill(value).join(",")},${delay},`;
  const rows = fromFumanoid(`${line(511.5, 100)}\n${line(1023, 150)}\n-1\nrubbish behind the end`, joints);
  assert.equal(rows.length, 2);
  assert.equal(rows[0].joints.J20, 0);
  assert.equal(rows[1].joints.J1, 150);
  assert.equal("J21" in rows[1].joints, false, "motors this robot lacks are left out");
  assert.equal(rows[1].duration, 0.1, "the delay of the move before");
  const text = toFumanoid(rows, joints);
  assert.match(text, /^512,.*,100,\n1023,.*,100,\n-1\n$/s);
  assert.equal(text.split("\n")[0].split(",").length, kMotors + 2);
  const again = fromFumanoid(text, joints);
  for (const [row, keyframe] of again.entries())
    for (const joint of joints) assert.ok(Math.abs(keyframe.joints[joint] - rows[row].joints[joint]) < 0.3, "one tick is 0.29 degrees");
});

test("FUmanoid's text: a joint that is not named stays where it was", () => {
  const rows = [{ duration: 1, joints: { A: 30, B: 10 } }, { duration: 0.5, joints: { A: 0 } }];
  assert.ok(Math.abs(fromFumanoid(toFumanoid(rows, ["A", "B"]), ["A", "B"])[1].joints.B - 10) < 0.3);
});

test("FUmanoid's text: mistakes are told with their line", () => {
  assert.throws(() => fromFumanoid("1,2,x,\n", ["A", "B"]), /line 1: 'x' is not a number/);
  assert.throws(() => fromFumanoid("1,2,100,\n1,100,\n-1", ["A", "B"]), /line 2: 1 motors/);
  assert.throws(() => fromFumanoid("1,1024,100,\n", ["A", "B"]), /position 1024/);
  assert.throws(() => fromFumanoid("-1\n", ["A"]), /no moves/);
});

test("each key means one thing", () => {
  const seen = kShortcuts.map(([, keys]) => JSON.stringify(keys));
  assert.equal(new Set(seen).size, seen.length);
  const press = (key: string, more = {}) => actionOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });
  assert.equal(press("z", { ctrlKey: true }), "undo");
  assert.equal(press("Z", { metaKey: true, shiftKey: true }), "redo");
  assert.equal(press("µ", { altKey: true, code: "KeyM" }), "mirror");
  assert.equal(press("m"), undefined, "typing is no command");
  assert.equal(keysOf("undo"), "Ctrl+Z");
  assert.equal(keysOf("play all"), "Alt+Shift+P");
});
