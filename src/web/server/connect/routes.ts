import * as v from "valibot";
import { ContinuoError } from "../../../base/errors.ts";
import type { Installer } from "../../../hosts/port/installer.ts";
import type { ConnectList } from "../../api/connect.ts";
import { readBody, text } from "../requests.ts";
import type { Area, Web } from "../web.ts";
import { apply, preview } from "./edits.ts";
import { hostRows } from "./hosts.ts";
import { createImporter } from "./import.ts";

const ACTION = v.picklist(["connect", "disconnect"]);
const PREVIEW = v.strictObject({ action: ACTION });
const APPLY = v.strictObject({ action: ACTION, plan: text(64) });

export const connect: Area = {
  name: "connect",
  routes(app, web) {
    const importer = createImporter(web);
    app.get("/api/connect", async (c) => {
      const list: ConnectList = { hosts: await hostRows(web), sessions: await importer.state() };
      return c.json(list);
    });
    app.post("/api/connect/import", async (c) => {
      importer.start();
      return c.json(await importer.state());
    });
    app.post("/api/connect/:host/preview", async (c) => {
      const { action } = await readBody(c, PREVIEW);
      return c.json(await preview(web, await installerOf(web, c.req.param("host")), action));
    });
    app.post("/api/connect/:host/apply", async (c) => {
      const { action, plan } = await readBody(c, APPLY);
      const applied = await apply(web, await installerOf(web, c.req.param("host")), action, plan);
      web.publish({ type: "connect" });
      return c.json(applied);
    });
  },
};

async function installerOf(web: Web, host: string): Promise<Installer> {
  const found = (await web.installers()).find((one) => one.host === host);
  if (found !== undefined) return found;
  throw new ContinuoError("unknown-host", "there is no such agent", { hint: "see GET /api/connect" });
}
