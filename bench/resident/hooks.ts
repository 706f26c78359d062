import { join } from "node:path";
import { printTable } from "../measure.ts";
import { median, p95, type TimedCase, timeInterleaved } from "../process-time.ts";
import { builds, rounds } from "./builds.ts";
import { bareNode, emptyCases, filledCases } from "./hook-cases.ts";
import { copyHome, type Stores } from "./stores.ts";

/** The targets: wall time as a multiple of a bare Node. */
const TARGETS: Readonly<Record<string, string>> = {
  "SessionStart, empty store": "1.4",
  "SessionStart after a SessionEnd, different notes": "1.8",
  "UserPromptSubmit about a topic, different notes": "2.0",
  "UserPromptSubmit without a topic, different notes": "2.0",
  "PostToolUse, different notes": "1.3",
};

/** What a hook process costs, against a bare Node in the same rounds: wall and processor time. */
export async function measureHooks(stores: Stores): Promise<void> {
  const cases: TimedCase[] = [bareNode(stores.root)];
  for (const build of builds()) {
    const where = { build, root: stores.root, user: stores.folder };
    const at = (name: string) => join(stores.folder, `${name}${build.label}-hooks`);
    cases.push(
      ...emptyCases(where, stores),
      ...filledCases(where, copyHome(await stores.filled(), at("filled")), "different notes"),
      ...filledCases(where, copyHome(await stores.equal(), at("equal")), "equal notes"),
    );
  }
  const count = rounds(40);
  const times = timeInterleaved(cases, count);
  const of = (name: string, key: "wall" | "cpu") => (times.get(name) ?? []).map((one) => one[key]);
  const [bare = { name: "" }] = cases;
  const ratio = (name: string, key: "wall" | "cpu") =>
    (median(of(name, key)) / median(of(bare.name, key))).toFixed(2);
  console.log(`### Hook processes (n = ${count} each, interleaved)\n`);
  printTable(
    ["process", "wall p50 ms", "p95", "/ bare", "target", "CPU p50 ms", "p95", "/ bare", "answered"],
    cases.map(({ name }) => [
      name,
      median(of(name, "wall")).toFixed(0),
      p95(of(name, "wall")).toFixed(0),
      ratio(name, "wall"),
      TARGETS[name] ?? "",
      median(of(name, "cpu")).toFixed(0),
      p95(of(name, "cpu")).toFixed(0),
      ratio(name, "cpu"),
      (times.get(name) ?? []).filter((one) => one.printed !== "").length,
    ]),
  );
}
