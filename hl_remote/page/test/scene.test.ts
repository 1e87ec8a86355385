// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { onField } from "../src/field";
import { rotate } from "../src/scene/frames";
import { fromRpy } from "../src/scene/urdf";

const near = (a: number[], b: number[]) => a.forEach((value, i) => assert.ok(Math.abs(value - b[i]) < 1e-9, `${a} is not ${b}`));

test("roll, pitch and yaw turn about fixed axes, in this order", () => {
  near(rotate(fromRpy([Math.PI / 2, 0, 0]), [0, 1, 0]), [0, 0, 1]);
  near(rotate(fromRpy([0, Math.PI / 2, 0]), [1, 0, 0]), [0, 0, -1]);
  near(rotate(fromRpy([0, 0, Math.PI / 2]), [1, 0, 0]), [0, 1, 0]);
  near(rotate(fromRpy([Math.PI / 2, 0, Math.PI / 2]), [0, 1, 0]), [0, 0, 1]);
});

test("what a robot sees, on the field", () => {
  near(onField({ x: 1, y: 2, heading: Math.PI / 2 }, { x: 0.5, y: 0.25 }), [0.75, 2.5]);
});
