import type { Wiring } from "../../src/hosts/port/installer.ts";

/** What installers write into a host's settings, with nothing that is optional. */
export const WIRING: Wiring = {
  runtime: "/opt/node/bin/node",
  script: "/opt/continuo/dist/continuo.cjs",
  answered: new Set(),
  guards: false,
};
