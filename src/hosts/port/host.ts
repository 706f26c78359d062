import type { TranscriptReader } from "../../moments/ports/history.ts";
import type { HookHost } from "./hook-host.ts";
import type { Installer } from "./installer.ts";

/** Everything about one host. What a hook does not need is loaded when it is first used. */
export interface Host {
  /** For a host that runs a command for each event; absent where the host loads Continuo into its own process. */
  readonly hook?: HookHost;
  /** Adds Continuo to the host's settings and takes it out again. */
  readonly installer: () => Promise<Installer>;
  /** Reads the host's past sessions. */
  readonly history: () => Promise<TranscriptReader>;
}
