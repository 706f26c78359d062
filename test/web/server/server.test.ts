import { expect, it } from "vitest";
import { startTestWeb, webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";

it("signs in by a link once and then answers with a cookie", async () => {
  const served = await startTestWeb(webWorld(temporaryWorld()));
  const asked = await served.fetch("/api/nothing");
  expect(asked.status).toBe(404);
  expect((await fetch(`${served.url}/api/nothing`)).status).toBe(401);
});
