// SPDX-License-Identifier: Apache-2.0
// The Foxglove protocol seen from a page: channels by topic, messages decoded, services and parameters as promises.
import { parse } from "@foxglove/rosmsg";
import { MessageReader, MessageWriter } from "@foxglove/rosmsg2-serialization";

export type Message = any; // its shape is told by the schema at run time
export interface Channel { id: number; topic: string; schemaName: string; schema: string; encoding: string }
export interface Parameter { name: string; value: any; type?: string }
interface Service { id: number; name: string; type: string; request: { schema: string }; response: { schema: string } }
interface Watch { topic: string; listeners: Set<(message: Message) => void>; subscription?: number; reader?: MessageReader }

const kRetry = 2000; // ms

export class Connection {
  channels = new Map<string, Channel>();
  services = new Map<string, Service>();
  mayCommand = false;
  match = false;
  connected = false;
  now = 0; // ms, the robots' clock if the server tells it
  received = 0; // bytes
  onChange = () => {}; // connection, channels, services, rights
  onStatus = (_level: number, _text: string) => {};
  onParameters = (_parameters: Parameter[]) => {};

  private socket?: WebSocket;
  private watches = new Map<string, Watch>();
  private bySubscription = new Map<number, Watch>();
  private nextId = 1;
  private answers = new Map<number | string, { resolve: (value: any) => void; reject: (error: Error) => void; reader?: MessageReader }>();
  private published = new Map<string, { id: number; writer: MessageWriter }>();

  constructor(private url: string) {}

  open() {
    const socket = new WebSocket(this.url, ["foxglove.websocket.v1", "foxglove.sdk.v1"]);
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => (typeof event.data === "string" ? this.text(JSON.parse(event.data)) : this.binary(event.data));
    socket.onclose = () => this.lost();
    this.socket = socket;
  }

  /// Calls `listener` with every message of `topic`, now or when it appears. The result ends it.
  watch(topic: string, listener: (message: Message) => void): () => void {
    let watch = this.watches.get(topic);
    if (!watch) this.watches.set(topic, (watch = { topic, listeners: new Set() }));
    watch.listeners.add(listener);
    this.subscribe(watch);
    return () => {
      watch!.listeners.delete(listener);
      if (watch!.listeners.size > 0) return;
      this.watches.delete(topic);
      if (watch!.subscription === undefined) return;
      this.bySubscription.delete(watch!.subscription);
      this.send({ op: "unsubscribe", subscriptionIds: [watch!.subscription] });
    };
  }

  async call(name: string, request: Message): Promise<Message> {
    const service = this.services.get(name);
    if (!service) throw new Error(`${name} is not there`);
    const payload = new MessageWriter(parse(service.request.schema, { ros2: true })).writeMessage(request);
    const call = this.nextId++;
    const frame = new Uint8Array(16 + payload.byteLength);
    const view = new DataView(frame.buffer);
    view.setUint8(0, 2);
    view.setUint32(1, service.id, true);
    view.setUint32(5, call, true);
    view.setUint32(9, 3, true);
    frame.set(new TextEncoder().encode("cdr"), 13);
    frame.set(payload, 16);
    const reader = new MessageReader(parse(service.response.schema, { ros2: true }));
    return this.answer(call, reader, () => this.socket?.send(frame));
  }

  parameters(names: string[] = []): Promise<Parameter[]> {
    const id = `get ${this.nextId++}`;
    return this.answer(id, undefined, () => this.send({ op: "getParameters", parameterNames: names, id }));
  }

  setParameter(parameter: Parameter): Promise<Parameter[]> {
    const id = `set ${this.nextId++}`;
    return this.answer(id, undefined, () => this.send({ op: "setParameters", parameters: [parameter], id }));
  }

