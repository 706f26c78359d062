import type { TranscriptReader } from "../../moments/ports/history.ts";
import type { HookHost } from "./hook-host.ts";
import type { Installer } from "./installer.ts";

/** Everything about one host. Code that a hook does not need is loaded on first use. */
export interface Host {
  /** For a host that runs a command for each event; absent if the host loads Continuo into its own process. */
  readonly hook?: HookHost;
  /** Adds Continuo to the host's settings, and removes it. */
  readonly installer: () => Promise<Installer>;
  /** Reads the host's past sessions. */
  readonly history: () => Promise<TranscriptReader>;
}
