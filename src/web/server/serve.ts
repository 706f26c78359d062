import { join } from "node:path";
import { describeError } from "../../base/errors.ts";
import type { ServedWeb, ServeWebOptions } from "../../setup/registries.ts";
import { withLock } from "../../store/lock.ts";
import { AREAS } from "./areas.ts";
import { newSecret } from "./control.ts";
import { createWeb } from "./create-web.ts";
import { ANSWER_MS, askForLink, readMark, removeMark, writeMark } from "./first-server.ts";
import { indexCommand } from "./follow/index-keeper.ts";
import { readKeptAccess } from "./kept-access.ts";
import { startServer } from "./server.ts";
import type { WebWorld } from "./web.ts";

/** Longer than asking the first server takes. */
const LOCK_MS = ANSWER_MS + 8000;

/** Serves the page until it is closed, or finds this home's server if one is already running. */
export async function serveWeb(world: WebWorld, options: ServeWebOptions): Promise<ServedWeb> {
  const web = createWeb(world);
  let served: ServedWeb | undefined;
  const serve = async (): Promise<ServedWeb> => {
    served = await firstOrNew(web, options);
    return served;
  };
  try {
    return await withLock(join(web.home.locks, "web"), serve, { waitMs: LOCK_MS });
  } catch (error) {
    if (served !== undefined) return served; // only the lock failed
    // If the home cannot be written, the page still works, but a second server does not find it.
    if (UNWRITABLE.test(describeError(error).code)) return serve();
    await web.close();
    throw error;
  }
}

const UNWRITABLE = /^(?:folder-unwritable|EROFS|EACCES|EPERM|ENOSPC|EDQUOT|ENOTDIR)$/;

async function firstOrNew(web: ReturnType<typeof createWeb>, { port }: ServeWebOptions): Promise<ServedWeb> {
  const first = readMark(web.home);
  const link = first === undefined ? undefined : await askForLink(first);
  if (first !== undefined && link !== undefined) {
    await web.close();
    return { url: link, port: first.port, pid: first.pid, isNew: false, close: async () => undefined };
  }
  const secret = newSecret();
  const index = indexCommand(web.packageRoot);
  const start = (at: number) =>
    startServer(web, {
      port: at,
      areas: AREAS,
      secret,
      indexCommand: index,
    });
  // On the previous server's port, so that an open page finds this one.
  const last = readKeptAccess(web.home, web.now()).port ?? 0;
  const server = port === 0 && last !== 0 ? await start(last).catch(() => start(0)) : await start(port);
  try {
    writeMark(web.home, { pid: process.pid, port: server.port, secret });
  } catch (error) {
    web.report("web-mark", describeError(error).message);
  }
  return {
    url: server.link(),
    port: server.port,
    pid: process.pid,
    isNew: true,
    async close() {
      removeMark(web.home, secret);
      await server.close();
      await web.close();
    },
  };
}
