// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { packCall, packPublish, unpack } from "../src/wire";

const bytes = (hex: string) => Uint8Array.from(hex.replace(/ /g, "").match(/../g) ?? [], (pair) => parseInt(pair, 16));
const buffer = (hex: string) => bytes(hex).buffer as ArrayBuffer;

test("frames byte for byte as the protocol's description has them", () => {
  const message = unpack(buffer("01 07000000 00CA9A3B00000000 00010000 03000000 686900"));
  assert.ok(message.kind === "message" && message.subscription === 7 && message.payload.length === 11);
  assert.deepEqual(unpack(buffer("02 00CA9A3B00000000")), { kind: "time", ms: 1000 });
  assert.deepEqual(packCall(2, 5, bytes("00010000 00")), bytes("02 02000000 05000000 03000000 636472 00010000 00"));
  assert.deepEqual(packPublish(3, bytes("FF")), bytes("01 03000000 FF"));
  const asset = unpack(buffer("04 09000000 01 02000000 6E6F"));
  assert.ok(asset.kind === "asset" && asset.error === "no" && asset.request === 9);
  const response = unpack(buffer("03 02000000 05000000 03000000 636472 AA"));
  assert.ok(response.kind === "response" && response.call === 5 && response.payload[0] === 0xaa);
});

test("short, long and random frames are unknown or read, never an exception", () => {
  assert.equal(unpack(new ArrayBuffer(0)).kind, "unknown");
  assert.equal(unpack(buffer("03 02000000 05000000 FFFFFF7F")).kind, "unknown");
  assert.equal(unpack(buffer("04 09000000 00 FFFFFFFF")).kind, "unknown");
  let seed = 1;
  const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 8;
  for (let i = 0; i < 20000; ++i) {
    const frame = Uint8Array.from({ length: random() % 40 }, random);
    if (frame.length > 0) frame[0] = random() % 6;
    unpack(frame.buffer);
  }
});
