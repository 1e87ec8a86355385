// SPDX-License-Identifier: Apache-2.0
// What is to be seen of a URDF: the visuals of each link. Where links are is told by TF, not by joints.
import { compose, Pose, Quaternion, Vector } from "./frames";

export type Shape = { kind: "box"; size: Vector } | { kind: "cylinder"; radius: number; length: number } | { kind: "sphere"; radius: number } | { kind: "mesh"; uri: string; scale: Vector };
export interface Visual { link: string; pose: Pose; shape: Shape; colour: [number, number, number, number] }

const kGrey: [number, number, number, number] = [0.6, 0.6, 0.6, 1];

const numbers = (text: string | null, fallback: number[]) => {
  const values = (text ?? "").trim().split(/\s+/).map(Number);
  return values.length === fallback.length && values.every(Number.isFinite) ? values : fallback;
};

/// Roll about x, then pitch about y, then yaw about z, fixed axes.
export function fromRpy([roll, pitch, yaw]: number[]): Quaternion {
  const about = (axis: number, angle: number): Pose => {
    const q: Quaternion = [0, 0, 0, Math.cos(angle / 2)];
    q[axis] = Math.sin(angle / 2);
    return { p: [0, 0, 0], q };
  };
  return compose(about(2, yaw), compose(about(1, pitch), about(0, roll))).q;
}

function shapeOf(geometry: Element | null): Shape | undefined {
  const part = geometry?.firstElementChild;
  const number = (name: string) => Number(part?.getAttribute(name) ?? NaN);
  switch (part?.tagName) {
    case "box": return { kind: "box", size: numbers(part.getAttribute("size"), [0.1, 0.1, 0.1]) as Vector };
    case "cylinder": return { kind: "cylinder", radius: number("radius"), length: number("length") };
    case "sphere": return { kind: "sphere", radius: number("radius") };
    case "mesh": return { kind: "mesh", uri: part.getAttribute("filename") ?? "", scale: numbers(part.getAttribute("scale"), [1, 1, 1]) as Vector };
  }
  return undefined;
}

/// Throws if the text is no URDF. Visuals that cannot be understood are left out.
export function visualsOf(xml: string): Visual[] {
  const robot = new DOMParser().parseFromString(xml, "text/xml").querySelector("robot");
  if (!robot) throw new Error("the robot's description is no URDF");
  const colours = new Map([...robot.querySelectorAll(":scope > material")].map((material) =>
    [material.getAttribute("name"), numbers(material.querySelector("color")?.getAttribute("rgba") ?? null, kGrey)] as const));
  return [...robot.querySelectorAll(":scope > link > visual")].flatMap((visual) => {
    const shape = shapeOf(visual.querySelector(":scope > geometry")), origin = visual.querySelector(":scope > origin");
    if (!shape) return [];
    const material = visual.querySelector(":scope > material"), own = material?.querySelector("color")?.getAttribute("rgba");
    const colour = (own ? numbers(own, kGrey) : colours.get(material?.getAttribute("name") ?? null) ?? kGrey) as Visual["colour"];
    const pose: Pose = { p: numbers(origin?.getAttribute("xyz") ?? null, [0, 0, 0]) as Vector, q: fromRpy(numbers(origin?.getAttribute("rpy") ?? null, [0, 0, 0])) };
    return [{ link: visual.parentElement!.getAttribute("name") ?? "", pose, shape, colour }];
  });
}
