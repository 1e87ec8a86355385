// SPDX-License-Identifier: Apache-2.0
import { Connection, Message } from "../connection";
import { element, replace } from "../dom";
import { Panel } from "../panel";
import { Robots } from "../robots";

const kLongest = 20000; // letters of a message that are shown

/// Any topic as text.
export class RawPanel extends Panel {
  private topic = element("select", { "aria-label": "topic" });
  private text = element("pre");
  private message?: Message;

  constructor(connection: Connection, robots: Robots) {
    super("topics", connection, robots, true);
    this.topic.onchange = () => this.show();
    this.body.append(element("div", { class: "bar" }, this.topic), this.text);
  }
  protected start() {
    const chosen = this.topic.value, names = [...this.connection.channels.keys()].sort();
    replace(this.topic, ...names.map((name) => element("option", { value: name }, name)));
    if (names.includes(chosen)) this.topic.value = chosen;
    this.message = undefined;
    if (this.topic.value) this.watch(this.topic.value, (message) => (this.message = message));
  }
  protected draw() {
    replace(this.text, this.message ? JSON.stringify(this.message, short, 1).slice(0, kLongest) : "nothing yet");
  }
}

function short(_name: string, value: unknown) {
  if (typeof value === "bigint") return value.toString();
  if (ArrayBuffer.isView(value)) return Array.from((value as Uint8Array).slice(0, 40));
  return value;
}
