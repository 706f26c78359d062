import * as v from "valibot";
import { weeksUntil } from "../../../sources/week.ts";
import type { Overview, PaletteHit, Weeks } from "../../api/overview.ts";
import { hostRows } from "../connect/hosts.ts";
import { readQuery, text } from "../requests.ts";
import type { Area } from "../web.ts";
import { sessionsNow } from "./active.ts";
import { onceInAWhile } from "./once-in-a-while.ts";
import { createPalette } from "./palette.ts";
import { createWaiting } from "./waiting.ts";

const PALETTE = v.strictObject({ q: text(200) });
const CONNECTED_MS = 30_000;
/** It needs two weeks of the ledger, to which agents write all the time. */
const WEEKS_MS = 30_000;

export const overview: Area = {
  name: "overview",
  routes(app, web) {
    const waiting = createWaiting(web);
    const palette = createPalette(web);
    const isConnected = onceInAWhile(
      web,
      CONNECTED_MS,
      ({ type }) => type === "connect",
      async () =>
        (await hostRows(web)).some(
          ({ state, files }) => state === "connected" || (state === "problem" && files.length > 0),
        ),
    );
    const weeks = onceInAWhile(
      web,
      WEEKS_MS,
      () => false,
      () => weeksUntil(web.home, web.now()),
    );
    app.get("/api/overview", async (c) => {
      const answer: Overview = {
        ...(await sessionsNow(web)),
        waiting: await waiting(),
        isConnected: await isConnected(),
      };
      return c.json(answer);
    });
    app.get("/api/weeks", async (c) => {
      const answer: Weeks = await weeks();
      return c.json(answer);
    });
    app.get("/api/palette", async (c) => {
      const { q } = readQuery(c, PALETTE);
      const answer: { readonly hits: readonly PaletteHit[] } = { hits: await palette(q) };
      return c.json(answer);
    });
  },
};
