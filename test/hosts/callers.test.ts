import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOOK_HOSTS } from "../../src/hosts/index.ts";
import { readHealth } from "../../src/store/health.ts";
import { hookIn, hookProcess } from "../support/hooks.ts";
import { runInProcess } from "../support/in-process.ts";
import { temporaryWorld, write } from "../support/world.ts";

/** Programs and the hooks that each of them runs, with the payloads that they document or were seen to send. */
interface Program {
  readonly called: string;
  /** The host that its sessions belong to. */
  readonly host: string;
  /** In whose settings the hooks are that it runs, with what it sends to them. */
  readonly sends: Readonly<Partial<Record<Entry, (kind: Kind, at: At) => object>>>;
  readonly env?: NodeJS.ProcessEnv;
  /** Where a text for the model has to be. */
  readonly form: "nested" | "top";
}
type Entry = "claude-code" | "copilot";
type Kind = "start" | "prompt" | "guard" | "tool" | "childStart" | "compacting" | "idle" | "end";
interface At {
  readonly cwd: string;
  readonly event: string;
}

const CLAUDES = {
  start: "SessionStart",
  prompt: "UserPromptSubmit",
  guard: "PreToolUse",
  tool: "PostToolUse",
  childStart: "SubagentStart",
  compacting: "PreCompact",
  idle: "Stop",
  end: "SessionEnd",
} as const;
const EVENTS: Readonly<Record<Entry, Readonly<Partial<Record<Kind, string>>>>> = {
  "claude-code": CLAUDES,
  copilot: {
    prompt: "userPromptSubmitted",
    guard: "preToolUse",
    tool: "postToolUse",
    childStart: "subagentStart",
    compacting: "preCompact",
    idle: "agentStop",
  },
};
const KINDS = Object.keys(CLAUDES) as Kind[];
const TIME = "2026-11-19T04:00:00.000Z";

/** What happens, in keys of snake case. */
function about(kind: Kind, file: object, tool: string): object {
  switch (kind) {
    case "start":
      return { source: "new" };
    case "prompt":
      return { prompt: "hello" };
    case "guard":
    case "tool":
      return { tool_name: tool, tool_input: file, tool_use_id: "t1" };
    case "childStart":
      return { agent_id: "c1", agent_type: "Explore" };
    case "compacting":
      return { trigger: "auto", custom_instructions: "" };
    case "idle":
      return { stop_hook_active: false };
    case "end":
      return { reason: "other" };
  }
}

