import { setV8Flags } from "../base/v8-flags.ts";
import type { ServedWeb, ServeWebOptions, ServingWorld } from "../setup/registries.ts";
import { failure, recordHealth } from "../store/health.ts";
import { findHome } from "../store/home.ts";

/** The process of `continuo web`. Ends only on request: Ctrl-C, or when the terminal is closed. */
export async function webMain(world: ServingWorld, options: ServeWebOptions): Promise<ServedWeb> {
  process.umask(0o077);
  // Imported separately, so that no other command loads the server's code.
  const { serveWeb } = await import("../web/server/serve.ts");
  const served = await serveWeb(world, options);
  if (served.isNew) {
    endOnSignal(served);
    recordSurprises(served, world);
    // The process mostly waits. Without these flags, lists of thousands of sessions would make V8 grow its young
    // generation and keep it.
    setV8Flags("--semi-space-growth-factor=1", "--optimize-for-size");
  }
  return served;
}

/** If something does not close within this time, the process ends anyway. */
const CLOSE_MS = 700;

function endOnSignal(served: ServedWeb): void {
  const end = (): void => {
    setTimeout(() => process.exit(0), CLOSE_MS).unref();
    served.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
}

/** A failed request must not end the others. After an uncaught exception the state is unknown, so the process ends. */
function recordSurprises(served: ServedWeb, { env, now }: ServingWorld): void {
  const record = (error: unknown): void =>
    void recordHealth(findHome(env).logs, failure("web", error, now()));
  process.on("unhandledRejection", record);
  process.once("uncaughtException", (error) => {
    record(error);
    setTimeout(() => process.exit(1), CLOSE_MS).unref();
    void served.close().finally(() => process.exit(1));
  });
}
