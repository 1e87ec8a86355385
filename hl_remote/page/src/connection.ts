// SPDX-License-Identifier: Apache-2.0
// The Foxglove protocol seen from a page: channels by topic, messages decoded, services and parameters as promises.
import { parse } from "@foxglove/rosmsg";
import { MessageReader, MessageWriter } from "@foxglove/rosmsg2-serialization";
import { Traffic } from "./traffic";
import { packCall, packPublish, unpack } from "./wire";

export type Message = any; // its shape is told by the schema at run time
export interface Channel { id: number; topic: string; schemaName: string; schema: string; encoding: string }
export interface Parameter { name: string; value: any; type?: string }
interface Schema { schema: string }
interface Service { id: number; name: string; type: string; request?: Schema; response?: Schema; requestSchema?: string; responseSchema?: string }
interface Watch { topic: string; listeners: Set<(message: Message) => void>; subscription?: number; reader?: MessageReader; last?: Message }
interface Waiting { resolve: (value: any) => void; reject: (error: Error) => void; reader?: MessageReader; patience: ReturnType<typeof setTimeout> }

const kRetry = 2000, kPatience = 8000; // ms
export const kLongAction = 1200_000; // ms until the result of an action

export class Connection {
  channels = new Map<string, Channel>();
  services = new Map<string, Service>();
  traffic = new Traffic();
  mayCommand = false;
  match = false;
  connected = false;
  now = 0; // ms, the robots' clock if the server tells it
  onChange = () => {}; // connection, channels, services, rights
  onStatus = (_level: number, _text: string, _id?: string) => {};
  onStatusOver = (_id: string) => {};

  private socket?: WebSocket;
  private watches = new Map<string, Watch>();
  private bySubscription = new Map<number, Watch>();
  private nextId = 1;
  private answers = new Map<number | string, Waiting>();
  private published = new Map<string, { id: number; writer: MessageWriter }>();
  private parameterListeners = new Set<(parameters: Parameter[]) => void>();
  private watchedParameters = new Set<string>(); // by name, for servers that do not take "all"

  constructor(private url: string) {}

  open() {
    const socket = new WebSocket(this.url, ["foxglove.websocket.v1", "foxglove.sdk.v1"]);
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => this.take(event.data);
    socket.onclose = () => this.lost();
    this.socket = socket;
  }

