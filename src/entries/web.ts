import type { ServedWeb, ServeWebOptions, ServingWorld } from "../cli/registries.ts";

/** The process of `continuo web`. Ends by itself only when it is asked to: Ctrl-C, or the terminal is closed. */
export async function webMain(world: ServingWorld, options: ServeWebOptions): Promise<ServedWeb> {
  process.umask(0o077);
  // Apart, so that no other command reads the server's code.
  const { serveWeb } = await import("../web/server/serve.ts");
  const served = await serveWeb(world, options);
  if (served.isNew) endOnSignal(served);
  return served;
}

/** Something that does not close in time must not keep the process. */
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
