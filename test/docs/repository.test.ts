import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { publishedManifest } from "../../scripts/pack.mjs";
import { ROOT } from "../support/child.ts";

const text = (path: string) => readFileSync(join(ROOT, path), "utf8");
const manifest = JSON.parse(text("package.json"));
const URL = "https://github.com/continuo-dev/continuo";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly steps: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflows = globSync(".github/workflows/*.yml", { cwd: ROOT }).map(
  (path) => [path, load(text(path)) as Workflow] as const,
);
const steps = workflows.flatMap(([, { jobs }]) => Object.values(jobs).flatMap((job) => job.steps));

describe("workflows", () => {
  it("are read as YAML, and everything that they run or use is there", () => {
    expect(workflows).toHaveLength(2);
    const run = steps.flatMap(({ run = "" }) => [...run.matchAll(/npm (?:run )?([\w:-]+)/g)]);
    const npmOwn = ["install", "publish", "version"];
    const names = run.map(([, name = ""]) => name).filter((name) => !npmOwn.includes(name));
    expect(new Set(names)).toEqual(new Set(["test", "test:e2e", "pack", "install:global"]));
    expect(names.filter((name) => manifest.scripts[name] === undefined)).toEqual([]);
  });

  it("use actions by commit, and keep no credentials", () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.filter((step) => step.with?.["persist-credentials"] !== false)).toEqual([]);
  });

  it("may only read, but for the job that publishes, which proves where the package comes from", () => {
    expect(workflows.map(([, { permissions }]) => permissions)).toEqual([
      { contents: "read" },
      { contents: "read" },
    ]);
    const allowed = workflows.flatMap(([, { jobs }]) =>
      Object.entries(jobs).flatMap(([name, { permissions }]) => (permissions ? [[name, permissions]] : [])),
    );
    expect(allowed).toEqual([["publish", { contents: "read", "id-token": "write" }]]);
    const publishing = steps.filter(({ run }) => run?.startsWith("npm publish"));
    expect(publishing.length).toBeGreaterThan(0);
    expect(publishing.filter(({ run }) => !run?.includes("--provenance"))).toEqual([]);
  });

  it("test Linux, macOS and Windows with Node 22, 24 and 26, by the same commands as .ci/run", () => {
    const ci = workflows.find(([path]) => path.endsWith("ci.yml"))?.[1];
    expect(ci?.jobs["test"]?.strategy?.matrix).toEqual({
      os: ["ubuntu-latest", "macos-latest", "windows-latest"],
      node: [22, 24, 26],
    });
    const commands = Object.values(ci?.jobs ?? {}).flatMap((job) => job.steps.map(({ run }) => run));
    for (const line of text(".ci/run").match(/^npm .*$/gm) ?? []) expect(commands).toContain(line);
  });
});

describe("templates", () => {
  it("of issues are forms that GitHub accepts", () => {
    const forms = globSync(".github/ISSUE_TEMPLATE/*.yml", { cwd: ROOT }).filter(
      (path) => !path.endsWith("config.yml"),
    );
    expect(forms.length).toBeGreaterThan(1);
    for (const path of forms) {
      const form = load(text(path)) as { name: string; description: string; body: { type: string }[] };
      expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
      expect(form.body.every(({ type }) => ["input", "textarea", "markdown"].includes(type))).toBe(true);
    }
  });

  it("link to pages of this repository that exist", () => {
    const links = globSync(".github/**/*.{yml,md}", { cwd: ROOT })
      .concat("SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md")
      .flatMap((path) => [...text(path).matchAll(/https:\/\/github\.com\/(?!\$)[^\s)"]+/g)])
      .map(([link]) => link);
    expect(links.filter((link) => !link.startsWith(URL))).toEqual([]);
    const files = links.flatMap((link) => /\/blob\/main\/(.+)/.exec(link)?.[1] ?? []);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

describe("the changelog", () => {
  const changelog = text("CHANGELOG.md");

  it("has the sections of Keep a Changelog, each once and in their order", () => {
    const [, unreleased = ""] =
      /## \[Unreleased\]\n([\s\S]*?)(?=\n## \[|\n\[Unreleased\]:)/.exec(changelog) ?? [];
    const order = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    const found = [...unreleased.matchAll(/^### (.+)$/gm)].map(([, title]) => title);
    expect(found).toEqual(order.filter((title) => found.includes(title)));
    expect(found.length).toBeGreaterThan(0);
  });

  it("has lines that fit a screen, and a link for every version", () => {
    expect(changelog.split("\n").filter((line) => line.length > 140)).toEqual([]);
    for (const [, version = ""] of changelog.matchAll(/^## \[(.+?)\]/gm))
      expect(changelog).toContain(`\n[${version}]: ${URL}/`);
  });
});

describe("package.json", () => {
  it("says where the project is, so that npm's page has its links and pictures", () => {
    expect(manifest).toMatchObject({
      homepage: `${URL}#readme`,
      bugs: { url: `${URL}/issues` },
      repository: { type: "git", url: `git+${URL}.git` },
      author: expect.any(String),
      license: "MIT",
    });
    expect(manifest.keywords).toContain("claude-code");
    expect(manifest.description.length).toBeLessThan(160);
  });

  it("is published without what only a clone needs", () => {
    const published = publishedManifest(manifest);
    const ours = Object.keys(published).filter((key) =>
      /^(?:scripts|.*[dD]ependencies|allowScripts)$/.test(key),
    );
    expect(ours).toEqual([]);
    expect(published).toMatchObject({ name: "continuo", bin: manifest.bin, exports: manifest.exports });
  });
});
