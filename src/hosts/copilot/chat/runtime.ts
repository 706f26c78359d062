import { EventEmitter } from "node:events";
import { pathToFileURL } from "node:url";
import { withDeadline } from "../../../base/deadline.ts";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import type { SdkClient, SdkModule } from "./sdk.ts";

const START_MS = 30_000;
/** How often a runtime is checked for being alive, if its process cannot be watched. */
const ASK_MS = 10_000;
/** A runtime uses about 100 MB, and starts in a third of a second. */
export const IDLE_MS = 10 * 60_000;

export interface RuntimeOptions {
  /** The SDK's file. */
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  readonly usesLogin: boolean;
  readonly idleMs: number;
  readonly onEnd: (why: "idle" | "failed") => void;
  /** Records a failure that does not end the runtime. */
  readonly report: (failure: ContinuoError) => void;
  readonly askMs?: number;
}

/**
 * One process of the SDK's runtime. It ends on `stop`, after nobody has used it for a while, and when its standard
 * input closes.
 */
export interface Runtime {
  readonly client: SdkClient;
  /** Keeps the runtime alive while it is used; returns a function that ends the use. */
  use(): () => void;
  stop(): Promise<void>;
}

export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { entry, env, usesLogin, idleMs, onEnd, report, askMs = ASK_MS } = options;
  const { CopilotClient } = (await import(pathToFileURL(entry).href)) as SdkModule;
  const client = new CopilotClient({ env, useLoggedInUser: usesLogin, logLevel: "error" });
  const late = () => failedStart(`it did not start within ${START_MS / 1000} seconds`);
  try {
    await withDeadline(START_MS, late, () => client.start());
  } catch (error) {
    await client.forceStop().catch(() => undefined); // it may be only half started
    throw failedStart(describeError(error).message);
  }
  let users = 0;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;

  function close(): void {
    hasEnded = true;
    clearTimeout(timer);
    clearInterval(asking);
  }
  function end(why: "idle" | "failed"): void {
    if (hasEnded) return;
    close();
    onEnd(why);
  }
  function waitForIdle(): void {
    clearTimeout(timer);
    if (users > 0 || hasEnded) return;
    timer = setTimeout(() => {
      end("idle");
      void stopClient(client);
    }, idleMs);
    timer.unref();
  }

  // The SDK does not report that its process died; it only refuses the next call.
  let asking: NodeJS.Timeout | undefined;
  const child: unknown = Reflect.get(client, "cliProcess");
  if (child instanceof EventEmitter) child.once("exit", () => end("failed"));
  else {
    report(UNWATCHED);
    asking = setInterval(() => void client.ping().catch(() => end("failed")), askMs).unref();
  }
  waitForIdle();
  return {
    client,
    use() {
      let isOver = false;
      users += 1;
      clearTimeout(timer);
      return () => {
        if (isOver) return;
        isOver = true;
        users -= 1;
        waitForIdle();
      };
    },
    async stop() {
      close();
      await stopClient(client);
    },
  };
}

/** The field is private, so another version may call it something else. */
const UNWATCHED = new ContinuoError(
  "chat-runtime-unwatched",
  "this version of the Copilot SDK does not show its process: Continuo asks it every 10 seconds whether it lives",
  { hint: "Install the version that the chat page names." },
);

/** The SDK waits up to ten seconds for a clean shutdown, which is too long when the server ends. */
const STOP_MS = 3_000;

async function stopClient(client: SdkClient): Promise<void> {
  try {
    await withDeadline(
      STOP_MS,
      () => new Error("late"),
      () => client.stop().then(() => undefined),
    );
  } catch {
    await client.forceStop().catch(() => undefined); // it is already gone
  }
}

function failedStart(why: string): ContinuoError {
  return new ContinuoError("chat-not-started", `the Copilot runtime did not start: ${why.slice(0, 500)}`, {
    hint: "Install the SDK again with the command on the chat page, or see continuo doctor.",
  });
}
