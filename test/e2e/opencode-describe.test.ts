import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { chatServer } from "../fakes/chat-server.ts";
import { started, troubles } from "../hosts/opencode/turns.ts";
import { CARD, card } from "../sources/sessions/describe/scripted-model.ts";
import { OPENCODE } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";

const found = await orSkipReason(installedPackage("opencode-ai", OPENCODE));

describe.skipIf(typeof found === "object")(`a session of OpenCode ${OPENCODE}`, () => {
  it("is described by a model that its user opted into, while the agent rests, once for so many prompts", async () => {
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
});
