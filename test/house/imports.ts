import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../support/child.ts";

export interface Import {
  readonly file: string;
  readonly to: string;
  /** Types cost nothing at run time, but who reads one file still has to know the other. */
  readonly isType: boolean;
  readonly isLazy: boolean;
}

const IMPORT = /(?:^|\n)(?:import|export) (type )?(?:[^;"]*? from )?"(\.[^"]+)"|import\(\s*"(\.[^"]+)"/g;

/** All code below `src`, from there. */
export const files = globSync("**/*.{ts,tsx}", { cwd: join(ROOT, "src") }).map((path) =>
  path.replaceAll("\\", "/"),
);

export const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(join(ROOT, "src", file), "utf8").matchAll(IMPORT)].map(([, type, path, lazy]) => ({
    file,
    to: join(dirname(file), path ?? lazy ?? "").replaceAll("\\", "/"),
    isType: type !== undefined,
    isLazy: lazy !== undefined,
  })),
);

export const topFolder = (path: string): string => path.split("/")[0] ?? "";

/** Folders beside each other that lead back to themselves, as `parent: a, b`. */
export function knots(edges: readonly Pick<Import, "file" | "to">[]): readonly string[] {
  const targets = new Map<string, Set<string>>();
  for (const { file, to } of edges) {
    const [from, into] = apart(dirname(file).split("/"), dirname(to).split("/"));
    if (from !== undefined && into !== undefined)
      targets.set(from, (targets.get(from) ?? new Set()).add(into));
  }
  const reached = (start: string) => {
    const all = new Set<string>();
    const visit = (folder: string): void => {
      for (const next of targets.get(folder) ?? []) {
        if (all.has(next)) continue;
        all.add(next);
        visit(next);
      }
    };
    visit(start);
    return all;
  };
  const reach = new Map([...targets.keys()].map((folder) => [folder, reached(folder)]));
  const found = [...reach].flatMap(([folder, all]) => {
    const others = [...all].filter((other) => reach.get(other)?.has(folder)).sort();
    return others[0] === folder
      ? [`${dirname(folder)}: ${others.map((one) => one.split("/").at(-1)).join(", ")}`]
      : [];
  });
  return found.sort();
}

/** The two folders at which the ways part; nothing if one is inside the other. */
function apart(from: readonly string[], to: readonly string[]): readonly (string | undefined)[] {
  const at = from.findIndex((name, index) => name !== to[index]);
  if (at < 0 || to[at] === undefined) return [];
  return [from.slice(0, at + 1).join("/"), to.slice(0, at + 1).join("/")];
}
