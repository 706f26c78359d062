import { describe, expect, it } from "vitest";
import { failuresIn, hookIn, hookProcess } from "../../../support/hooks.ts";
import { temporaryWorld } from "../../../support/world.ts";

/** How each host tells of a prompt, in the fields that it had in every version that we know. */
const HOSTS = {
  "claude-code": { event: "UserPromptSubmit", id: "session_id" },
  codex: { event: "UserPromptSubmit", id: "session_id" },
  gemini: { event: "BeforeAgent", id: "session_id" },
  copilot: { event: "userPromptSubmitted", id: "sessionId" },
} as const;
type Host = keyof typeof HOSTS;
const NAMES = Object.keys(HOSTS) as Host[];

type World = ReturnType<typeof temporaryWorld>;

const world = () => temporaryWorld({ ".continuo/rules/a.md": "Rule A." });

function payloadOf(host: Host, { root }: World): Record<string, unknown> {
  const { id, event } = HOSTS[host];
  return { [id]: "s1", cwd: root, prompt: "hello", hook_event_name: event };
}

/** The hook never fails, whatever it is handed. */
async function said(place: World, host: Host, event: string, payload: object, run = hookIn) {
  const done = await run(place, event, JSON.stringify(payload), host);
  expect(done).toMatchObject({ code: 0, stderr: "" });
  return done.stdout;
}

const failures = async (place: World) => (await failuresIn(place)).join("\n");

describe.each(NAMES)("the hook of %s", (host) => {
  const { event, id } = HOSTS[host];

  it("delivers with a payload of an older version, which has only the session", async () => {
    const here = world();
    expect(await said(here, host, event, { [id]: "s1" }, hookProcess)).toContain("Rule A.");
    expect(await failures(here)).toBe("");
  });

  it("delivers with a payload of a newer version: fields that nobody knows, known ones of another type", async () => {
    const here = world();
    const newer = {
      ...payloadOf(host, here),
      prompt: [{ type: "text", text: "hello" }],
      model: { id: "m", tier: 3 },
      transcript_path: null,
      agent_id: 7,
      whatIsThis: { deeply: [{ nested: true }] },
    };
    expect(await said(here, host, event, newer)).toContain("Rule A.");
    expect(await failures(here)).toBe("");
  });

  it("says nothing at an event of a newer version, and doctor names the known ones", async () => {
    const here = world();
    expect(await said(here, host, "BrandNew", payloadOf(host, here))).toBe("");
    expect(await failures(here)).toContain("BrandNew");
  });

  it.each(NAMES.filter((name) => HOSTS[name].id !== id))(
    "given a payload of %s, which names its session in another way, answers without a failure",
    async (other) => {
      const here = world();
      expect(await said(here, host, event, payloadOf(other, here))).toContain("Rule A.");
      expect(await failures(here)).toBe("");
    },
  );

  it("given a payload without a session says nothing, and doctor tells what was missing", async () => {
    const here = world();
    expect(await said(here, host, event, { cwd: here.root, prompt: "hello" })).toBe("");
    expect(await failures(here)).toContain(`came without a ${id}`);
  });

  it.each(NAMES.filter((name) => name !== host && HOSTS[name].id === id))(
    "given a payload of %s, which has the same fields, answers in its own form and for its own session",
    async (other) => {
      const here = world();
      const own = await said(here, host, event, payloadOf(host, here));
      const elsewhere = world();
      const foreign = await said(elsewhere, host, event, payloadOf(other, elsewhere));
      const form = (text: string) => Object.keys(JSON.parse(text).hookSpecificOutput ?? {});
      expect(form(foreign)).toEqual(form(own));
      expect(await failures(elsewhere)).toBe("");
    },
  );
});
