// SPDX-License-Identifier: Apache-2.0
import { Connection, Message } from "./connection";
import { element } from "./dom";
import { Robot, Robots } from "./robots";

/// One box of the page. It watches topics only while it is shown, and draws at most once per animation frame.
export abstract class Panel {
  readonly box: HTMLElement;
  protected readonly body = element("div");
  private ends: (() => void)[] = [];
  private due = false;

  constructor(title: string, protected connection: Connection, protected robots: Robots, wide = false) {
    this.box = element("section", { class: wide ? "wide" : "", "aria-label": title }, element("h2", {}, title), this.body);
  }

  /// Shown for the robot selected now.
  show() {
    this.hide();
    const robot = this.robots.selected;
    if (robot) this.start(robot);
    this.refresh();
  }
  hide() {
    for (const end of this.ends) end();
    this.ends = [];
  }
  refresh() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.draw();
    });
  }

  protected watch(topic: string, take: (message: Message) => void) {
    this.ends.push(this.connection.watch(topic, (message) => {
      take(message);
      this.refresh();
    }));
  }
  protected ended(end: () => void) {
    this.ends.push(end);
  }

  protected abstract start(robot: Robot): void;
  protected abstract draw(): void;
}
