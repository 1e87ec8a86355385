// SPDX-License-Identifier: Apache-2.0
// An independent client of the protocol against a running bridge: node protocol.mjs ADDRESS TOKEN
// It must find /chatter (std_msgs/String, "hello"), decode it, miss nothing of /burst (rcl_interfaces/Log, lines 0 to 49 at
// once), and see what may and may not be done.
import protocol from "@foxglove/ws-protocol";
import rosmsg from "@foxglove/rosmsg";
import serialization from "@foxglove/rosmsg2-serialization";
import assert from "node:assert/strict";
import WebSocket from "ws";
import { Peer } from "./peer.mjs";

const { FoxgloveClient } = protocol;
const { parse } = rosmsg;
const { MessageReader, MessageWriter } = serialization;
const [address, token] = process.argv.slice(2);
const open = (query) => new FoxgloveClient({ ws: new WebSocket(`${address}${query}`, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });
const once = (client, event, fits = () => true) => new Promise((resolve) => client.on(event, (value) => fits(value) && resolve(value)));

const looker = open("");
const info = once(looker, "serverInfo");
const logs = once(looker, "advertise", (channels) => channels.some((c) => c.topic === "/burst"));
const chatter = once(looker, "advertise", (channels) => channels.some((c) => c.topic === "/chatter"));
assert.ok(!(await info).capabilities.includes("clientPublish"), "without a token nobody may publish");
const channel = (await chatter).find((c) => c.topic === "/chatter");
assert.equal(channel.schemaName, "std_msgs/msg/String");
const reader = new MessageReader(parse(channel.schema, { ros2: true }));
const message = once(looker, "message");
looker.subscribe(channel.id);
assert.equal(reader.readMessage(new Uint8Array((await message).data.buffer, (await message).data.byteOffset)).data, "hello");

const burst = (await logs).find((c) => c.topic === "/burst"), logReader = new MessageReader(parse(burst.schema, { ros2: true }));
const all = new Promise((resolve) => {
  let lines = [];
  const id = looker.subscribe(burst.id);
  looker.on("message", ({ subscriptionId, data }) => {
    if (subscriptionId !== id) return;
    const { line } = logReader.readMessage(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    lines = line === 0 ? [0] : [...lines, line];
    if (line === 49 && lines[0] === 0) resolve(lines);
  });
});
assert.equal((await all).length, 50, "every line of a burst comes");

const graph = once(looker, "connectionGraphUpdate");
looker.subscribeConnectionGraph();
assert.ok((await graph).publishedTopics.some((t) => t.name === "/chatter"));

const refusal = once(looker, "status", (s) => s.message.includes("token"));
looker.setParameters([{ name: "/talker.anything", value: 1 }], "refused");
await refusal;

// Names of nodes that nobody has, or nobody can have, are no questions to anybody.
const none = once(looker, "parameterValues", (v) => v.id === "none");
looker.getParameters(["/nobody.x", "/not a name!.x", "x", ".", "/bad//name.y"], "none");
assert.deepEqual((await none).parameters, []);

// What only tells something is free, e.g. the ranges of parameters.
const reading = new Peer(new URL(address).host, "");
const { descriptors } = await reading.call("/talker/describe_parameters", { names: ["word"] });
assert.equal(descriptors[0].name, "word");

const commander = open(`?token=${token}`);
assert.ok((await once(commander, "serverInfo")).capabilities.includes("clientPublish"));
const values = once(commander, "parameterValues", (v) => v.id === "all");
commander.getParameters([], "all");
assert.ok((await values).parameters.some((p) => p.name === "/talker.word"));
const refused = once(commander, "status", (s) => s.message.includes("there is no such node"));
commander.setParameters([{ name: "/not a name!.x", value: 1 }], "refused");
await refused;
const set = once(commander, "parameterValues", (v) => v.id === "set");
commander.setParameters([{ name: "/talker.word", value: "changed" }], "set");
assert.deepEqual((await set).parameters, [{ name: "/talker.word", value: "changed" }]);

// More topics than the bridge keeps publishers for: some go, and the bridge lives.
const kTopics = 250, word = new MessageWriter(parse(channel.schema, { ros2: true })).writeMessage({ data: "spoken" });
const last = once(looker, "advertise", (channels) => channels.some((c) => c.topic === "/spoken/t000"));
for (let i = kTopics - 1; i >= 0; --i)
  commander.sendMessage(commander.advertise({ topic: `/spoken/t${String(i).padStart(3, "0")}`, encoding: "cdr", schemaName: "std_msgs/msg/String" }), word);
await last;
const alive = once(commander, "parameterValues", (v) => v.id === "alive");
commander.getParameters(["/talker.word"], "alive");
assert.deepEqual((await alive).parameters, [{ name: "/talker.word", value: "changed" }]);
console.log("protocol: all well");
process.exit(0);
