import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { writeSession } from "../sources/sessions/written.ts";
import { orSkipReason } from "../support/packages.ts";
import { CHEAP, cliOf, PI, startPi } from "../support/pi.ts";
import { write } from "../support/world.ts";
import { count, expectPrefixes, main } from "./seen-requests.ts";

const missing = typeof (await orSkipReason(cliOf(PI))) === "object";
const ID = "11111111-0000-4000-8000-000000000001";
const DECISION = "We retry three times with jitter, because the gateway drops every tenth request.";
const QUESTION = "how often does the gateway retry?";

describe.skipIf(missing)(`query_session in pi ${PI.version}, with a model of pi's own`, () => {
  it("composes with pi's login, shows the price to people, and leaves the conversation's prefix unchanged", async () => {
    const driver = await startPi(PI);
    onTestFinished(() => driver.dispose());
    const sessions = { modelKeys: [`fake/${CHEAP}`], modelRecords: false };
    write(driver.home, { ".continuo/config.json": JSON.stringify({ sources: { sessions } }) });
    writeSession(driver.home, driver.project, { id: ID, said: ["Make the client retry", DECISION] });
    const queue: Reply[] = [
      { text: "hello" },
      { toolUses: [{ name: "query_session", input: { session: ID, question: QUESTION } }] },
    ];
    const answer = {
      answerMarkdown: "COMPOSED: three times.",
      confidence: "high",
      citations: [{ entryId: `${ID}-t1`, excerpt: DECISION }],
    };
    driver.respondWith(({ body }) =>
      body.model === CHEAP ? { text: JSON.stringify(answer) } : (queue.shift() ?? { text: "done" }),
    );
    const first = await driver.turn("hello");
    const { events, requests } = await driver.rpc(first.session, [
      { type: "prompt", message: "ask it" },
      { type: "prompt", message: `/continuo-ask ${ID} ${QUESTION}` },
    ]);

    const conversation = main([...first.requests, ...requests]);
    expectPrefixes(conversation);
    expect(count(conversation.at(-1), "COMPOSED: three times.")).toBe(1);
    const asked = requests.filter(({ kind }) => kind === "other");
    expect(asked.map(({ tools }) => tools)).toEqual([[], []]);
    for (const { text } of asked) expect(text).toContain(DECISION);

    const said = (method: string, field: string) =>
      events.filter((event) => event["method"] === method).map((event) => String(event[field]));
    expect(said("notify", "message").at(-1)).toMatch(
      /> COMPOSED: three times\.[\s\S]*\nfake\/fake-cheap: \d+\.\d s, \$0\.\d{4,6}$/,
    );
    expect(said("setStatus", "statusText")).toContainEqual(
      expect.stringContaining(`asking fake/${CHEAP}, with 1 KB of the session`),
    );
    expect(readFileSync(first.session, "utf8").split("query-session:query_session")).toHaveLength(2);
  });
});
