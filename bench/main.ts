/** `npm run bench -- NAME`: one benchmark, one module. Figures are ratios within one run; see docs/design/benchmarks.md. */
const BENCHMARKS: Record<string, () => Promise<{ run(): Promise<void> }>> = {
  additions: () => import("./additions/additions.ts"),
  ask: () => import("./ask/ask.ts"),
  bounds: () => import("./bounds/bounds.ts"),
  "checks-labelled": () => import("./checks/labelled.ts"),
  checks: () => import("./checks/checks.ts"),
  commands: () => import("./commands/commands.ts"),
  commits: () => import("./sessions/finding.ts"),
  context: () => import("./context/context.ts"),
  extraction: () => import("./extraction/extraction.ts"),
  "extraction-languages": () => import("./extraction/languages.ts"),
  hook: () => import("./hook/hook.ts"),
  "one-shot": () => import("./one-shot/one-shot.ts"),
  "session-names": () => import("./sessions/names/names.ts"),
  mcp: () => import("./mcp/mcp.ts"),
  lookup: () => import("./meaning/lookup.ts"),
  meaning: () => import("./meaning/meaning.ts"),
  memory: () => import("./memory/memory.ts"),
  retrieval: () => import("./retrieval/retrieval.ts"),
  rules: () => import("./rules/rules.ts"),
  "rules-try": () => import("./rules-try/rules-try.ts"),
  redaction: () => import("./redaction/redaction.ts"),
  "search-engine": () => import("./search-engine/search-engine.ts"),
  "session-start": () => import("./session-start/session-start.ts"),
  resident: () => import("./resident/resident.ts"),
  semantic: () => import("./semantic/semantic.ts"),
  seed: () => import("./seed/seed.ts"),
  sessions: () => import("./sessions/sessions.ts"),
  starts: () => import("./starts/starts.ts"),
  tokens: () => import("./tokens/error.ts"),
  tools: () => import("./tools/tools.ts"),
  web: () => import("./web/web.ts"),
  tombstones: () => import("./tombstones/tombstones.ts"),
  "web-paint": () => import("./web/paint.ts"),
};

const name = process.argv[2] ?? "";
const benchmark = BENCHMARKS[name];
if (benchmark === undefined) {
  console.error(`which benchmark? npm run bench -- ${Object.keys(BENCHMARKS).join(" | ")}`);
  process.exitCode = 2;
} else await (await benchmark()).run();
