import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionsIndexPath } from "../../../../src/sources/sessions/indexing/schema.ts";
import { recordPath } from "../../../../src/sources/sessions/records/files.ts";
import { handoffOf } from "../../../../src/sources/sessions/records/texts.ts";
import { answer, ask, CLAUDE, place } from "../place.ts";

const KEY = { host: CLAUDE, id: "one" };
const EDIT = { name: "Edit", input: { file_path: "/work/shop/src/round.ts" } };

async function talked() {
  const here = place();
  here.write("one", [
    ask("Fix the rounding of prices for SHOP-123. It is off by a cent.", "t1"),
    answer("The test fails because Math.round is naive.", [EDIT]),
    ask("Let's use banker's rounding instead of Math.round."),
    answer("", [{ name: "Bash", input: { command: "git commit -m 'round half to even'" } }]),
    answer("Prices are now rounded half to even, and all tests pass.\n\nNext steps: document the rule."),
  ]);
  const sessions = here.open();
  await sessions.sync();
  return { ...here, sessions, path: recordPath(here, KEY) };
}

describe("a session's record", () => {
  it("is extracted: goal, decision, outcome, next step, file and command, with their turns", async () => {
    const { sessions, path } = await talked();
    const record = sessions.record(KEY);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(record);
    expect(record?.name).toBe("Fix the rounding of prices for SHOP-123");
    const { summary = "", tags = [] } = record ?? {};
    expect(summary).toMatch(
      /## Goal\n- Fix the rounding of prices for SHOP-123. It is off by a cent. \[t1\]/,
    );
    expect(summary).toMatch(/## Key decisions\n- Let's use banker's rounding instead of Math.round. \[/);
    expect(summary).toMatch(/## Outcome\n- Prices are now rounded half to even, and all tests pass. \[/);
    expect(summary).toMatch(/## Next steps\n- Next steps: document the rule. \[/);
    expect(summary).toMatch(/## Files\n- src\/round.ts \[/);
    expect(summary).toMatch(/## Commands\n- git commit -m 'round half to even' \[/);
    expect(tags).toEqual(expect.arrayContaining(["branch:main", "ticket:SHOP-123", "file:src/round.ts"]));
  });

  it("has no secret of a prompt's lines, which become one line in it", async () => {
    const secrets = [
      "q7Rk2mZp9Lw4",
      "kqzm wxpv jrtd ybnh",
      "4f23456789abcdef0123456789abcdef01234567",
      "Zx8Kk2pQw7Lm",
    ];
    const lines = [
      "Build the image of the invoices with this:",
      `ENV SMTP_PASSWORD ${secrets[0]}`,
      `SMTP_PASSWORD="${secrets[1]}"`,
      `wandb login --relogin ${secrets[2]}`,
      `set -gx DB_PASSWORD ${secrets[3]}`,
      "and say when it is done.",
    ];
    const here = place();
    here.write("one", [ask(lines.join("\n")), answer("Done."), ask(lines.join(" ")), answer("Done.")]);
    const sessions = here.open();
    await sessions.sync();
    expect(sessions.record(KEY)?.summary).toContain("Build the image of the invoices");
    const kept = readFileSync(recordPath(here, KEY), "utf8") + JSON.stringify(sessions.list());
    expect(secrets.filter((secret) => kept.includes(secret))).toEqual([]);
  });

  it("stays as it is while nothing is new, and is rewritten when something is", async () => {
    const { sessions, append } = await talked();
    const first = sessions.record(KEY);
    expect(sessions.record(KEY)).toEqual(first);
    append("one", [ask("And now for the totals as well.")]);
    await sessions.sync();
    const next = sessions.record(KEY);
    expect(next?.summary).toContain("Not answered yet: And now for the totals as well.");
    expect(next?.createdAt).toBe(first?.createdAt);
  });

  it("that an earlier version extracted is made again, and one by a model is not", async () => {
    const { sessions, path } = await talked();
    const { continuo, ...whole } = sessions.record(KEY) ?? {};
    const { made: _, ...before } = continuo ?? {};
    const old = { ...whole, summary: "Old words.", continuo: before };
    writeFileSync(path, JSON.stringify(old));
    expect(sessions.record(KEY)?.summary).toContain("## Goal");
    writeFileSync(path, JSON.stringify({ ...old, model: "some/model" }));
    expect(sessions.record(KEY)?.summary).toBe("Old words.");
  });

  it("that is damaged counts as none: it is reported once and rewritten", async () => {
    const { sessions, path, failures } = await talked();
    const whole = sessions.record(KEY);
    const within = (continuo: unknown) => JSON.stringify({ ...whole, continuo, model: "some/model" });
    const inside = [null, { earlierNames: 3 }, { files: [4] }].map(within);
    for (const damage of ["{ half", "[]", '{"schemaVersion":9}', '{"schemaVersion":1,"name":3}', ...inside]) {
      writeFileSync(path, damage);
      failures.length = 0;
      expect(sessions.record(KEY)?.name).toContain("Fix the rounding");
      expect(failures).toEqual([expect.stringContaining("record-damaged")]);
      expect(JSON.parse(readFileSync(path, "utf8")).schemaVersion).toBe(1);
    }
  });

  it("that a model wrote is not replaced, and one without a version is accepted", async () => {
    const { sessions, path } = await talked();
    const { schemaVersion: _, continuo: __, ...old } = sessions.record(KEY) ?? ({} as never);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ ...old, model: "openai/gpt", summary: "By a model." }));
    expect(sessions.record(KEY)).toMatchObject({ schemaVersion: 1, summary: "By a model." });
  });

  it("keeps a person's name, even when the index is lost", async () => {
    const { sessions, append, home, open } = await talked();
    await sessions.rename(KEY, "Cents\nand @@sense");
    append("one", [ask("Something else entirely about taxes.")]);
    await sessions.sync();
    expect(sessions.get(KEY)).toMatchObject({ name: "Cents and sense", namedBy: "given" });
    expect(sessions.record(KEY)?.name).toBe("Cents and sense");
    expect(sessions.search("sense").hits).toHaveLength(1);
    sessions.close();
    rmSync(sessionsIndexPath(home));
    const anew = open();
    await anew.sync();
    expect(anew.get(KEY)).toMatchObject({ name: "Cents and sense", namedBy: "given" });
    await expect(anew.rename(KEY, " \n ")).rejects.toThrow("empty");
  });

  it("is deleted when the session is forgotten", async () => {
    const { sessions, path } = await talked();
    sessions.record(KEY);
    sessions.forget(KEY);
    expect(existsSync(path)).toBe(false);
    expect(sessions.record(KEY)).toBeUndefined();
  });

  it("of a pi session is in pi's own folder", () => {
    const env = { HOME: "/home/me" };
    const here = { env, home: place().home };
    expect(recordPath(here, { host: "pi", id: "abc" })).toBe(
      "/home/me/.pi/agent/sessions-meta/abc.meta.json",
    );
    expect(recordPath(here, { host: "pi", id: "../../x" })).toMatch(
      /sessions-meta\/x-[0-9a-f]+\.meta\.json$/,
    );
  });
});

describe("a handoff", () => {
  it("has the state of the session and its hurdles", async () => {
    const { sessions } = await talked();
    const outline = sessions.outline(KEY);
    const session = sessions.get(KEY);
    if (outline === undefined || session === undefined) throw new Error("not indexed");
    const record = sessions.record(KEY);
    const text = handoffOf(session, outline, record);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      "Goal",
      "State",
      "Decisions",
      "Hurdles",
      "Files",
      "Commands that mattered",
      "Next steps",
    ]);
    expect(text).toContain("- The test fails because Math.round is naive.\n");
    if (record === undefined) throw new Error("no record");
    const written = handoffOf(session, outline, {
      ...record,
      model: "anthropic/haiku",
      summary: "## Goal\nRound.",
    });
    expect([...written.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      "Goal",
      "Hurdles",
      "Files",
      "Commands that mattered",
    ]);
    expect(written).toContain("Written by anthropic/haiku");
  });
});

