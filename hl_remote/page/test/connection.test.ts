// SPDX-License-Identifier: Apache-2.0
// The page's connection with a server that is not ours: Foxglove's own, of npm's ws-protocol. Like the real foxglove_bridge it
// tells of no match, knows parameters only by their names, and goes and comes again.
import assert from "node:assert/strict";
import test from "node:test";
import { MessageReader, MessageWriter } from "@foxglove/rosmsg2-serialization";
import { parse } from "@foxglove/rosmsg";
import { FoxgloveServer } from "@foxglove/ws-protocol";
import WebSocket, { WebSocketServer } from "ws";
import { Connection, Parameter } from "../src/connection";

Object.assign(globalThis, { WebSocket });

const kText = "string data", kAsk = "string name\nint32 number", kAnswer = "bool success\nstring message";
const cdr = (schema: string, message: unknown) => new MessageWriter(parse(schema, { ros2: true })).writeMessage(message);
const read = (schema: string, data: ArrayBufferView) => new MessageReader<any>(parse(schema, { ros2: true })).readMessage(data);
const view = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength);

async function until(what: string, holds: () => boolean) {
  for (const end = Date.now() + 60_000; !holds(); await new Promise((resolve) => setTimeout(resolve, 10)))
    assert.ok(Date.now() < end, `never: ${what}`);
}

class Other {
  server = new FoxgloveServer({ name: "another", capabilities: ["clientPublish", "parameters", "parametersSubscribe", "services", "assets", "time"], supportedEncodings: ["cdr", "json"], sessionId: "1" });
  private sockets: WebSocketServer;
  private values = new Map<string, number>([["/walking.speed", 0.2], ["/walking.lift", 0.04]]);
  chatter = this.server.addChannel({ topic: "/chatter", encoding: "cdr", schemaName: "std_msgs/msg/String", schema: kText, schemaEncoding: "ros2msg" });
  heard: string[] = [];
  watched = 0; // clients of /chatter, or none

  constructor(port: number, old: boolean) {
    this.sockets = new WebSocketServer({ port, host: "127.0.0.1", handleProtocols: (names) => this.server.handleProtocols(names) });
    this.sockets.on("connection", (socket) => this.server.handleConnection(socket as never, "page"));
    const { server } = this;
    const schemas = old ? { requestSchema: kAsk, responseSchema: kAnswer }
      : { request: { encoding: "cdr", schemaName: "x/srv/Ask_Request", schemaEncoding: "ros2msg", schema: kAsk }, response: { encoding: "cdr", schemaName: "x/srv/Ask_Response", schemaEncoding: "ros2msg", schema: kAnswer } };
    server.addService({ name: "/ask", type: "x/srv/Ask", ...schemas });
    server.on("subscribe", () => ++this.watched);
    server.on("unsubscribe", () => --this.watched);
    server.on("message", ({ data }) => this.heard.push(read(kText, data).data));
    server.on("serviceCallRequest", (call, socket) => {
      const { name, number } = read(kAsk, call.data);
      if (name === "nobody") server.sendServiceCallFailure({ op: "serviceCallFailure", serviceId: call.serviceId, callId: call.callId, message: "nobody is there" }, socket);
      else server.sendServiceCallResponse({ ...call, data: view(cdr(kAnswer, { success: number === 7, message: `hello ${name}` })) }, socket);
    });
    const named = (names: string[]): Parameter[] => [...this.values].filter(([name]) => names.length === 0 || names.includes(name)).map(([name, value]) => ({ name, value, type: "float64" }));
    server.on("getParameters", ({ parameterNames, id }, socket) => server.publishParameterValues(named(parameterNames) as never, id, socket));
    server.on("setParameters", ({ parameters, id }, socket) => {
      for (const { name, value } of parameters) this.values.set(name, value as number);
      server.publishParameterValues(named(parameters.map(({ name }) => name)) as never, id, socket);
      server.updateParameterValues(parameters);
    });
    server.on("fetchAsset", ({ uri, requestId }, socket) => server.sendFetchAssetResponse(uri === "package://x/a.stl" ? { op: 4, requestId, status: 0, data: view(new Uint8Array([1, 2])) } as never : { op: 4, requestId, status: 1, error: "no such file" } as never, socket));
  }
  async port() {
    await until("the server listens", () => this.sockets.address() !== null);
    return (this.sockets.address() as { port: number }).port;
  }
  /// Gone, with all its connections.
  close() {
    for (const client of this.sockets.clients) client.terminate();
    this.sockets.close();
  }
}

for (const old of [false, true])
  test(`another server of the protocol${old ? ", of the older kind" : ""}: seen, asked, commanded, gone and come again`, async () => {
    let other = new Other(0, old);
    const port = await other.port(), connection = new Connection(`ws://127.0.0.1:${port}/`);
    try {
      const heard: string[] = [], changes: Parameter[][] = [];
      const end = connection.watch("/chatter", ({ data }) => heard.push(data));
      const endOfChanges = connection.watchParameters((parameters) => changes.push(parameters));
      connection.open();
      await until("subscribed", () => other.watched === 1);
      assert.ok(connection.connected && connection.mayCommand && !connection.match);
      other.server.sendMessage(other.chatter, 1n, cdr(kText, { data: "one" }));
      other.server.broadcastTime(5_000_000_000n);
      await until("a message and the time", () => heard.length === 1 && connection.now === 5000);

      assert.deepEqual(await connection.call("/ask", { name: "page", number: 7 }), { success: true, message: "hello page" });
      await assert.rejects(connection.call("/ask", { name: "nobody", number: 7 }), /nobody is there/);
      await assert.rejects(connection.call("/nowhere", {}), /not there/);

      assert.equal((await connection.parameters()).length, 2);
      assert.deepEqual(await connection.setParameter({ name: "/walking.speed", value: 0.3, type: "float64" }), [{ name: "/walking.speed", value: 0.3, type: "float64" }]);
      other.server.updateParameterValues([{ name: "/walking.lift", value: 0.05, type: "float64" }]); // somebody else's
      await until("a change that somebody else made", () => changes.some((list) => list.some(({ name, value }) => name === "/walking.lift" && value === 0.05)));

      assert.deepEqual([...(await connection.asset("package://x/a.stl"))], [1, 2]);
      await assert.rejects(connection.asset("package://x/b.stl"), /no such file/);
      connection.publish("/said", "std_msgs/msg/String", kText, { data: "hello" });
      await until("what the page says", () => other.heard.join() === "hello");

      other.close();
      await until("the loss is noticed", () => !connection.connected && !connection.mayCommand && connection.channels.size === 0);
      await assert.rejects(connection.call("/ask", { name: "page", number: 7 }), /not there/);
      other = new Other(port, old);
      await until("subscribed again", () => other.watched === 1);
      other.server.sendMessage(other.chatter, 1n, cdr(kText, { data: "two" }));
      await until("a message again", () => heard.join() === "one,two");
      end();
      endOfChanges();
      await until("nobody looks any more", () => other.watched === 0);
    } finally {
      connection.open = () => {}; // it would try again for ever
      other.close();
    }
  });
