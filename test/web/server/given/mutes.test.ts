import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { mutesFile } from "../../../../src/store/mutes.ts";
import type { GivenTimeline } from "../../../../src/web/api/given.ts";
import { given } from "../../../../src/web/server/given/routes.ts";
import { givenWorld } from "../../../support/given-world.ts";
import { temporaryWeb } from "../../../support/web.ts";

function place() {
  const made = temporaryWeb({}, [given]);
  return { ...made, engine: givenWorld(made) };
}

it("a mute from the page holds at the next start and can be undone", async () => {
  const { get, send, engine, events, project } = place();
  expect(await engine.start()).toContain("Use tabs");
  const mute = { what: "rules/.continuo/rules/style.md", in: "project", project: project.id };
  expect((await send("POST", "/api/mutes", { ...mute, title: "style.md" })).status).toBe(200);
  expect(events).toEqual([{ type: "rules" }]);
  expect(await engine.start("s2")).not.toContain("Use tabs");
  const { mutes } = await get<GivenTimeline>("/api/sessions/claude-code/s2/given");
  expect(mutes).toMatchObject([{ what: mute.what, in: "project", title: "style.md" }]);
  for (const removed of [true, false])
    expect((await send("DELETE", "/api/mutes", mute)).body).toEqual({ removed });
  expect(await engine.start("s3")).toContain("Use tabs");
});

it("what is no source, has no place, or has unknown fields is refused", async () => {
  const { get, send } = place();
  const refused = [
    { what: "nothing/x", in: "everywhere" },
    { what: "rules", in: "project" },
    { what: "rules", in: "session", host: "pi" },
    { what: "", in: "everywhere" },
    { what: "rules", in: "here" },
    { what: "rules", in: "everywhere", more: 1 },
    { what: `rules/${"x".repeat(3000)}`, in: "everywhere" },
  ];
  for (const body of refused) expect((await send("POST", "/api/mutes", body)).status).toBe(400);
  expect(await get("/api/mutes")).toEqual({ mutes: [] });
});

it("a damaged file is named, and kept aside by the next mute", async () => {
  const { get, send, home, engine } = place();
  await engine.start();
  writeFileSync(mutesFile(home), '{"version":1,"mut');
  expect(await get("/api/mutes")).toMatchObject({
    mutes: [],
    problem: expect.stringContaining("not valid JSON"),
  });
  await send("POST", "/api/mutes", { what: "memory", in: "everywhere" });
  expect(await get("/api/mutes")).toEqual({ mutes: [expect.objectContaining({ what: "memory" })] });
});
