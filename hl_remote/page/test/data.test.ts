// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { FrameTree, Pose, compose, rotate } from "../src/scene/frames";
import { numericFields, Series, valueAt } from "../src/series";
import { hex, Traffic } from "../src/traffic";
import { Entries } from "../src/log_filter";
import { limpMotors, wrongMotors } from "../src/wrong";
import { moment } from "../src/words";

test("all numbers of a message, elements by the names beside them", () => {
  const message = { header: { stamp: { sec: 1 } }, name: ["LKnee", "RKnee"], position: new Float64Array([0.5, -0.5]), ok: true, text: "x", big: 7n, none: null };
  const fields = numericFields(message);
  assert.deepEqual(fields.map(({ label }) => label), ["header.stamp.sec", "position LKnee", "position RKnee", "ok", "big"]);
  assert.equal(valueAt(message, "position[1]"), -0.5);
  assert.equal(valueAt(message, "big"), 7);
  assert.ok(Number.isNaN(valueAt(message, "nothing.here[3]")));
  assert.equal(numericFields({ data: new Uint8Array(100000) }).length, 0, "pictures are no numbers");
});

test("a course in time forgets what is too old, and begins anew when time does", () => {
  const series = new Series([{ path: "a", label: "a" }], 10);
  for (let t = 0; t < 30; ++t) series.add(t, { a: t });
  assert.equal(series.times[0], 19);
  assert.deepEqual(series.values[0], series.times);
  series.add(1, { a: 5 });
  assert.deepEqual(series.times, [1]);
  for (let i = 0; i < 10000; ++i) series.add(1, { a: i });
  assert.ok(series.times.length <= 3000, "bounded at any rate");
});

test("rates per topic over the last seconds", () => {
  const traffic = new Traffic();
  for (let ms = 0; ms < 10000; ms += 100) traffic.count("/fast", 50, ms);
  traffic.count("/once", 7, 9000);
  const [fast, once] = traffic.rates(10000);
  assert.deepEqual(fast, { topic: "/fast", hertz: 10, bytes: 500 });
  assert.equal(once.hertz, 0.2);
  assert.equal(traffic.rates(20000).length, 0, "silence is no traffic");
});

test("raw frames are kept while somebody looks, the newest of them", () => {
  const traffic = new Traffic();
  traffic.frame(false, "early", "", 0);
  assert.equal(traffic.frames.length, 0);
  traffic.recording = true;
  for (let i = 0; i < 1000; ++i) traffic.frame(i % 2 === 0, new Uint8Array([i & 255, 1]), "x", i);
  assert.equal(traffic.frames.length, 400);
  assert.equal(traffic.frames[399].start, "e7 01");
  assert.match(hex(new Uint8Array(60)), / \.\.\.$/);
});

const near = (a: number[], b: number[]) => a.forEach((value, i) => assert.ok(Math.abs(value - b[i]) < 1e-9, `${a} is not ${b}`));
const quarter: Pose = { p: [1, 0, 0], q: [0, 0, Math.SQRT1_2, Math.SQRT1_2] }; // 1 m on, turned left

test("frames: a chain of transforms, and what does not hang together", () => {
  const tree = new FrameTree();
  tree.set("map", "/odom", quarter);
  tree.set("odom", "base", quarter);
  near(rotate(quarter.q, [1, 0, 0]), [0, 1, 0]);
  near(tree.lookup("map", "base")!.p, [1, 1, 0]);
  near(tree.lookup("map", "base")!.q, [0, 0, 1, 0]);
  near(compose(quarter, quarter).p, tree.lookup("map", "base")!.p);
  assert.equal(tree.lookup("map", "nowhere"), undefined);
  assert.equal(tree.lookup("base", "map"), undefined);
  assert.equal(tree.rootOf("base"), "map");
});

test("frames: circles and rubbish end", () => {
  const tree = new FrameTree();
  tree.set("a", "b", quarter);
  tree.set("b", "a", quarter);
  assert.equal(tree.lookup("map", "a"), undefined);
  assert.ok(tree.rootOf("a"));
  tree.take({ transforms: [{ header: { frame_id: "map" }, child_frame_id: "c", transform: { translation: { x: NaN, y: 0, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } } }] });
  assert.equal(tree.lookup("map", "c"), undefined);
});

test("motors: what is wrong, in words, each thing once", () => {
  const servos = { joint_names: ["LKnee", "RKnee", "HeadPan"], temperature: [{ temperature: 70 }, { temperature: 40 }, { temperature: -1 }], error: [4, 32, 1] };
  const wrong = wrongMotors(servos, { joints_hot: ["LKnee"], joints_overloaded: [], joints_missing: ["LElbow"], joints_limp: ["RElbow"] });
  assert.deepEqual([...wrong], [["LElbow", "missing"], ["LKnee", "hot"], ["RKnee", "overloaded"], ["HeadPan", "error: voltage"]]);
  assert.equal(wrongMotors(undefined, undefined).size, 0);
  assert.ok(limpMotors({ joints_limp: ["RElbow"] }).has("RElbow"));
});

test("log: level, source and every word must fit; the newest are kept", () => {
  const entries = new Entries();
  for (let i = 0; i < 3000; ++i) entries.add({ level: [10, 20, 30, 40][i % 4], name: i % 2 ? "walking" : "hcm", msg: `number ${i} Goal late`, stamp: { sec: i ^ 1, nanosec: 0 } });
  assert.deepEqual(entries.all.slice(0, 3).map(({ stamp }) => stamp.sec), [2999, 2998, 2997], "by time, not by arrival");
  assert.equal(entries.all.length, 2000);
  assert.equal(entries.filtered({ level: 30, source: "", word: "" }, 5).length, 5);
  assert.ok(entries.filtered({ level: 40, source: "", word: "" }, 9999).every(({ level }) => level === 40));
  assert.ok(entries.filtered({ level: 10, source: "hcm", word: "" }, 9999).every(({ name }) => name === "hcm"));
  assert.deepEqual(entries.filtered({ level: 10, source: "", word: " GOAL 2999 walk" }, 9).map(({ msg }) => msg), ["number 2999 Goal late"]);
  assert.equal(entries.filtered({ level: 10, source: "", word: "nowhere" }, 9).length, 0);
  const again = entries.all.slice(0, 3);
  for (const entry of again) entries.add({ ...entry });
  entries.add({ ...again[0], msg: "another at the same time" });
  assert.deepEqual(entries.all.slice(0, 4).map(({ msg }) => msg), ["another at the same time", ...again.map(({ msg }) => msg)], "nothing twice");
});

test("moments: time of day, or seconds of a simulation", () => {
  assert.equal(moment({ sec: 12, nanosec: 345_000_000 }), "12.35");
  const local = new Date(2026, 10, 19, 7, 5, 9, 40).getTime();
  assert.equal(moment({ sec: Math.floor(local / 1000), nanosec: (local % 1000) * 1e6 }), "07:05:09.04");
});
