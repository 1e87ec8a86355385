// SPDX-License-Identifier: Apache-2.0
// The kid size field since 2020, m.
export const kField = { length: 9, width: 6, margin: 1, goal: 2.6, goalDepth: 0.6, area: [1, 3], penaltyArea: [2, 5], circle: 1.5, mark: 1.5 };

/// A point of a robot's base_footprint on the field.
export function onField(own: { x: number; y: number; heading: number }, point: { x: number; y: number }): [number, number] {
  return [own.x + point.x * Math.cos(own.heading) - point.y * Math.sin(own.heading), own.y + point.x * Math.sin(own.heading) + point.y * Math.cos(own.heading)];
}
