import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOOK_HOSTS, loadInstallers } from "../../../src/hosts/index.ts";
import { waitMsAt } from "../../../src/hosts/shared/hook/events.ts";
import { limitsFor, timeoutFor } from "../../../src/hosts/shared/time-limits.ts";
import type { Source } from "../../../src/moments/ports/source.ts";
import type { MomentName } from "../../../src/moments/types.ts";
import { readHealth } from "../../../src/store/health.ts";
import { hookWith } from "../../support/hooks.ts";
import { configFor, item, section, temporaryWorld, write } from "../../support/world.ts";

const INSTALLERS = await loadInstallers();

const UNIT_MS = { "claude-code": 1000, codex: 1000, copilot: 1000, gemini: 1 };

/** The timeouts that an installation writes, in milliseconds by event. */
function wired(host: keyof typeof UNIT_MS, momentLimitMs = 2_000): Record<string, number> {
  const installer = INSTALLERS.find((one) => one.host === host)!;
  const text = installer.add("", {
    runtime: "/node",
    script: "/continuo.cjs",
    answered: new Set<MomentName>(["tool", "idle"]),
    guards: true,
    momentLimitMs,
    hostVersion: "2.1.325",
  });
  const { hooks } = JSON.parse(text) as { hooks: Record<string, unknown[]> };
  return Object.fromEntries(
    Object.entries(hooks).map(([event, entries]) => {
      const seconds = /"timeout(?:Sec)?":([\d.]+)/.exec(JSON.stringify(entries))?.[1];
      return [event, Number(seconds) * UNIT_MS[host]];
    }),
  );
}

describe.each(Object.keys(UNIT_MS) as (keyof typeof UNIT_MS)[])("the timeouts installed for %s", (host) => {
  it("is 3 seconds or more at each event that may bring the rules: a start, a prompt, a subagent's start", () => {
    const timeouts = wired(host);
    const { events } = HOOK_HOSTS.find((one) => one.name === host)!;
    const bringing = Object.keys(timeouts).filter((event) =>
      ["start", "childStart", "prompt"].includes(events[event]?.kind ?? ""),
    );
    expect(bringing.length).toBeGreaterThan(1);
    for (const event of bringing) expect(timeouts[event], event).toBeGreaterThanOrEqual(3_000);
  });

  it("leaves a moment all of its own time at these events although the process needed 2 seconds to start", () => {
    const { events } = HOOK_HOSTS.find((one) => one.name === host)!;
    const config = { ...configFor([]), momentDeadlineMs: 2_000, sourceDeadlineMs: 800 };
    for (const [event, waitMs] of Object.entries(wired(host)))
      if (["start", "childStart", "prompt"].includes(events[event]?.kind ?? ""))
        expect(limitsFor({ waitMs, spentMs: 2_000 }, config, []).limitMs, event).toBe(
          config.momentDeadlineMs,
        );
  });

  it("is a whole number of seconds, also for a user who allows more time", () => {
    for (const limit of [2_000, 9_000, 15_001, 20_333])
      for (const [event, ms] of Object.entries(wired(host, limit))) expect(ms % 1_000, event).toBe(0);
  });

  it("is what a hook process believes, so that its own deadline comes first", () => {
    const known = HOOK_HOSTS.find((one) => one.name === host)!;
    for (const [event, ms] of Object.entries(wired(host))) expect(waitMsAt(known, event), event).toBe(ms);
  });

  it("is longer for a user who allows a moment more time than usual", () => {
    for (const [event, ms] of Object.entries(wired(host, 9_000)))
      if (event !== "SessionEnd") expect(ms, event).toBeGreaterThan(9_000);
  });
});

it("the deadline of a moment and of its sources ends before the host's, whatever time is gone already", () => {
  const config = configFor([]);
  fc.assert(
    fc.property(
      fc.integer({ min: 400, max: 5_000 }),
      fc.double({ min: 0, max: 10_000, noNaN: true }),
      (waitMs, spentMs) => {
        const { limitMs, config: own } = limitsFor({ waitMs, spentMs }, config, []);
        expect(limitMs).toBeGreaterThan(0);
        expect(own.sourceDeadlineMs).toBeLessThanOrEqual(limitMs);
        if (limitMs > 50) expect(spentMs + limitMs).toBeLessThan(timeoutFor(waitMs, config.momentDeadlineMs));
      },
    ),
  );
});

it("a hook with a source that hangs still delivers the others before the host stops waiting, and records it", async () => {
  const { root, env, home } = temporaryWorld();
  // Short, so that a busy machine has the rest of the time for everything else.
  write(home.root, { "config.json": JSON.stringify({ sourceDeadlineMs: 50 }) });
  const answers = { start: () => new Promise<never>(() => undefined) };
  const hanging: Source = { name: "memory", answersChildren: false, settings: {}, answers };
  const working: Source = {
    name: "rules",
    answersChildren: true,
    settings: {},
    answers: { start: () => ({ sections: [section([item("a", "MARK-RULE")])] }) },
  };
  const payload = { session_id: "s", cwd: root, prompt: "hello" };
  const more = { spentMs: () => 0 };
  const text = await hookWith([hanging, working], { root, env }, "gemini", "BeforeAgent", payload, more);
  expect(text).toContain("MARK-RULE");
  expect(readHealth(home.logs).records.map(({ code }) => code)).toEqual(["source-late"]);
});
