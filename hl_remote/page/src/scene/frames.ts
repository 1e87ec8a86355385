// SPDX-License-Identifier: Apache-2.0
// TF: where frames stand in their parents, and from that in each other.
export type Vector = [number, number, number];
export type Quaternion = [number, number, number, number]; // x, y, z, w
export interface Pose { p: Vector; q: Quaternion }

const kDeepest = 64; // a longer chain is a circle

export const kIdentity: Pose = { p: [0, 0, 0], q: [0, 0, 0, 1] };

export function rotate(q: Quaternion, v: Vector): Vector {
  const [x, y, z, w] = q;
  const t: Vector = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}

/// First `b`, then `a`: a point of b's frame in a's parent.
export function compose(a: Pose, b: Pose): Pose {
  const [ax, ay, az, aw] = a.q, [bx, by, bz, bw] = b.q;
  const moved = rotate(a.q, b.p);
  return {
    p: [a.p[0] + moved[0], a.p[1] + moved[1], a.p[2] + moved[2]],
    q: [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz],
  };
}

export class FrameTree {
  private parents = new Map<string, { parent: string; pose: Pose }>();

  /// A message of /tf or /tf_static. What is not finite is left out.
  take(message: { transforms: any[] }) {
    for (const { header, child_frame_id, transform } of message.transforms) {
      const { translation: t, rotation: r } = transform;
      const pose: Pose = { p: [t.x, t.y, t.z], q: [r.x, r.y, r.z, r.w] };
      if ([...pose.p, ...pose.q].every(Number.isFinite)) this.set(header.frame_id, child_frame_id, pose);
    }
  }
  set(parent: string, child: string, pose: Pose) {
    const plain = (name: string) => name.replace(/^\//, "");
    this.parents.set(plain(child), { parent: plain(parent), pose });
  }

  /// The pose of `frame` in `root`; nothing if they do not hang together.
  lookup(root: string, frame: string): Pose | undefined {
    let pose = kIdentity, at = frame;
    for (let depth = 0; at !== root; ++depth) {
      const link = this.parents.get(at);
      if (!link || depth > kDeepest) return undefined;
      pose = compose(link.pose, pose);
      at = link.parent;
    }
    return pose;
  }

  /// The topmost frame above `frame`.
  rootOf(frame: string): string {
    let at = frame;
    for (let depth = 0; depth < kDeepest; ++depth) {
      const link = this.parents.get(at);
      if (!link) return at;
      at = link.parent;
    }
    return at;
  }
}
