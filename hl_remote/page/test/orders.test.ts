// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { Order } from "../src/orders";

test("repeated until the robot says that it is so", async () => {
  let sent = 0, role = 0;
  const order = new Order("striker", { send: async () => void ++sent, confirmed: () => role === 2 });
  for (let now = 0; now < 7000; now += 250) await order.step(now);
  assert.equal(order.state, "sent");
  assert.equal(sent, 4, "every two seconds, not with every step");
  assert.equal(order.text, "sent (4 times)");
  role = 2;
  await order.step(7000);
  assert.equal(order.state, "confirmed");
  await order.step(20000);
  assert.equal(sent, 4, "what is confirmed is not sent again");
});

test("what was so before is sent all the same", async () => {
  let sent = 0;
  const order = new Order("x", { send: async () => void ++sent, confirmed: () => true });
  await order.step(0);
  assert.equal(sent, 1);
  assert.equal(order.state, "confirmed");
});

test("a refusal ends it, with its reason", async () => {
  const order = new Order("x", { send: async () => "not in a match", confirmed: () => true });
  await order.step(0);
  assert.equal(order.text, "refused: not in a match");
});

test("no answer is no refusal: it is tried again, but not for ever", async () => {
  let sent = 0;
  const order = new Order("x", { send: async () => { ++sent; throw new Error("no answer"); }, confirmed: () => false });
  for (let now = 0; now < 60000; now += 500) await order.step(now);
  assert.equal(sent, 10);
  assert.equal(order.text, "given up: no answer");
});

test("while an answer is awaited nothing is sent", async () => {
  let sent = 0, answer = () => {};
  const order = new Order("x", { send: () => { ++sent; return new Promise((resolve) => (answer = () => resolve(undefined))); }, confirmed: () => sent > 0 });
  const first = order.step(0);
  await order.step(5000);
  assert.equal(sent, 1);
  answer();
  await first;
  assert.equal(order.state, "confirmed");
});
