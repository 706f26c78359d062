import type { Host } from "../port/host.ts";
import { acme as hook } from "./hook.ts";

/** Everything about Acme, a host that exists only in the test that adds it. */
export const acme: Host = {
  hook,
  installer: async () => (await import("./installer.ts")).acmeInstaller,
  history: async () => (await import("./reader.ts")).acmeReader,
};