  /// Calls `listener` with every message of `topic`, now or when it appears; first with the last one, if somebody else
  /// listens already. The result ends it.
  watch(topic: string, listener: (message: Message) => void): () => void {
    let watch = this.watches.get(topic);
    if (!watch) this.watches.set(topic, (watch = { topic, listeners: new Set() }));
    watch.listeners.add(listener);
    const { last } = watch;
    if (last !== undefined) queueMicrotask(() => watch!.listeners.has(listener) && listener(last));
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

  async call(name: string, request: Message, patience = kPatience): Promise<Message> {
    const service = this.services.get(name);
    if (!service) throw new Error(`${name} is not there`);
    const schema = (half: "request" | "response") => parse(service[half]?.schema ?? service[`${half}Schema`] ?? "", { ros2: true });
    const payload = new MessageWriter(schema("request")).writeMessage(request);
    const call = this.nextId++;
    return this.answer(call, patience, new MessageReader(schema("response")), () => this.raw(packCall(service.id, call, payload), name));
  }

  /// A goal of an action; `result` comes when it has ended. Throws if it is not accepted.
  async act(name: string, goal: Message): Promise<{ result: Promise<Message>; cancel: () => Promise<Message> }> {
    const goal_id = { uuid: crypto.getRandomValues(new Uint8Array(16)) };
    const { accepted } = await this.call(`${name}/_action/send_goal`, { goal_id, goal });
    if (!accepted) throw new Error("the robot does not accept it now");
    return {
      result: this.call(`${name}/_action/get_result`, { goal_id }, kLongAction).then(({ result }) => result),
      cancel: () => this.call(`${name}/_action/cancel_goal`, { goal_info: { goal_id, stamp: { sec: 0, nanosec: 0 } } }),
    };
  }

  parameters(names: string[] = []): Promise<Parameter[]> {
    const id = `get ${this.nextId++}`;
    return this.answer(id, kPatience, undefined, () => this.send({ op: "getParameters", parameterNames: names, id }));
  }
  setParameter(parameter: Parameter): Promise<Parameter[]> {
    const id = `set ${this.nextId++}`;
    return this.answer(id, kPatience, undefined, () => this.send({ op: "setParameters", parameters: [parameter], id }));
  }
  /// Calls `listener` with parameters whoever changed them. The result ends it.
  watchParameters(listener: (parameters: Parameter[]) => void): () => void {
    if (this.parameterListeners.size === 0) this.send({ op: "subscribeParameterUpdates", parameterNames: [] });
    this.parameterListeners.add(listener);
    return () => {
      this.parameterListeners.delete(listener);
      if (this.parameterListeners.size > 0) return;
      for (const parameterNames of [[], [...this.watchedParameters]]) this.send({ op: "unsubscribeParameterUpdates", parameterNames });
      this.watchedParameters.clear();
    };
  }
  private watchNamed(parameters: Parameter[]) {
    const parameterNames = parameters.map(({ name }) => name).filter((name) => !this.watchedParameters.has(name));
    if (this.parameterListeners.size === 0 || parameterNames.length === 0) return;
    for (const name of parameterNames) this.watchedParameters.add(name);
    this.send({ op: "subscribeParameterUpdates", parameterNames });
  }

  async asset(uri: string): Promise<Uint8Array> {
    const request = this.nextId++;
    return this.answer(`asset ${request}`, kPatience, undefined, () => this.send({ op: "fetchAsset", uri, requestId: request }));
  }

  publish(topic: string, schemaName: string, schema: string, message: Message) {
    let channel = this.published.get(topic);
    if (!channel) {
      channel = { id: this.nextId++, writer: new MessageWriter(parse(schema, { ros2: true })) };
      this.published.set(topic, channel);
      this.send({ op: "advertise", channels: [{ id: channel.id, topic, encoding: "cdr", schemaName }] });
    }
    this.raw(packPublish(channel.id, channel.writer.writeMessage(message)), topic);
  }

  private answer(id: number | string, patience: number, reader: MessageReader | undefined, ask: () => void): Promise<any> {
    return new Promise((resolve, reject) => {
      this.answers.set(id, { resolve, reject, reader, patience: setTimeout(() => this.fail(id, "no answer"), patience) });
      ask();
    });
  }
  private settle(id: number | string, give: (waiting: Waiting) => void): boolean {
    const waiting = this.answers.get(id);
    this.answers.delete(id);
    if (!waiting) return false;
    clearTimeout(waiting.patience);
    give(waiting);
    return true;
  }
  private fail(id: number | string, why: string) {
    this.settle(id, ({ reject }) => reject(new Error(why)));
  }

  private send(message: { op: string; [more: string]: unknown }) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    const text = JSON.stringify(message);
    this.traffic.frame(true, text, message.op, Date.now());
    this.socket.send(text);
  }
  private raw(frame: Uint8Array, what: string) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.traffic.frame(true, frame, what, Date.now());
    this.socket.send(frame as Uint8Array<ArrayBuffer>);
  }

  private subscribe(watch: Watch) {
    const channel = this.channels.get(watch.topic);
    if (!channel || watch.subscription !== undefined || channel.encoding !== "cdr") return;
    try {
      watch.reader ??= new MessageReader(parse(channel.schema, { ros2: true }));
    } catch (error) {
      return this.onStatus(1, `${channel.topic} cannot be read: ${(error as Error).message}`);
    }
    watch.subscription = this.nextId++;
    this.bySubscription.set(watch.subscription, watch);
    this.send({ op: "subscribe", subscriptions: [{ id: watch.subscription, channelId: channel.id }] });
  }

  private take(data: string | ArrayBuffer) {
    const now = Date.now();
    if (typeof data !== "string") return this.binary(data, now);
    let message: any;
    try {
      message = JSON.parse(data);
    } catch {
      this.traffic.frame(false, data, "not JSON", now);
      return;
    }
    this.traffic.frame(false, data, message.op, now);
    this.traffic.count("(control)", data.length, now);
    this.text(message);
  }

  private text(message: any) {
    switch (message.op) {
      case "serverInfo":
        this.connected = true;
        this.mayCommand = message.capabilities.includes("clientPublish");
        this.match = message.metadata?.match === "true";
        if (this.parameterListeners.size > 0) this.send({ op: "subscribeParameterUpdates", parameterNames: [] });
        return this.onChange();
      case "advertise":
        for (const channel of message.channels) this.channels.set(channel.topic, channel);
        for (const watch of this.watches.values()) this.subscribe(watch);
        return this.onChange();
      case "unadvertise":
        for (const [topic, channel] of this.channels) if (message.channelIds.includes(channel.id)) this.forget(topic);
        return this.onChange();
      case "advertiseServices":
        for (const service of message.services) this.services.set(service.name, service);
        return this.onChange();
      case "unadvertiseServices":
        for (const [name, service] of this.services) if (message.serviceIds.includes(service.id)) this.services.delete(name);
        return this.onChange();
      case "parameterValues":
        this.watchNamed(message.parameters);
        if (!this.settle(message.id, ({ resolve }) => resolve(message.parameters)))
          for (const listener of this.parameterListeners) listener(message.parameters);
        return;
      case "serviceCallFailure":
        return this.fail(message.callId, message.message);
      case "status":
        return this.onStatus(message.level, message.message, message.id);
      case "removeStatus":
        for (const id of message.statusIds) this.onStatusOver(id);
    }
  }

  private binary(data: ArrayBuffer, now: number) {
    const frame = unpack(data);
    const watch = frame.kind === "message" ? this.bySubscription.get(frame.subscription) : undefined;
    const what = watch?.topic ?? `(${frame.kind})`;
    this.traffic.frame(false, data, what, now);
    this.traffic.count(what, data.byteLength, now);
    try {
      if (frame.kind === "message") {
        if (!watch?.reader) return;
        const message = (watch.last = watch.reader.readMessage(frame.payload));
        for (const listener of watch.listeners) listener(message);
      } else if (frame.kind === "time") {
        this.now = frame.ms;
      } else if (frame.kind === "response") {
        this.settle(frame.call, ({ resolve, reader }) => resolve(reader?.readMessage(frame.payload)));
      } else if (frame.kind === "asset") {
        this.settle(`asset ${frame.request}`, ({ resolve, reject }) => (frame.error ? reject(new Error(frame.error)) : resolve(frame.payload)));
      }
    } catch (error) {
      this.onStatus(1, `${what}: ${(error as Error).message}`);
    }
  }

  private forget(topic: string) {
    this.channels.delete(topic);
    const watch = this.watches.get(topic);
    if (watch?.subscription === undefined) return;
    this.bySubscription.delete(watch.subscription);
    watch.subscription = watch.reader = watch.last = undefined;
  }

  private lost() {
    this.connected = this.mayCommand = false;
    for (const topic of [...this.channels.keys()]) this.forget(topic);
    this.services.clear();
    this.published.clear();
    this.watchedParameters.clear();
    for (const id of [...this.answers.keys()]) this.fail(id, "the connection was lost");
    this.onChange();
    setTimeout(() => this.open(), kRetry);
  }
}