const inCamelCase = (payload: object): object =>
  Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [
      key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

const edit = { file_path: "src/a.ts", content: "secret" };
const vscodeEdit = { filePath: "src/a.ts", content: "secret" };
const copilotEdit = { path: "src/a.ts", file_text: "secret" };

const vscodeDocumented = (kind: Kind, { cwd, event }: At) => ({
  ...{ timestamp: TIME, cwd, sessionId: "s1", hookEventName: event, transcript_path: "/t/x.json" },
  ...about(kind, vscodeEdit, "create_file"),
});
const vscodeSent = (kind: Kind, { cwd, event }: At) => ({
  ...{ timestamp: TIME, hook_event_name: event, session_id: "s1", transcript_path: "/t/x.json", cwd },
  ...about(kind, vscodeEdit, "create_file"),
});
const vscodeBoth = (kind: Kind, at: At) => ({ ...vscodeDocumented(kind, at), ...vscodeSent(kind, at) });
const vscodeWithoutTranscript = (kind: Kind, at: At) => ({
  ...vscodeSent(kind, at),
  transcript_path: undefined,
});
const copilotOwn = (kind: Kind, { cwd }: At) => ({
  ...{ sessionId: "s1", timestamp: 1_763_000_000_000, cwd },
  ...(kind === "guard" || kind === "tool"
    ? { toolName: "create", toolArgs: copilotEdit }
    : inCamelCase(about(kind, {}, ""))),
});
const copilotToClaudes = (kind: Kind, { cwd, event }: At) => ({
  ...{ hook_event_name: event, session_id: "s1", timestamp: TIME, cwd },
  ...about(kind, copilotEdit, "Write"),
  tool_use_id: undefined,
});

const PROGRAMS: readonly Program[] = [
  {
    called: "Claude Code",
    host: "claude-code",
    form: "nested",
    sends: {
      "claude-code": (kind, { cwd, event }) => ({
        ...{ session_id: "s1", transcript_path: "/t/s1.jsonl", cwd, hook_event_name: event },
        ...{ permission_mode: "default", prompt_id: "p1" },
        ...about(kind, edit, "Write"),
      }),
    },
    // As one that was started in the terminals of other programs.
    env: { CURSOR_VERSION: "3", TERM_PROGRAM: "vscode", COPILOT_CLI: "1", CURSOR_TRACE_ID: "x" },
  },
  {
    called: "Cursor",
    host: "cursor",
    form: "nested",
    sends: {
      "claude-code": (kind, { cwd }) => ({
        ...{ conversation_id: "s1", generation_id: "g1", model: "grok", session_id: "s1" },
        ...{ hook_event_name: "preToolUse", cursor_version: "2026.08.11-e8db854", cwd: "" },
        ...{ workspace_roots: [cwd], user_email: "a@example.com", transcript_path: null },
        ...about(kind, edit, "Write"),
      }),
    },
  },
  {
    called: "VS Code, as documented",
    host: "vscode",
    form: "nested",
    sends: { "claude-code": vscodeDocumented, copilot: vscodeDocumented },
  },
  {
    called: "VS Code, as seen",
    host: "vscode",
    form: "nested",
    sends: { "claude-code": vscodeSent, copilot: vscodeSent },
  },
  {
    called: "VS Code with the keys of both forms",
    host: "vscode",
    form: "nested",
    sends: { "claude-code": vscodeBoth, copilot: vscodeBoth },
  },
  {
    called: "VS Code with another form for each file",
    host: "vscode",
    form: "nested",
    sends: { "claude-code": vscodeSent, copilot: vscodeDocumented },
  },
  {
    called: "VS Code without a transcript",
    host: "vscode",
    form: "nested",
    sends: { "claude-code": vscodeWithoutTranscript, copilot: vscodeWithoutTranscript },
    env: { VSCODE_PID: "7" },
  },
  {
    called: "Copilot CLI and the Copilot app",
    host: "copilot",
    form: "top",
    sends: { "claude-code": copilotToClaudes, copilot: copilotOwn },
    env: { COPILOT_CLI: "1", TERM_PROGRAM: "vscode" },
  },
  {
    called: "a program that imitates Claude Code in camel case",
    host: "unknown",
    form: "nested",
    sends: {
      "claude-code": (kind, { cwd }) => ({
        ...{ sessionId: "s1", cwd },
        ...inCamelCase(about(kind, edit, "Write")),
      }),
    },
  },
  {
    called: "a program that imitates Copilot in snake case",
    host: "unknown",
    form: "top",
    sends: { copilot: (kind, { cwd }) => ({ session_id: "s1", cwd, ...about(kind, copilotEdit, "create") }) },
  },
];

const RULE = "---\nchecks: { edits: { never: secret, reaction: deny } }\n---\nKeep it out.";

/** Every set of entries that a person may have installed. */
const INSTALLED: readonly (readonly Entry[])[] = [["claude-code"], ["copilot"], ["claude-code", "copilot"]];
const cases = PROGRAMS.flatMap((program) =>
  INSTALLED.filter((entries) => entries.some((entry) => program.sends[entry] !== undefined)).map(
    (entries) => ({ program, entries, name: `${program.called}, with entries for ${entries.join(" and ")}` }),
  ),
);

function placeFor(entries: readonly Entry[], more: NodeJS.ProcessEnv = {}) {
  const world = temporaryWorld({ ".continuo/rules/a.md": "Rule A." });
  write(world.home.root, { "rules/deny.md": RULE });
  const env = { ...world.env, ...more };
  if (entries.includes("copilot")) {
    const commands = Object.values(EVENTS.copilot).map((event) => `node continuo.cjs hook copilot ${event}`);
    write(env["HOME"] ?? "", { ".copilot/hooks/continuo.json": JSON.stringify(commands) });
  }
  return { ...world, env };
}

type Place = ReturnType<typeof placeFor>;

/** What all entries print that the program runs for one event. */
async function printedBy(place: Place, { sends }: Program, entries: readonly Entry[], kind: Kind) {
  const printed: string[] = [];
  for (const entry of entries) {
    const event = EVENTS[entry][kind];
    const payload = sends[entry]?.(kind, { cwd: place.root, event: CLAUDES[kind] });
    if (payload === undefined || event === undefined) continue;
    const done = await hookIn(place, event, JSON.stringify(payload), entry);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    if (done.stdout !== "") printed.push(done.stdout);
  }
  return printed;
}

async function answers(...about: Parameters<typeof printedBy>) {
  return (await printedBy(...about)).map((text) => JSON.parse(text));
}

const failuresIn = ({ home }: Place) => readHealth(home.logs).records;

describe.each(cases)("$name", ({ program, entries }) => {
  it("exactly one entry answers each event, in the program's form, and nothing is recorded", async () => {
    const place = placeFor(entries, program.env);
    const { root, env, home } = place;
    const textIn = ({
      additionalContext,
      hookSpecificOutput,
    }: Record<string, { additionalContext: string }>) =>
      program.form === "top" ? additionalContext : hookSpecificOutput?.additionalContext;

    // Entries may be tried in any order: the first turn decides nothing that the second could not.
    for (const order of [entries, [...entries].reverse()]) {
      const first = order === entries;
      const prompted = await answers(place, program, order, "prompt");
      expect(prompted.map(textIn), "prompt").toEqual(first ? [expect.stringContaining("Rule A.")] : []);
      const [refused, ...more] = await answers(place, program, order, "guard");
      expect(more, "a second verdict").toEqual([]);
      expect(refused, "verdict").toMatchObject(
        program.form === "top"
          ? { permissionDecision: "deny" }
          : { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } },
      );
      await answers(place, program, order, "tool");
    }
    expect(existsSync(join(home.state, program.host, "s1.json")), "its session").toBe(true);
    const others = HOOK_HOSTS.map(({ name }) => name).filter((name) => name !== program.host);
    for (const other of others) expect(existsSync(join(home.state, other, "s1.json")), other).toBe(false);
    const ledger = await runInProcess(["log", "--json"], { env, cwd: root });
    expect(new Set(ledger.stdout.match(/"host":"[^"]+"/g))).toEqual(new Set([`"host":"${program.host}"`]));
    expect(failuresIn(place)).toEqual([]);
  });

  it("in a whole session at most one entry answers each event, one gives the rules, and nothing is recorded", async () => {
    const place = placeFor(entries, program.env);
    let rules = 0;
    for (const kind of KINDS) {
      const printed = await printedBy(place, program, entries, kind);
      expect(printed.length, kind).toBeLessThanOrEqual(1);
      const isOpening = kind === "start" || kind === "prompt";
      if (isOpening && printed[0]?.includes("Rule A.") === true) rules++;
    }
    expect(rules).toBe(1);
    expect(failuresIn(place)).toEqual([]);
  });
});

it("of two entries that VS Code runs at the same time, exactly one answers", async () => {
  const place = placeFor(["claude-code", "copilot"]);
  for (const id of ["a", "b", "c"]) {
    const stdin = JSON.stringify({
      ...vscodeSent("prompt", { cwd: place.root, event: "UserPromptSubmit" }),
      session_id: id,
    });
    const done = await Promise.all(
      (["claude-code", "copilot"] as const).map((entry) =>
        hookProcess(place, EVENTS[entry].prompt ?? "", stdin, entry),
      ),
    );
    expect(
      done.filter(({ stdout }) => stdout.includes("Rule A.")),
      id,
    ).toHaveLength(1);
    expect(
      done.filter(({ stdout }) => stdout === ""),
      id,
    ).toHaveLength(1);
  }
  expect(failuresIn(place)).toEqual([]);
});

it("VS Code gets rules where its session's folder cannot be written to", async () => {
  const place = placeFor(["claude-code"]);
  write(place.home.state, { vscode: "a file where the folder would be" });
  const program = PROGRAMS.find(({ host }) => host === "vscode");
  const answer = program && (await answers(place, program, ["claude-code"], "prompt"));
  expect(JSON.stringify(answer)).toContain("Rule A.");
});