  /// `like`: a topic of the same type, whose schema is known.
  publish(topic: string, schemaName: string, schema: string, message: Message) {
    let channel = this.published.get(topic);
    if (!channel) {
      channel = { id: this.nextId++, writer: new MessageWriter(parse(schema, { ros2: true })) };
      this.published.set(topic, channel);
      this.send({ op: "advertise", channels: [{ id: channel.id, topic, encoding: "cdr", schemaName }] });
    }
    const payload = channel.writer.writeMessage(message);
    const frame = new Uint8Array(5 + payload.byteLength);
    new DataView(frame.buffer).setUint8(0, 1);
    new DataView(frame.buffer).setUint32(1, channel.id, true);
    frame.set(payload, 5);
    this.socket?.send(frame);
  }

  private answer(id: number | string, reader: MessageReader | undefined, ask: () => void): Promise<any> {
    return new Promise((resolve, reject) => {
      this.answers.set(id, { resolve, reject, reader });
      setTimeout(() => this.fail(id, "no answer"), 8000);
      ask();
    });
  }

  private fail(id: number | string, why: string) {
    this.answers.get(id)?.reject(new Error(why));
    this.answers.delete(id);
  }

  private send(message: object) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private subscribe(watch: Watch) {
    const channel = this.channels.get(watch.topic);
    if (!channel || watch.subscription !== undefined || channel.encoding !== "cdr") return;
    watch.reader ??= new MessageReader(parse(channel.schema, { ros2: true }));
    watch.subscription = this.nextId++;
    this.bySubscription.set(watch.subscription, watch);
    this.send({ op: "subscribe", subscriptions: [{ id: watch.subscription, channelId: channel.id }] });
  }

  private text(message: any) {
    switch (message.op) {
      case "serverInfo":
        this.connected = true;
        this.mayCommand = message.capabilities.includes("clientPublish");
        this.match = message.metadata?.match === "true";
        this.onChange();
        break;
      case "advertise":
        for (const channel of message.channels) this.channels.set(channel.topic, channel);
        for (const watch of this.watches.values()) this.subscribe(watch);
        this.onChange();
        break;
      case "unadvertise":
        for (const [topic, channel] of this.channels) if (message.channelIds.includes(channel.id)) this.forget(topic);
        this.onChange();
        break;
      case "advertiseServices":
        for (const service of message.services) this.services.set(service.name, service);
        this.onChange();
        break;
      case "unadvertiseServices":
        for (const [name, service] of this.services) if (message.serviceIds.includes(service.id)) this.services.delete(name);
        this.onChange();
        break;
      case "parameterValues": {
        const waiting = this.answers.get(message.id);
        this.answers.delete(message.id);
        waiting?.resolve(message.parameters);
        if (!waiting) this.onParameters(message.parameters);
        break;
      }
      case "serviceCallFailure":
        this.fail(message.callId, message.message);
        break;
      case "status":
        this.onStatus(message.level, message.message);
        break;
    }
  }

  private binary(data: ArrayBuffer) {
    this.received += data.byteLength;
    const view = new DataView(data);
    const op = view.getUint8(0);
    if (op === 1) {
      const watch = this.bySubscription.get(view.getUint32(1, true));
      if (!watch?.reader) return;
      const message = watch.reader.readMessage(new Uint8Array(data, 13));
      for (const listener of watch.listeners) listener(message);
    } else if (op === 2) {
      this.now = Number(view.getBigUint64(1, true) / 1000000n);
    } else if (op === 3) {
      const call = view.getUint32(5, true);
      const start = 13 + view.getUint32(9, true);
      const waiting = this.answers.get(call);
      this.answers.delete(call);
      waiting?.resolve(waiting.reader?.readMessage(new Uint8Array(data, start)));
    }
  }

  private forget(topic: string) {
    this.channels.delete(topic);
    const watch = this.watches.get(topic);
    if (watch?.subscription === undefined) return;
    this.bySubscription.delete(watch.subscription);
    watch.subscription = undefined;
    watch.reader = undefined;
  }

  private lost() {
    this.connected = this.mayCommand = false;
    for (const topic of [...this.channels.keys()]) this.forget(topic);
    this.services.clear();
    this.published.clear();
    for (const id of [...this.answers.keys()]) this.fail(id, "the connection was lost");
    this.onChange();
    setTimeout(() => this.open(), kRetry);
  }
}
