import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { chatServer } from "../fakes/chat-server.ts";
import { started, troubles } from "../hosts/opencode/turns.ts";
import { CARD, card } from "../sources/sessions/describe/scripted-model.ts";
import { OPENCODE, OPENCODE_PACKAGE } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { write } from "../support/world.ts";

const found = await orSkipReason(installedPackage(OPENCODE_PACKAGE, OPENCODE));

describe.skipIf(typeof found === "object")(`a session of OpenCode ${OPENCODE}`, () => {
  it("is described by a model that its user configured, while the agent is idle, once per a number of prompts", async () => {
    const model = await chatServer(() => card());
    onTestFinished(() => model.close());
    const { host } = await started(
      {},
      {
        sources: {
          sessions: { modelKeys: ["endpoint/tiny"], modelUrl: model.url, minNewUserMessages: 2 },
        },
      },
    );
    const session = await host.createSession();
    await host.prompt(session, "PROMPT-1 about prices");
    await host.prompt(session, "PROMPT-2 about prices");
    const file = join(host.home, ".continuo/sessions-meta/opencode", `${session}.meta.json`);
    const record = () => JSON.parse(readFileSync(file, "utf8")) as object;
    await expect.poll(record, { timeout: 60_000 }).toMatchObject({
      sessionId: session,
      name: CARD.name,
      summary: CARD.summary,
      model: "endpoint/tiny",
      continuo: { host: "opencode", namedBy: "model" },
    });
    for (const prompt of ["PROMPT-1", "PROMPT-2"]) expect(model.requests[0]?.prompt).toContain(prompt);
    await host.prompt(session, "PROMPT-3 about prices");
    await host.stop();
    expect(model.requests).toHaveLength(1);
    expect(troubles(host.home)).toEqual([]);
  });

  it("is not sent again at each idle moment if the host ended before the model answered, and the end waits for no model", async () => {
    const model = await chatServer(() => undefined);
    onTestFinished(() => model.close());
    const sessions = { modelKeys: ["endpoint/tiny"], modelUrl: model.url, minNewUserMessages: 2 };
    const { host } = await started({}, { sources: { sessions } });
    const asked = () => model.requests.length;
    const session = await host.createSession();
    for (const n of [1, 2]) await host.prompt(session, `PROMPT-${n} about prices`);
    await expect.poll(asked, { timeout: 60_000 }).toBe(1);
    await host.stop();
    await host.prompt(session, "PROMPT-3 about prices");
    await sleep(6_000); // as long as the first request took to be sent, and more
    expect(asked()).toBe(1);
    await host.prompt(session, "PROMPT-4 about prices");
    await expect.poll(asked, { timeout: 60_000 }).toBe(2);
    expect(model.requests[1]?.prompt).toContain("PROMPT-4");
    await host.stop();

    write(host.home, {
      ".continuo/config.json": JSON.stringify({
        sources: { sessions: { ...sessions, minNewUserMessages: 1 } },
      }),
    });
    const began = Date.now();
    expect(await host.run("PROMPT-5 about prices")).toMatchObject({ code: 0 });
    expect(Date.now() - began).toBeLessThan(25_000); // the model would have 30 seconds
  });
});
