import { setTimeout as sleep } from "node:timers/promises";
import type { Home } from "../../src/store/home.ts";
import { printTable } from "../measure.ts";
import { median, p95 } from "../process-time.ts";
import { builds, rounds } from "./builds.ts";
import { livingClaudeCode } from "./hosts/claude-code.ts";
import type { Form, LivingHost } from "./hosts/living-host.ts";
import { livingOpenCode } from "./hosts/opencode.ts";
import { livingPi } from "./hosts/pi.ts";
import { FEW_NOTES, promptAbout, type Stores } from "./stores.ts";

const CALLS = 5;
/** Of one process, after the first one. */
const TURNS = 8;
/** Between two turns, so that what a host does in the background after one does not slow down another host's turn. */
export const PAUSE_MS = 200;

interface Host {
  readonly label: string;
  readonly start: (form: Form) => Promise<LivingHost>;
  readonly targets: { readonly later: string; readonly first: string };
  /** Ways to install Continuo in it, with the arguments for `continuo install`. */
  readonly forms: readonly { readonly name: string; readonly args: readonly string[] }[];
}

const IN_PROCESS = { later: "10 / 40", first: "150" };
const AS_INSTALLED = { name: "as installed", args: [] };
const HOSTS = {
  claudeCode: {
    label: "Claude Code",
    start: livingClaudeCode,
    targets: { later: "80 / 150", first: "" },
    forms: [AS_INSTALLED, { name: "command form (`--no-mcp`)", args: ["--no-mcp"] }],
  },
  opencode: { label: "OpenCode", start: livingOpenCode, targets: IN_PROCESS, forms: [AS_INSTALLED] },
  pi: { label: "pi", start: livingPi, targets: IN_PROCESS, forms: [AS_INSTALLED] },
} as const satisfies Record<string, Host>;

interface Measured {
  readonly form: Form;
  readonly host: LivingHost;
  readonly first: number[];
  readonly later: number[];
}

/** Whole turns (prompt, five tool calls, end) in the real hosts, with and without Continuo in turn. */
export const turnsIn =
  (host: keyof typeof HOSTS) =>
  async (stores: Stores): Promise<void> =>
    measureHost(HOSTS[host], await stores.few());

async function measureHost({ label, start, targets, forms }: Host, store: Home): Promise<void> {
  const installed = builds().flatMap((build) =>
    (build.label === "" ? forms : forms.slice(0, 1)).map(({ name, args }) => ({
      name: `${name}${build.label}`,
      script: build.script,
      args,
      store,
    })),
  );
  const processes = rounds(5);
  const all: Measured[] = [];
  try {
    for (const form of [{ name: "without Continuo", store }, ...installed])
      all.push({ form, host: await start(form), first: [], later: [] });
    for (let i = 0; i < processes; i++) await alternate(all, i, (turn) => promptAbout(store, turn));
  } finally {
    for (const { host } of all) await host.dispose();
  }
  console.log(
    `### Whole turns in ${label} (prompt, ${CALLS} tool calls, end; ${FEW_NOTES.toLocaleString("en")} notes; n = ${processes * TURNS} turns and ${processes} first turns each, interleaved)\n`,
  );
  printTable(
    [
      "Continuo",
      "turn p50 ms",
      "p95",
      "added p50",
      "p95 above the p50 without",
      "p95 above the p95 without",
      "target",
      "start and first turn p50 ms",
      "added p50",
      "target",
    ],
    rowsOf(all, targets),
  );
}

/** One process of each form, a turn of each after the other. */
async function alternate(
  all: readonly Measured[],
  round: number,
  prompt: (turn: number) => string,
): Promise<void> {
  for (const { host, first } of rotated(all, round)) {
    first.push((await host.turn(prompt(round), CALLS)).ms);
    await sleep(PAUSE_MS);
  }
  for (let turn = 1; turn <= TURNS; turn++)
    for (const { host, later } of rotated(all, turn)) {
      later.push((await host.turn(prompt(turn * 31 + round), CALLS)).ms);
      await sleep(PAUSE_MS);
    }
  for (const { host } of all) await host.stop();
}

export const rotated = <T>(all: readonly T[], by: number): T[] =>
  all.map((_, i) => all[(i + by) % all.length]).filter((one) => one !== undefined);

function rowsOf(all: readonly Measured[], targets: Host["targets"]): (string | number)[][] {
  const [base] = all;
  const [later, first, highest] = [
    median(base?.later ?? []),
    median(base?.first ?? []),
    p95(base?.later ?? []),
  ];
  return all.map((one) => {
    const isBase = one === base;
    return [
      one.form.name,
      median(one.later).toFixed(0),
      p95(one.later).toFixed(0),
      isBase ? "" : (median(one.later) - later).toFixed(0),
      isBase ? "" : (p95(one.later) - later).toFixed(0),
      isBase ? "" : (p95(one.later) - highest).toFixed(0),
      isBase ? "" : targets.later,
      median(one.first).toFixed(0),
      isBase ? "" : (median(one.first) - first).toFixed(0),
      isBase ? "" : targets.first,
    ];
  });
}
