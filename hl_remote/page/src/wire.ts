// SPDX-License-Identifier: Apache-2.0
// The protocol's binary frames; integers are little endian.
export type Received =
  | { kind: "message"; subscription: number; payload: Uint8Array }
  | { kind: "time"; ms: number }
  | { kind: "response"; service: number; call: number; payload: Uint8Array }
  | { kind: "asset"; request: number; error: string; payload: Uint8Array }
  | { kind: "unknown" };

const kText = new TextDecoder();

/// What cannot be read is `unknown`.
export function unpack(data: ArrayBuffer): Received {
  const view = new DataView(data), size = data.byteLength;
  const op = size > 0 ? view.getUint8(0) : 0;
  if (op === 1 && size >= 13) return { kind: "message", subscription: view.getUint32(1, true), payload: new Uint8Array(data, 13) };
  if (op === 2 && size >= 9) return { kind: "time", ms: Number(view.getBigUint64(1, true) / 1000000n) };
  if (op === 3 && size >= 13) {
    const start = 13 + view.getUint32(9, true);
    if (start <= size) return { kind: "response", service: view.getUint32(1, true), call: view.getUint32(5, true), payload: new Uint8Array(data, start) };
  }
  if (op === 4 && size >= 10) {
    const start = 10 + view.getUint32(6, true);
    if (start <= size) {
      const error = kText.decode(new Uint8Array(data, 10, start - 10));
      return { kind: "asset", request: view.getUint32(1, true), error: view.getUint8(5) === 0 ? "" : error || "there is no such file", payload: new Uint8Array(data, start) };
    }
  }
  return { kind: "unknown" };
}

export function packPublish(channel: number, payload: Uint8Array): Uint8Array {
  const frame = new Uint8Array(5 + payload.byteLength);
  const view = new DataView(frame.buffer);
  view.setUint8(0, 1);
  view.setUint32(1, channel, true);
  frame.set(payload, 5);
  return frame;
}

export function packCall(service: number, call: number, payload: Uint8Array): Uint8Array {
  const frame = new Uint8Array(16 + payload.byteLength);
  const view = new DataView(frame.buffer);
  view.setUint8(0, 2);
  view.setUint32(1, service, true);
  view.setUint32(5, call, true);
  view.setUint32(9, 3, true);
  frame.set(new TextEncoder().encode("cdr"), 13);
  frame.set(payload, 16);
  return frame;
}
