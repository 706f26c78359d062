import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { metaFile } from "../../../src/sources/context/metadata.ts";
import { homeAt } from "../../../src/store/home.ts";
import { openWeb } from "../../support/browser.ts";
import { ROOT } from "../../support/child.ts";
import { demoWorld } from "../../support/demo/world.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryFolder, write } from "../../support/world.ts";

/** The demonstration's machine with a server, for tests of card and applets. */
export async function appletsWorld(applets: Record<string, string> = {}) {
  const demo = await demoWorld(realpathSync(temporaryFolder("applets")), Date.now());
  const home = homeAt(demo.env["CONTINUO_HOME"] ?? "");
  write(join(home.root, "applets"), applets);
  const web = await openWeb(webWorld(demo));
  const { session } = demo;
  return {
    ...demo,
    home,
    web,
    at: (name: string) => join(demo.root, name),
    /** The session's page. */
    page: `/sessions/${session.host}/${session.id}`,
    /** The address of an applet beside the session. */
    address: (slug: string, parameters: Record<string, string> = {}) =>
      `/?${new URLSearchParams({ session: `${session.host}/${session.id}`, applet: slug, ...parameters })}`,
    /** The session's sets as they are stored. */
    sets: () => metaFile(home, demo.env["HOME"], session, { lockWaitMs: 1000 }).read()?.context ?? {},
    /** Another process of the same user changes a set, as an agent's tool does. */
    change: (...args: string[]) =>
      execFileSync(
        process.execPath,
        [join(ROOT, "dist/continuo.cjs"), "sets", ...args, "--session", session.id],
        { cwd: demo.root, env: demo.env },
      ),
  };
}
