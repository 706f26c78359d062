/** The messages between the page and the frame of a user's applet. */

/** To the frame: everything that it gets. */
export interface StateMessage {
  readonly continuo: 1;
  readonly type: "state";
  readonly parameters: Readonly<Record<string, string>>;
  readonly theme: "light" | "dark";
  readonly session: { readonly host: string; readonly id: string } | null;
  /** The context sets of the applet's session. */
  readonly context: Readonly<Record<string, readonly string[]>>;
}

/** From the frame. */
type FrameMessage =
  | { readonly type: "ready" }
  | { readonly type: "set-parameters"; readonly parameters: Readonly<Record<string, string>> };

export const MAX_PARAMETERS = 9;
const MAX_NAME = 64;
const MAX_VALUE = 1000;
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const OF_THE_PAGE: ReadonlySet<unknown> = new Set(["session", "applet", "tab", "turn"]);

/** A message from a frame; undefined for anything that does not have exactly the right form. */
export function frameMessage(data: unknown): FrameMessage | undefined {
  if (!isPlain(data) || data["continuo"] !== 1) return undefined;
  const names = Object.keys(data);
  if (data["type"] === "ready") return names.length === 2 ? { type: "ready" } : undefined;
  if (data["type"] !== "set-parameters" || names.length !== 3) return undefined;
  const parameters = data["parameters"];
  if (!isPlain(parameters)) return undefined;
  const entries = Object.entries(parameters);
  const isRight =
    entries.length <= MAX_PARAMETERS &&
    entries.every(
      ([name, value]) =>
        name.length <= MAX_NAME &&
        NAME.test(name) &&
        !OF_THE_PAGE.has(name) &&
        typeof value === "string" &&
        value.length <= MAX_VALUE &&
        !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(value) &&
        value.isWellFormed(),
    );
  return isRight ? { type: "set-parameters", parameters: parameters as Record<string, string> } : undefined;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** How many messages a frame may send: at once, and per second. */
const BURST = 20;
const PER_SECOND = 5;
/** After this many refused messages in a row, the frame is stopped. */
const TOO_MANY = 500;

interface MessageLimit {
  /** `take`: use it; `drop`: ignore it; `stop`: the frame is flooding the page. */
  next(now: number): "take" | "drop" | "stop";
}

export function messageLimit(): MessageLimit {
  let left = BURST;
  let last: number | undefined;
  let dropped = 0;
  return {
    next(now) {
      left = Math.min(BURST, left + ((now - (last ?? now)) / 1000) * PER_SECOND);
      last = now;
      if (left >= 1) {
        left -= 1;
        dropped = 0;
        return "take";
      }
      dropped += 1;
      return dropped >= TOO_MANY ? "stop" : "drop";
    },
  };
}
