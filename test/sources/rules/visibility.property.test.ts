import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { rules } from "../../../src/sources/rules/source.ts";
import { engineWorld } from "../../support/engine.ts";
import { temporaryWorld, write } from "../../support/world.ts";

/** A rule's condition in the model of this test. */
interface World {
  branch: string;
  words: Set<string>;
  tools: Set<string>;
  /** Contents of touched files by path, as they were when touched. */
  touched: Map<string, string>;
}

const RULES: Record<string, { front: string; holds(world: World): boolean }> = {
  always: { front: "", holds: () => true },
  ts: {
    front: "globs: ['*.ts']",
    holds: (world) => [...world.touched.keys()].some((path) => path.endsWith(".ts")),
  },
  notTest: {
    front: "globs: ['*.ts']\nexclude: ['*.test.ts']",
    holds: (world) =>
      [...world.touched.keys()].some((path) => path.endsWith(".ts") && !path.endsWith(".test.ts")),
  },
  db: { front: "keywords: [database]", holds: (world) => world.words.has("database") },
  both: {
    front: "globs: ['*.css']\nkeywords: [style]\nmatch: all",
    holds: (world) =>
      world.words.has("style") && [...world.touched.keys()].some((path) => path.endsWith(".css")),
  },
  bash: { front: "tools: [Bash]", holds: (world) => world.tools.has("Bash") },
  release: { front: "branch: ['release/*']", holds: (world) => world.branch.startsWith("release/") },
  magic: {
    front: "globs: ['**/*.css']\nfileContains: MAGIC",
    holds: (world) =>
      [...world.touched].some(([path, text]) => path.endsWith(".css") && text.includes("MAGIC")),
  },
};

const FILES: Record<string, string> = {
  "src/a.ts": "x",
  "src/a.test.ts": "x",
  "look.css": "a {}",
  "web/magic.css": "MAGIC",
};

const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constantFrom("read" as const, "edit" as const),
      path: fc.constantFrom(...Object.keys(FILES)),
    }),
    fc.record({
      do: fc.constant("prompt" as const),
      words: fc.constantFrom("hello", "the database please", "Style it", "databases and style"),
    }),
    fc.record({ do: fc.constant("bash" as const) }),
    fc.record({
      do: fc.constant("checkout" as const),
      branch: fc.constantFrom("main", "release/1", "release/2"),
    }),
    fc.record({
      do: fc.constant("rewrite" as const),
      rule: fc.constantFrom(...Object.keys(RULES)),
      version: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ do: fc.constant("delete" as const), rule: fc.constantFrom(...Object.keys(RULES)) }),
    fc.record({ do: fc.constant("compacted" as const) }),
    fc.record({ do: fc.constant("resume" as const) }),
  ),
  { minLength: 3, maxLength: 22 },
);

it("delivers every rule that applies, in its newest text, once, and no other rule, in any sequence of moments", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const place = temporaryWorld(FILES);
      const world = engineWorld([rules], {}, place);
      const versions = new Map(Object.keys(RULES).map((name) => [name, 0]));
      const textOf = (name: string) => `Text-${name}-v${versions.get(name)}.`;
      const ruleFile = (name: string) => join(place.root, ".continuo/rules", `${name}.md`);
      const save = (name: string) =>
        writeFileSync(ruleFile(name), `---\n${RULES[name]!.front}\n---\n${textOf(name)}\n`);
      mkdirSync(join(place.root, ".continuo/rules"), { recursive: true });
      for (const name of versions.keys()) save(name);
      write(place.root, { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "" });

      const model: World = { branch: "main", words: new Set(), tools: new Set(), touched: new Map() };
      const holding = () => [...versions.keys()].filter((name) => RULES[name]!.holds(model)).map(textOf);
      let visible: string[] = [];
      const show = (text: string) => {
        const shown = [...text.matchAll(/Text-\w+-v\d\./g)].map(([one]) => one);
        // No rule is delivered that does not apply or is already visible with the same text.
        for (const one of shown) expect(holding()).toContain(one);
        for (const one of shown) expect(newest(one.split("-")[1]!)).not.toBe(one);
        visible.push(...shown);
      };
      const newest = (name: string) => visible.findLast((one) => one.startsWith(`Text-${name}-`));
      const expectAllVisible = () => {
        for (const text of holding()) expect(newest(text.split("-")[1]!)).toBe(text);
      };

      show(await world.start());
      expectAllVisible();
      for (const step of sequence) {
        if (step.do === "checkout") {
          model.branch = step.branch;
          writeFileSync(join(place.root, ".git/HEAD"), `ref: refs/heads/${step.branch}\n`);
        } else if (step.do === "rewrite") {
          versions.set(step.rule, step.version);
          save(step.rule);
        } else if (step.do === "delete") {
          versions.delete(step.rule);
          rmSync(ruleFile(step.rule), { force: true });
        } else if (step.do === "bash") {
          model.tools.add("Bash");
          show(await world.tool("Bash"));
          expectAllVisible();
        } else if (step.do === "prompt") {
          // Prompts are not stored: a keyword counts for the rules that existed at that time.
          const asked = { database: "db", style: "both" };
          for (const [word, rule] of Object.entries(asked)) {
            if (step.words.toLowerCase().includes(word) && versions.has(rule)) model.words.add(word);
          }
          show(await world.prompt(step.words));
          expectAllVisible();
        } else if (step.do === "compacted") {
          visible = [];
          show(await world.compacted());
          expectAllVisible();
        } else if (step.do === "resume") {
          // A replay of the snapshot, whose texts are then the last ones that the model has.
          const replay = await world.resume();
          visible.push(...[...replay.matchAll(/Text-\w+-v\d\./g)].map(([one]) => one));
        } else {
          model.touched.set(step.path, FILES[step.path]!);
          show(
            await world.tool(step.do === "read" ? "Read" : "Edit", "s1", [
              { path: step.path, access: step.do },
            ]),
          );
          expectAllVisible();
        }
      }
      expect(world.trouble).toEqual([]);
    }),
    { numRuns: 150 },
  );
}, 120_000);
