import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadHistory } from "../../src/hosts/index.ts";
import { openSessions } from "../../src/sources/sessions/library.ts";
import { homeAt } from "../../src/store/home.ts";
import type { Place } from "./indexing.ts";

const history = await loadHistory();

/** A user's home for one measurement, deleted afterwards. */
export async function inHome<T>(use: (home: string, place: Place) => T | Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "continuo-bench-sessions-"));
  const env = { PATH: process.env["PATH"], HOME: home, CONTINUO_HOME: join(home, "continuo") };
  try {
    return await use(home, {
      env,
      open: (options) => openSessions({ home: homeAt(env.CONTINUO_HOME), env, history, ...options }),
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
