import { describe, expect, it } from "vitest";
import { promptText } from "../../../../src/compose/escape.ts";
import type { OfferContext } from "../../../../src/moments/ports/offer.ts";
import { withSessions } from "../../../../src/sources/sessions/access.ts";
import { SESSION_PROMPTS, SESSION_RESOURCES } from "../../../../src/sources/sessions/ports/declarations.ts";
import { sessionsOffer } from "../../../../src/sources/sessions/ports/offer.ts";
import { askedModel, reply } from "../answers/asked-model.ts";
import { type Written, worldWith } from "../written.ts";

const LOGIN: Written = {
  id: "11111111-0000-4000-8000-000000000001",
  name: "Fix the login",
  said: ["The login fails", "We decided to retry once, because the gateway is slow."],
};
const RETRY: Written = {
  ...LOGIN,
  id: "22222222-0000-4000-8000-000000000002",
  name: "Retry payments",
  day: "2026-02-02",
};
const TWIN: Written = { ...RETRY, id: "33333333-0000-4000-8000-000000000003", day: "2026-02-03" };

async function prompt(written: readonly Written[]): Promise<OfferContext> {
  const { offer } = worldWith(written);
  await withSessions(offer, 60_000, () => undefined);
  return offer;
}
const command = (name: string) => {
  const found = sessionsOffer.commands?.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe("at the prompt", () => {
  it("@@ completes to names, newest first, and to the id where a name is not unique", async () => {
    const at = await prompt([LOGIN, RETRY, TWIN]);
    const [completer] = sessionsOffer.completers ?? [];
    const values = async (before: string) =>
      (await completer?.complete(before, at))?.items.map(({ value }) => value);
    expect(await completer?.complete("as in @@fi", at)).toEqual({
      replaces: "@@fi",
      items: [
        { value: "@@fix-the-login", label: "Fix the login", description: "claude-code, project, 2026-02-01" },
      ],
    });
    expect(await values("@@")).toEqual([`@@${TWIN.id}`, `@@${RETRY.id}`, "@@fix-the-login"]);
    expect(await values('(@@"the lo')).toEqual(["@@fix-the-login"]);
    expect(await values("@@2222")).toEqual([`@@${RETRY.id}`]);
    for (const before of ["@fi", "me@@fi", "@@fi now", "@@zzz", ""])
      expect(await values(before), before).toBeUndefined();
  });

  it("commands find, query and hand over past sessions", async () => {
    const at = await prompt([LOGIN, RETRY]);
    expect(await command("continuo-recall").run("gateway login", at)).toContain(
      '"Fix the login" (claude-code',
    );
    expect(await command("continuo-recall").run("zeppelin", at)).toBe("No past session is about this.");
    expect(await command("continuo-ask").run("fix-the-login why retry?", at)).toContain(
      "because the gateway is slow",
    );
    await expect(command("continuo-ask").run("fix-the-logni why?", at)).rejects.toMatchObject({
      code: "session-not-found",
      hint: expect.stringContaining("Fix the login"),
    });
    expect(await command("continuo-handoff").run("fix-the-login", at)).toContain(
      `From session ${LOGIN.id} (claude-code`,
    );
  });

  it("a model's answer is shown with its cost, and the status line shows the request", async () => {
    const { call, project } = await askedModel(() => reply());
    const at = { ...call, project, settings: { modelKeys: ["endpoint/small"] } };
    const lines: (string | Promise<string> | undefined)[] = [];
    const changed = () => void lines.push(sessionsOffer.status?.(at));
    const text = await command("continuo-ask").run("fix-the-login why retry?", at, changed);
    expect(text).toContain("Composed by endpoint/small");
    expect(text).toMatch(/\nendpoint\/small: \d+\.\d s, 1000 tokens read, 50 written$/);
    expect(await Promise.all(lines)).toEqual(["asking endpoint/small, with 1 KB of the session", ""]);
  });

  it("a session is indexed on demand, and one without a file is refused", async () => {
    const at = await prompt([LOGIN]);
    const own = { ...at, session: { host: "claude-code", id: LOGIN.id } as const };
    expect(await command("index-session").run("", own)).toMatch(
      /^Session indexed: "Fix the login" .*, 2 turns$/,
    );
    await expect(command("index-session").run("", at)).rejects.toMatchObject({ code: "session-not-kept" });
  });

  it("the job indexes all histories while the agent is idle, and shows the progress", async () => {
    const { offer: at } = worldWith([LOGIN, RETRY]);
    const [job] = sessionsOffer.jobs ?? [];
    await job?.run(at, { signal: new AbortController().signal, changed: () => undefined });
    expect(await sessionsOffer.status?.(at)).toBe("");
    expect(await withSessions(at, 0, (library) => library.list().length)).toBe(2);
  });
});

describe("for MCP clients", () => {
  it("a session is a resource with a URI, listed and completed", async () => {
    const at = await prompt([LOGIN, RETRY]);
    const [resource] = SESSION_RESOURCES;
    expect(await resource?.read({ host: "claude-code", id: LOGIN.id }, at)).toContain(
      "# Handoff: Fix the login",
    );
    expect(await resource?.read({ host: "pi", id: LOGIN.id }, at)).toBeUndefined();
    expect(await resource?.read({ host: "claude-code", id: "../../etc/passwd" }, at)).toBeUndefined();
    expect((await resource?.list?.(at))?.map(({ uri }) => uri)).toEqual([
      `session://claude-code/${RETRY.id}`,
      `session://claude-code/${LOGIN.id}`,
    ]);
    expect(await resource?.complete?.("host", "cl", at)).toEqual(["claude-code"]);
    expect(await resource?.complete?.("id", "retry", at)).toEqual([RETRY.id]);
  });

  it("recall, ask and handoff are prompts with quoted data in Continuo's own block", async () => {
    const at = await prompt([LOGIN, RETRY]);
    const render = async (name: string, args: Record<string, string>) =>
      promptText(
        name,
        (await SESSION_PROMPTS.find((one) => one.name === name)?.render(args, at)) ?? {
          quoted: "",
          request: "",
        },
      );
    expect(await render("recall", { query: "gateway" })).toMatch(
      /^<continuo for="recall">\nQuoted data, .*\n- "/,
    );
    expect(await render("ask", { session: "fix-the-login", question: "why retry?" })).toMatch(
      /^<continuo for="ask">\nQuoted data, .*\nFrom "Fix the login"[\s\S]*<\/continuo>\nFrom these quotes of a past session: why retry\?/,
    );
    expect(await render("handoff", {})).toContain("Retry payments");
    await expect(render("handoff", { session: "zzz" })).rejects.toMatchObject({ code: "no-such-session" });
  });
});
