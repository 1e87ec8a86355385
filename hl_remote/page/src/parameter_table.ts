// SPDX-License-Identifier: Apache-2.0
import { Connection, Message, Parameter } from "./connection";
import { button, element, replace } from "./dom";

interface Range { low: number; high: number; step: number }
interface Described { text: string; range?: Range; readOnly: boolean }

const kShown = 300;

/// Parameters of nodes with their ranges and meaning, as they are at every moment. Changed by typing and Enter or by
/// the slider; shown as the node has them afterwards, with its reason if it refuses.
export class ParameterTable {
  readonly box = element("div", { class: "parameters" });
  private nodes: string[] = []; // full names, or a namespace with / at its end
  private values = new Map<string, Parameter>();
  private described = new Map<string, Described>();
  private fields = new Map<string, (value: any) => void>();
  private search = element("input", { type: "search", placeholder: "node or parameter", "aria-label": "search parameters" });
  private said = element("span", { role: "status" });
  private list = element("table");
  private end = () => {};
  private round = 0; // of asking; late answers to an earlier one are ignored

  constructor(private connection: Connection) {
    this.search.oninput = () => this.draw();
    this.box.append(element("div", { class: "bar" }, this.search, button("ask again", () => this.ask()), this.said), element("div", { class: "scroll" }, this.list));
  }

  show(nodes: string[]) {
    this.nodes = nodes;
    this.end();
    this.end = this.connection.watchParameters((changed) => this.take(changed));
    this.ask();
  }
  hide() {
    this.end();
    this.end = () => {};
  }

  private wanted(name: string) {
    return this.nodes.some((node) => name.startsWith(node.endsWith("/") ? node : `${node}.`));
  }

  private async ask() {
    const round = ++this.round;
    this.tell("asking the nodes ...");
    try {
      const all = (await this.connection.parameters()).filter(({ name }) => this.wanted(name));
      if (round !== this.round) return;
      this.values = new Map(all.sort((a, b) => a.name.localeCompare(b.name)).map((parameter) => [parameter.name, parameter]));
      this.tell(`${all.length} parameters`);
      this.draw();
      await this.describe(round);
    } catch (error) {
      this.tell(this.connection.match ? "a match is running: robots are not asked" : (error as Error).message, "bad");
    }
  }

  private async describe(round: number) {
    const byNode = new Map<string, string[]>();
    for (const name of this.values.keys()) {
      const dot = name.indexOf(".");
      byNode.set(name.slice(0, dot), [...(byNode.get(name.slice(0, dot)) ?? []), name.slice(dot + 1)]);
    }
    await Promise.all([...byNode].map(async ([node, names]) => {
      if (!this.connection.services.has(`${node}/describe_parameters`)) return;
      const { descriptors } = await this.connection.call(`${node}/describe_parameters`, { names }).catch(() => ({ descriptors: [] }));
      for (const descriptor of descriptors) this.described.set(`${node}.${descriptor.name}`, description(descriptor));
    }));
    if (round === this.round) this.draw();
  }

  private take(changed: Parameter[]) {
    for (const parameter of changed) {
      if (!this.values.has(parameter.name)) continue;
      this.values.set(parameter.name, parameter);
      this.fields.get(parameter.name)?.(parameter.value);
    }
  }

  draw() {
    const word = this.search.value.toLowerCase();
    const shown = [...this.values.values()].filter(({ name }) => name.toLowerCase().includes(word)).slice(0, kShown);
    this.fields.clear();
    replace(this.list, ...shown.map((parameter) => {
      const described = this.described.get(parameter.name);
      const name = element("th", { title: parameter.name }, this.nodes.length === 1 ? parameter.name.slice(this.nodes[0].length).replace(/^\./, "") : parameter.name);
      const range = described?.range ? `${described.range.low}..${described.range.high}` : "";
      return element("tr", {}, name, element("td", {}, ...this.field(parameter, described)), element("td", { class: "range" }, range), element("td", {}, described?.text ?? ""));
    }));
  }

  private field(parameter: Parameter, described?: Described): HTMLElement[] {
    const { name, value } = parameter;
    const disabled = !this.connection.mayCommand || described?.readOnly === true;
    const offer = (input: HTMLInputElement, read: () => any, write: (value: any) => void) => {
      input.disabled = disabled;
      input.onchange = () => {
        try {
          this.set(name, read());
        } catch {
          this.tell(`${name}: this is no value`, "bad");
          write(this.values.get(name)!.value);
        }
      };
    };
    const input = element("input", { "aria-label": name, size: "12" });
    if (typeof value === "boolean") {
      input.type = "checkbox";
      const write = (now: boolean) => (input.checked = now);
      offer(input, () => input.checked, write);
      this.fields.set(name, write);
      write(value);
      return [input];
    }
    const write = (now: any) => (input.value = typeof now === "string" ? now : JSON.stringify(now) ?? "");
    const read = () => (typeof value === "string" ? input.value : JSON.parse(input.value));
    offer(input, read, write);
    write(value);
    this.fields.set(name, write);
    if (typeof value !== "number" || !described?.range) return [input];
    const { low, high, step } = described.range;
    const slider = element("input", { type: "range", min: `${low}`, max: `${high}`, step: step > 0 ? `${step}` : "any", value: `${value}`, "aria-label": `${name} slider` });
    offer(slider, () => Number(slider.value), () => {});
    this.fields.set(name, (now) => {
      write(now);
      slider.value = `${now}`;
    });
    return [input, slider];
  }

  private async set(name: string, value: any) {
    const before = this.values.get(name)!;
    let why = "";
    const heard = this.connection.onStatus;
    this.connection.onStatus = (level, text, id) => {
      if (text.includes(name)) why = text;
      heard(level, text, id);
    };
    try {
      const [now] = await this.connection.setParameter({ ...before, value });
      this.take([now ?? before]); // the node did not tell
      const taken = JSON.stringify(now?.value) === JSON.stringify(value);
      this.tell(taken ? `${name} is ${JSON.stringify(now.value)}` : why || `${name} stays ${JSON.stringify((now ?? before).value)}`, taken ? "good" : "bad");
    } catch (error) {
      this.tell(`${name}: ${(error as Error).message}`, "bad");
      this.take([before]);
    } finally {
      this.connection.onStatus = heard;
    }
  }

  private tell(text: string, kind = "") {
    this.said.className = kind;
    replace(this.said, text);
  }
}

function description(descriptor: Message): Described {
  const limits = descriptor.floating_point_range[0] ?? descriptor.integer_range[0];
  const range = limits && { low: Number(limits.from_value), high: Number(limits.to_value), step: Number(limits.step) };
  return { text: descriptor.description, range, readOnly: descriptor.read_only };
}
