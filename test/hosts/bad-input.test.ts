import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTINUO, runScript } from "../support/child.ts";
import { temporaryWorld } from "../support/world.ts";

type World = ReturnType<typeof temporaryWorld>;

const RULE = { ".continuo/rules/a.md": "Rule A." };
const payload = (world: World, more: object = {}) =>
  JSON.stringify({ session_id: "s1", cwd: world.root, source: "startup", ...more });
const hook = (world: World, event: string, stdin: string | Uint8Array, env = world.env) =>
  runScript(CONTINUO, ["hook", "claude-code", event], { env, cwd: world.root, stdin });

/** What doctor says, as a user would ask. */
async function doctor(
  world: World,
  env = world.env,
): Promise<{ what: string; status: string; detail: string }[]> {
  const { stdout } = await runScript(CONTINUO, ["doctor", "--json"], { env, cwd: world.root });
  return JSON.parse(stdout).data.findings;
}

async function expectHarmless(
  world: World,
  event: string,
  stdin: string | Uint8Array,
  code: string,
  env = world.env,
): Promise<void> {
  expect(await hook(world, event, stdin, env)).toEqual({ code: 0, stdout: "", stderr: "" });
  const failures = (await doctor(world, env)).filter((finding) => finding.what === "failure");
  expect(failures.map((finding) => finding.detail).join("\n")).toContain(code);
}

describe("the hook, given bad input, exits 0 with empty output and doctor knows", () => {
  it.each([
    ["empty stdin", "", "payload-empty"],
    ["malformed JSON", '{"session_id":', "payload-not-json"],
    ["a JSON array", "[]", "payload-not-object"],
    ["no session id", "{}", "payload-incomplete"],
    ["invalid UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), "payload-not-utf8"],
    ["50 MB", Buffer.alloc(50 * 1024 * 1024, 0x20), "payload-too-large"],
    ["deeply nested JSON", `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`, "payload-"],
  ])("%s", async (_, stdin, code) => {
    await expectHarmless(temporaryWorld(RULE), "SessionStart", stdin, code);
  });

  it("an unknown event", async () => {
    const world = temporaryWorld(RULE);
    await expectHarmless(world, "NoSuchEvent", payload(world), "unknown-event");
  });

  it("an unknown host", async () => {
    const world = temporaryWorld(RULE);
    const done = await runScript(CONTINUO, ["hook", "claude", "SessionStart"], {
      env: world.env,
      stdin: payload(world),
    });
    expect(done).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(JSON.stringify(await doctor(world))).toContain("unknown-host");
  });

  it("stdin that never ends: within the deadline", async () => {
    const world = temporaryWorld({ ...RULE });
    mkdirSync(world.home.root, { recursive: true });
    const script = `${process.execPath} ${CONTINUO} hook claude-code SessionStart`;
    const out = execFileSync("sh", ["-c", `sleep 4 | ${script}; echo code $?`], {
      env: world.env,
      encoding: "utf8",
      timeout: 15_000,
    });
    expect(out).toBe("code 0\n");
    expect(JSON.stringify(await doctor(world))).toMatch(/moment-late|payload-late/);
  });
});

describe("the hook in a crowd", () => {
  it("two hundred processes at once: each exits 0, every file is whole, each session gets its rules once", async () => {
    const world = temporaryWorld(RULE);
    const runs = Array.from({ length: 200 }, (_, i) =>
      hook(
        world,
        i % 4 === 0 ? "SessionStart" : "UserPromptSubmit",
        payload(world, { session_id: `s${i % 10}`, prompt: "hi" }),
      ),
    );
    const done = await Promise.all(runs);
    expect(done.every((one) => one.code === 0 && one.stderr === "")).toBe(true);
    const texts = done.map((one) => one.stdout).filter((text) => text !== "");
    const sessions = readdirSync(join(world.home.state, "claude-code"));
    for (const name of sessions)
      JSON.parse(readFileSync(join(world.home.state, "claude-code", name), "utf8"));
    expect(sessions.every((name) => name.endsWith(".json"))).toBe(true);
    expect(texts.length).toBe(sessions.length);
    const late = JSON.stringify(await doctor(world)).match(/moment-late|lock-busy|payload-late/g) ?? [];
    if (late.length === 0) expect(sessions).toHaveLength(10);
  }, 120_000);

  it("a clock that goes backwards changes nothing", async () => {
    const world = temporaryWorld(RULE);
    const clock = join(world.root, "clock.cjs");
    const env = (year: number) => ({
      ...world.env,
      CLOCK: String(Date.UTC(year, 0)),
      NODE_OPTIONS: `--require ${clock}`,
    });
    writeFileSync(clock, "const t = Number(process.env.CLOCK); Date.now = () => t;");
    const first = await hook(world, "SessionStart", payload(world), env(2030));
    expect(first.stdout).toContain("Rule A.");
    const again = await hook(world, "SessionStart", payload(world, { source: "resume" }), env(2020));
    expect(again.stdout).toBe(first.stdout);
    expect(
      (await hook(world, "SessionStart", payload(world, { source: "compact" }), env(2021))).stdout,
    ).toContain("Rule A.");
    expect(statSync(join(world.home.state, "claude-code", "s1.json")).isFile()).toBe(true);
  });
});
