// SPDX-License-Identifier: Apache-2.0
// Somebody else at the bridge: npm's implementation of the protocol, with services and messages as promises.
import protocol from "@foxglove/ws-protocol";
import rosmsg from "@foxglove/rosmsg";
import serialization from "@foxglove/rosmsg2-serialization";
import WebSocket from "ws";

const { FoxgloveClient } = protocol;
const kPatience = 60_000; // ms

export class Peer {
  services = new Map();
  channels = new Map();
  calls = new Map();
  next = 1;

  constructor(address, token) {
    this.client = new FoxgloveClient({ ws: new WebSocket(`ws://${address}/${token ? `?token=${token}` : ""}`, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });
    this.client.on("advertise", (channels) => channels.forEach((channel) => this.channels.set(channel.topic, channel)));
    this.client.on("advertiseServices", (services) => services.forEach((service) => this.services.set(service.name, service)));
    this.client.on("serviceCallResponse", ({ callId, data }) => this.settle(callId, ({ resolve, schema }) => resolve(read(schema, data))));
    this.client.on("serviceCallFailure", ({ callId, message }) => this.settle(callId, ({ reject }) => reject(new Error(message))));
    this.client.on("parameterValues", ({ parameters, id }) => this.settle(id, ({ resolve }) => resolve(parameters)));
    this.info = new Promise((resolve) => this.client.on("serverInfo", resolve));
  }
  ready() {
    return this.info;
  }
  close() {
    this.client.close();
  }
  settle(id, give) {
    const waiting = this.calls.get(id);
    this.calls.delete(id);
    if (waiting) give(waiting);
  }
  wait(id, schema) {
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject, schema });
      setTimeout(() => this.settle(id, () => reject(new Error("no answer"))), kPatience).unref();
    });
  }

  async call(name, request) {
    for (const end = Date.now() + kPatience; !this.services.has(name); await new Promise((resolve) => setTimeout(resolve, 100)))
      if (Date.now() > end) throw new Error(`${name} is not there`);
    const service = this.services.get(name), callId = this.next++;
    const writer = new serialization.MessageWriter(rosmsg.parse(service.request.schema, { ros2: true }));
    const answer = this.wait(callId, service.response.schema), data = writer.writeMessage(request);
    this.client.sendServiceCallRequest({ serviceId: service.id, callId, encoding: "cdr", data: new DataView(data.buffer, data.byteOffset, data.byteLength) });
    return answer;
  }
  parameters(names) {
    const id = `get ${this.next++}`, answer = this.wait(id);
    this.client.getParameters(names, id);
    return answer;
  }
  setParameter(parameter) {
    const id = `set ${this.next++}`, answer = this.wait(id);
    this.client.setParameters([parameter], id);
    return answer;
  }

  /// The next message of a topic.
  message(topic) {
    const channel = this.channels.get(topic);
    if (!channel) return Promise.reject(new Error(`${topic} is not there`));
    return new Promise((resolve) => {
      const id = this.client.subscribe(channel.id);
      const take = ({ subscriptionId, data }) => {
        if (subscriptionId !== id) return;
        this.client.off("message", take);
        this.client.unsubscribe(id);
        resolve(read(channel.schema, data));
      };
      this.client.on("message", take);
    });
  }
  async joint(topic, name) {
    const message = await this.message(topic);
    return message.position[message.name.indexOf(name)];
  }
}

function read(schema, data) {
  return new serialization.MessageReader(rosmsg.parse(schema, { ros2: true })).readMessage(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}
