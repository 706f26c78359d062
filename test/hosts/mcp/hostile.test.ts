import { describe, expect, it } from "vitest";
import { QUOTED_DATA } from "../../../src/compose/escape.ts";
import { CONTINUO } from "../../support/child.ts";
import { hookIn } from "../../support/hooks.ts";
import { FORGED_FRAME, HOSTILE, hostilePlace, OBEYED, SESSION } from "../../support/hostile.ts";
import { write } from "../../support/world.ts";
import { type Answer, startServer } from "./server.ts";

/** The one block of ours that a text may be in, taken off; anything else that looks like a frame is forged. */
function inside(text: string): string {
  const own =
    /^<continuo(?:-quoted from="[^"<>\n]*"| for="\w+")>\n([\s\S]*)\n<\/continuo(?:-quoted)?>(?:\n([\s\S]*))?$/.exec(
      text,
    );
  return own === null ? text : `${own[1]}\n${own[2] ?? ""}`;
}

function faultsOf(what: string, text: string): string[] {
  const found = FORGED_FRAME.exec(inside(text)) ?? OBEYED.exec(text.replace(/[\n\t]/g, ""));
  return found === null
    ? []
    : [`${what}: ${JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 60))}`];
}

async function serve() {
  const place = hostilePlace();
  write(place.home.root, { "config.json": '{"tools": "all"}' });
  const env = { ...place.env, CLAUDE_CODE_SESSION_ID: SESSION };
  const server = startServer(CONTINUO, env, place.root);
  await server.initialize();
  return { ...place, env, server };
}

/** Arguments for any tool or prompt: each takes those that it knows. */
const GIVEN: Readonly<Record<string, unknown>> = {
  query: "tests",
  identifier: "memory://a",
  conceptName: "tests",
  includeContent: true,
  question: "tests",
  setName: "files",
};

describe("text of others through MCP", () => {
  it("is escaped in every tool's answer, and notes are labelled with where they come from", async () => {
    const { server } = await serve();
    const tools = (await server.request("tools/list")).result?.["tools"] as {
      name: string;
      inputSchema: { properties: object };
    }[];
    expect(tools.length).toBeGreaterThan(7);
    const labelled: string[] = [];
    const found: string[] = [];
    for (const { name, inputSchema } of tools) {
      const known = Object.fromEntries(
        Object.entries(GIVEN).filter(([key]) => key in inputSchema.properties),
      );
      const calls = [
        known,
        { ...known, session: SESSION },
        { ...known, identifier: HOSTILE, setName: HOSTILE, query: HOSTILE },
        {},
      ];
      for (const args of calls) {
        const { result, error } = (await server.call(name, args)) as Answer;
        const text =
          error?.message ?? (result?.["content"] as { text: string }[] | undefined)?.[0]?.text ?? "";
        found.push(...faultsOf(`${name} ${JSON.stringify(args)}`, text));
        if (args === known && text.includes(QUOTED_DATA)) labelled.push(name);
      }
    }
    expect(found).toEqual([]);
    expect(labelled.sort()).toEqual(["build_context", "read_memory", "recent_activity", "search_memories"]);
  });

  it("is escaped and labelled in every resource, and escaped in their names", async () => {
    const { server } = await serve();
    const listed = (await server.request("resources/list")).result?.["resources"] as { uri: string }[];
    expect(new Set(listed.map(({ uri }) => uri.split(":")[0]))).toEqual(
      new Set(["context", "rules", "memory"]),
    );
    const found: string[] = [];
    for (const one of [...listed, { uri: `session://claude-code/${SESSION}` }]) {
      for (const text of Object.values(one)) found.push(...faultsOf("list", String(text)));
      const { result, error } = await server.request("resources/read", { uri: one.uri });
      const text =
        error?.message ?? (result?.["contents"] as { text: string }[] | undefined)?.[0]?.text ?? "";
      found.push(...faultsOf(one.uri, text));
      if (error === undefined)
        expect(text).toMatch(/^<continuo-quoted from="(context|rules|memory|session):/);
    }
    expect(found).toEqual([]);
  });

  it("is escaped and labelled in every prompt, also in what was typed, and in what is completed", async () => {
    const { server } = await serve();
    const prompts = (await server.request("prompts/list")).result?.["prompts"] as {
      name: string;
      arguments: { name: string }[];
    }[];
    expect(prompts.length).toBeGreaterThan(4);
    const found: string[] = [];
    for (const { name, arguments: wanted } of prompts) {
      for (const value of ["tests", HOSTILE, SESSION]) {
        const args = Object.fromEntries(wanted.map((one) => [one.name, value]));
        const { result, error } = await server.request("prompts/get", { name, arguments: args });
        const text =
          error?.message ??
          (result?.["messages"] as { content: { text: string } }[] | undefined)?.[0]?.content.text ??
          "";
        found.push(...faultsOf(`${name} ${value}`, text));
        // `review` says how many suggestions wait, and nothing of what they say.
        if (name === "review") expect(text).toMatch(/^Tell me only this: .*1 suggestion left to review/);
        else if (error === undefined) expect(text).toContain(QUOTED_DATA);
      }
      for (const { name: argument } of wanted) {
        const ref = { type: "ref/prompt", name };
        const { result } = await server.request("completion/complete", {
          ref,
          argument: { name: argument, value: "" },
        });
        found.push(
          ...faultsOf(
            `${name} completion`,
            JSON.stringify((result?.["completion"] as { values: string[] } | undefined)?.values ?? []),
          ),
        );
      }
    }
    expect(found).toEqual([]);
  });
});

describe("text of others through hooks", () => {
  it("is escaped in the snapshot, in additions and in the handover", async () => {
    const place = hostilePlace();
    const hook = async (event: string, more: object) => {
      const { stdout } = await hookIn(place, event, { session_id: SESSION, ...more });
      if (!stdout.startsWith("{")) return stdout; // what the summariser is told is plain text
      const { hookSpecificOutput, systemMessage } = JSON.parse(stdout) as Record<
        string,
        { additionalContext?: string }
      >;
      return hookSpecificOutput?.additionalContext ?? String(systemMessage ?? "");
    };
    const texts = [
      await hook("SessionStart", { source: "startup" }),
      await hook("UserPromptSubmit", {
        prompt: `What about the tests? @@"${HOSTILE.slice(0, 9)}" @@${SESSION}`,
      }),
      await hook("PreCompact", { trigger: "manual" }),
      await hook("SessionStart", { source: "compact" }),
    ];
    expect(texts[0]).toContain("Rule text");
    // Our own tags have nothing but a title or a name; whatever else looks like one is forged.
    const own = /<\/?continuo(?:-[a-z]+)?(?: (?:title|name|part|for)="[^"<>\n]*")*\/?>/g;
    for (const text of texts) {
      expect(text.replace(own, "")).not.toMatch(FORGED_FRAME);
      expect(text.replace(/[\n\t]/g, "")).not.toMatch(OBEYED);
    }
  });
});
