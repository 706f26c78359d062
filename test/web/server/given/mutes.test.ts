import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { mutesFile } from "../../../../src/store/mutes.ts";
import type { GivenTimeline } from "../../../../src/web/api/given.ts";
import { given } from "../../../../src/web/server/given/routes.ts";
import { givenWorld } from "../../../support/given-world.ts";
import { json, temporaryWeb } from "../../../support/web.ts";

function place() {
  const made = temporaryWeb({}, [given]);
  const events: string[] = [];
  made.web.subscribe((event) => events.push(event.type));
  return { ...made, events, engine: givenWorld(made) };
}

it("a mute from the page holds at the next start and can be undone", async () => {
  const { app, engine, events, project } = place();
  expect(await engine.start()).toContain("Use tabs");
  const mute = { what: "rules/.continuo/rules/style.md", in: "project", project: project.id };
  const made = await app.request("/api/mutes", json("POST", { ...mute, title: "style.md" }));
  expect(made.status).toBe(200);
  expect(events).toEqual(["rules"]);
  expect(await engine.start("s2")).not.toContain("Use tabs");
  const { mutes } = (await (await app.request("/api/sessions/claude-code/s2/given")).json()) as GivenTimeline;
  expect(mutes).toMatchObject([{ what: mute.what, in: "project", title: "style.md" }]);
  expect(await (await app.request("/api/mutes", json("DELETE", mute))).json()).toEqual({ removed: true });
  expect(await (await app.request("/api/mutes", json("DELETE", mute))).json()).toEqual({ removed: false });
  expect(await engine.start("s3")).toContain("Use tabs");
});

it("what is no source, has no place, or has unknown fields is refused", async () => {
  const { app } = place();
  const refused = [
    { what: "nothing/x", in: "everywhere" },
    { what: "rules", in: "project" },
    { what: "rules", in: "session", host: "pi" },
    { what: "", in: "everywhere" },
    { what: "rules", in: "here" },
    { what: "rules", in: "everywhere", more: 1 },
    { what: `rules/${"x".repeat(3000)}`, in: "everywhere" },
  ];
  for (const body of refused) expect((await app.request("/api/mutes", json("POST", body))).status).toBe(400);
  expect(await (await app.request("/api/mutes")).json()).toEqual({ mutes: [] });
});

it("a damaged file is named, and kept aside by the next mute", async () => {
  const { app, home, engine } = place();
  await engine.start();
  writeFileSync(mutesFile(home), '{"version":1,"mut');
  expect(await (await app.request("/api/mutes")).json()).toMatchObject({
    mutes: [],
    problem: expect.stringContaining("not valid JSON"),
  });
  await app.request("/api/mutes", json("POST", { what: "memory", in: "everywhere" }));
  expect(await (await app.request("/api/mutes")).json()).toEqual({
    mutes: [expect.objectContaining({ what: "memory" })],
  });
});
