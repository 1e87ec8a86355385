// SPDX-License-Identifier: Apache-2.0
// Orders that matter are repeated until the robot confirms them; the page shows how far they are.
export type OrderState = "sent" | "confirmed" | "refused" | "given up";

export interface Ordering {
  /// Sends it once. A text: the robot refuses, and why. Throws if there was no answer.
  send(): Promise<string | undefined>;
  /// Does the robot say that it is so?
  confirmed(): boolean;
}

const kPause = 2000; // ms between two tries
const kTries = 10;

export class Order {
  state: OrderState = "sent";
  tries = 0;
  why = "";
  private sentAt = -Infinity;
  private waiting = false;

  /// `onChange` is called whenever what is shown changes.
  constructor(readonly what: string, private ordering: Ordering, private onChange: () => void = () => {}) {}

  get over() {
    return this.state !== "sent";
  }
  get text() {
    const again = this.tries > 1 ? ` (${this.tries} times)` : "";
    return this.state === "sent" ? `sent${again}` : this.state + (this.why ? `: ${this.why}` : "");
  }

  /// Often; `now` in ms.
  async step(now: number): Promise<void> {
    if (this.over) return;
    if (this.tries > 0 && !this.waiting && this.ordering.confirmed()) return this.end("confirmed", "");
    if (this.waiting || now - this.sentAt < kPause) return;
    if (this.tries >= kTries) return this.end("given up", this.why || "the robot does not confirm it");
    ++this.tries;
    this.sentAt = now;
    this.waiting = true;
    this.onChange();
    try {
      const refusal = await this.ordering.send();
      if (refusal !== undefined) return this.end("refused", refusal);
      this.why = "";
    } catch (error) {
      this.why = (error as Error).message; // told if it was the last try
    } finally {
      this.waiting = false;
    }
    if (!this.over && this.why === "" && this.ordering.confirmed()) this.end("confirmed", "");
  }

  private end(state: OrderState, why: string) {
    this.state = state;
    this.why = why;
    this.onChange();
  }
}