describe("finding a session", () => {
  it("matches an id, the beginning of one, a name, or part of a name; this project first; never guesses", async () => {
    const here = place();
    here.write("aaaaaaaa-1111-4111-8111-111111111111", [ask("Refactor the confirm button")]);
    here.write("aaaaaaaa-2222-4222-8222-222222222222", [ask("Refactor the cancel button")]);
    here.write("bbbbbbbb-3333-4333-8333-333333333333", [ask("Speed up the parser")]);
    const sessions = here.open();
    await sessions.sync();
    const find = (text: string) => {
      const found = sessions.find(text);
      return found.kind === "found" ? found.session.id.slice(0, 13) : found.kind;
    };
    expect(find("AAAAAAAA-1111-4111-8111-111111111111")).toBe("aaaaaaaa-1111");
    expect(find("bbbbbb")).toBe("bbbbbbbb-3333");
    expect(find("aaaaaaaa")).toBe("ambiguous");
    expect(find("refactor-the-confirm-button")).toBe("aaaaaaaa-1111");
    expect(find("confirm")).toBe("aaaaaaaa-1111");
    expect(find("parser speed")).toBe("bbbbbbbb-3333");
    expect(find("button")).toBe("ambiguous");
    expect(sessions.find("speedup the prser")).toMatchObject({
      kind: "unknown",
      nearest: [{ name: "Speed up the parser" }],
    });
    expect(find("")).toBe("unknown");
  });
});
