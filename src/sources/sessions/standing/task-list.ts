import { isRecord } from "../../../base/json.ts";
import { type DoneCall, redactedStart } from "./steps.ts";

const MOST_TASKS = 60;
const MOST_OF_A_TASK = 200;
const IS_OVER = /^(?:completed|done|cancelled|canceled|deleted)$/;

/** The agent's own list. Agents write it whole with each change (`todos`, `plan`), or one task at a time. */
export class TaskList {
  #tasks = new Map<string, { readonly text: string; readonly isOver: boolean }>();

  take({ tool, input, output }: DoneCall): void {
    const whole = [input["todos"], input["plan"]].find((one) => Array.isArray(one));
    if (Array.isArray(whole)) this.#replace(whole);
    else if (tool === "TaskCreate") this.#create(input, output);
    else if (tool === "TaskUpdate") this.#update(input);
  }

  open(): string[] {
    // Agents repeat the whole list with each change: only what is told is redacted.
    const open = [...this.#tasks.values()].filter(({ isOver }) => !isOver);
    return open.map(({ text }) => redactedStart(text, MOST_OF_A_TASK));
  }

  #replace(all: readonly unknown[]): void {
    this.#tasks = new Map();
    for (const [i, one] of all.slice(0, MOST_TASKS).entries()) {
      if (!isRecord(one)) continue;
      const text = textOf(one["content"] ?? one["step"] ?? one["title"]);
      if (text !== "") this.#tasks.set(`${i}`, { text, isOver: IS_OVER.test(textOf(one["status"])) });
    }
  }

  #create(input: DoneCall["input"], output: string): void {
    const id = /#(\d{1,6})\b/.exec(output)?.[1];
    const text = textOf(input["subject"]);
    if (id !== undefined && text !== "" && this.#tasks.size < MOST_TASKS)
      this.#tasks.set(id, { text, isOver: false });
  }

  #update(input: DoneCall["input"]): void {
    const id = textOf(input["taskId"]);
    const known = this.#tasks.get(id);
    const status = textOf(input["status"]);
    if (known !== undefined && status !== "") this.#tasks.set(id, { ...known, isOver: IS_OVER.test(status) });
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
