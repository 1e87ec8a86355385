// SPDX-License-Identifier: Apache-2.0
// The grid of joints over keyframes: a row per keyframe, a column per joint, and when it is reached.
import { element, replace } from "../dom";
import { Editing } from "./editing";
import { jointsOf } from "./motion";
import { Finding } from "./recorder";

/// Marks of the columns: what is wrong with a motor, and which are limp.
export interface Marks { joints: string[]; lower: number[]; upper: number[]; wrong: Map<string, string>; limp: Set<string>; findings: Finding[] }

const kTimes = ["duration", "pause"] as const;

export class Grid {
  readonly table = element("table", { class: "motion", "aria-label": "keyframes" });
  first = 0; // selected rows
  last = 0;
  onSelect = () => {};
  onChange = () => {};
  onJoint = (_joint: string) => {}; // a column's head was pressed
  private head: HTMLTableCellElement[] = [];

  constructor(private editing: () => Editing, private marks: () => Marks) {
    this.table.onkeydown = (event) => this.move(event);
  }

  select(row: number, extend = false) {
    const rows = this.editing().motion.keyframes.length;
    const to = Math.max(0, Math.min(row, rows - 1));
    if (!extend) this.first = to;
    this.last = to;
    this.markRows();
    this.onSelect();
  }
  get rows(): [number, number] {
    return this.first <= this.last ? [this.first, this.last] : [this.last, this.first];
  }

  draw() {
    const { motion } = this.editing(), { joints } = this.marks();
    const columns = jointsOf(motion, joints);
    const focus = document.activeElement instanceof HTMLInputElement ? document.activeElement.dataset : undefined;
    const [row, column] = [focus?.row, focus?.column];
    this.head = columns.map((joint) => {
      const cell = element("th", { scope: "col", "data-joint": joint }, element("button", { type: "button" }, joint));
      cell.querySelector("button")!.onclick = () => this.onJoint(joint);
      return cell;
    });
    const header = element("tr", {}, element("th", {}, ""), ...kTimes.map((what) => element("th", {}, element("span", {}, `${what} s`))), ...this.head);
    const rows = motion.keyframes.map((keyframe, index) => {
      const number = element("th", { scope: "row" }, `${index + 1}${keyframe.label ? ` ${keyframe.label}` : ""}`);
      number.onclick = (event) => this.select(index, event.shiftKey);
      const times = kTimes.map((what) => element("td", {}, this.input(index, what, keyframe[what] ?? (what === "pause" ? 0 : undefined))));
      return element("tr", {}, number, ...times, ...columns.map((joint) => element("td", { "data-joint": joint }, this.input(index, joint, keyframe.joints[joint]))));
    });
    replace(this.table, element("thead", {}, header), element("tbody", {}, ...rows));
    if (row !== undefined) this.table.querySelector<HTMLInputElement>(`input[data-row="${row}"][data-column="${column}"]`)?.focus();
    this.markRows();
    this.markCells();
  }

  /// Red where a motor is hot or overloaded, a joint is beyond its limit or the verifier found something.
  markCells() {
    const { joints, lower, upper, wrong, limp, findings } = this.marks();
    for (const cell of this.head) {
      const joint = cell.dataset.joint!, what = wrong.get(joint);
      cell.className = what ? "bad" : limp.has(joint) ? "limp" : "";
      cell.title = what ?? (limp.has(joint) ? "limp: move it by hand; press to make it stiff" : "press to make it limp");
      cell.querySelector("button")!.textContent = joint + (what ? ` (${what})` : limp.has(joint) ? " (limp)" : "");
    }
    for (const cell of this.table.querySelectorAll<HTMLTableCellElement>("td[data-joint]")) {
      const joint = cell.dataset.joint!, input = cell.firstChild as HTMLInputElement;
      const row = Number(input.dataset.row), at = joints.indexOf(joint), value = input.value === "" ? undefined : Number(input.value);
      const beyond = at >= 0 && value !== undefined && (value < lower[at] - 0.05 || value > upper[at] + 0.05);
      const found = findings.find((finding) => finding.keyframe === row && finding.what.includes(joint));
      const what = wrong.get(joint) ?? (beyond ? `beyond ${lower[at].toFixed(0)}..${upper[at].toFixed(0)} degrees` : found ? `${found.kind}: ${found.value.toFixed(2)}, allowed ${found.limit.toFixed(2)} ${found.unit}` : undefined);
      cell.className = what ? "bad" : limp.has(joint) ? "limp" : "";
      cell.title = what ?? "";
    }
  }

  private markRows() {
    const [first, last] = this.rows;
    this.table.querySelectorAll("tbody tr").forEach((row, index) => row.classList.toggle("selected", index >= first && index <= last));
  }

  private input(row: number, column: string, value: number | undefined): HTMLInputElement {
    const result = element("input", { "data-row": `${row}`, "data-column": column, value: value === undefined ? "" : `${Math.round(value * 100) / 100}`, "aria-label": `${column} of keyframe ${row + 1}`, inputmode: "decimal" });
    result.onfocus = () => {
      if (row < this.rows[0] || row > this.rows[1]) this.select(row);
      result.select();
    };
    result.onchange = () => {
      const text = result.value.trim().replace(",", "."), editing = this.editing();
      const time = column === "duration" || column === "pause";
      const taken = time ? editing.setTime(row, column, text === "" ? NaN : Number(text)) : editing.setJoint(row, column, text === "" ? undefined : Number(text));
      if (!taken) {
        result.classList.add("refused");
        result.value = `${(time ? editing.motion.keyframes[row][column] : editing.motion.keyframes[row].joints[column]) ?? ""}`;
        return;
      }
      this.onChange();
    };
    return result;
  }

  /// Arrows and Enter go from cell to cell.
  private move(event: KeyboardEvent) {
    const step = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[event.key];
    const input = event.target as HTMLInputElement;
    if (step === undefined || event.altKey || event.ctrlKey || input.tagName !== "INPUT") return;
    event.preventDefault();
    const { row, column } = input.dataset;
    input.blur(); // takes the value
    this.table.querySelector<HTMLInputElement>(`input[data-row="${Number(row) + step}"][data-column="${column}"]`)?.focus();
  }
}
