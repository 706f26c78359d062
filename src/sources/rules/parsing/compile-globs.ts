import { compiledLength, toPatterns } from "../matching/globs.ts";
import type { Lint, Pattern } from "../rule.ts";

/** The limit for all compiled patterns of a rule: enough for a few hundred. They are cached and read at every hook. */
const MAX_COMPILED = 64 * 1024;

/** `!(a)` is an extended glob, not a negation. */
const NEGATED = /^!(?!\()/;
const ACCEPTED_GLOB =
  "a glob whose brackets and braces close, of at most 1000 characters and 256 alternatives (write \\[ for a bracket itself)";

/** Compiles the globs of one rule, as many as fit. */
export interface GlobCompiler {
  readonly problems: readonly string[];
  readonly lints: readonly Lint[];
  /** The cost of compiling or refusing its globs, in characters of compiled patterns. */
  cost(): number;
  compile(key: string, globs: readonly string[], compile: typeof toPatterns): Promise<Pattern[]>;
  /** Compiles a list in which `!` excludes. */
  compileList(
    key: string,
    globs: readonly string[],
  ): Promise<{ readonly include: readonly Pattern[]; readonly exclude: readonly Pattern[] }>;
}

export function globCompiler(): GlobCompiler {
  const problems: string[] = [];
  const lints: Lint[] = [];
  /** Length of the compiled patterns: estimated in advance, and measured after compiling. */
  let [counted, made] = [0, 0];

  async function compile(
    key: string,
    globs: readonly string[],
    compileOne: typeof toPatterns,
  ): Promise<Pattern[]> {
    const patterns: Pattern[] = [];
    const tooMany = () => {
      problems.push(`${key} has too many patterns, or too large ones; split the rule`);
      return patterns;
    };
    // Estimates all of them before compiling the first, because refusing a rule must cost less than accepting one.
    for (const glob of globs) {
      counted += compiledLength(glob);
      if (counted > MAX_COMPILED) return tooMany();
    }
    for (const glob of globs) {
      if (made > MAX_COMPILED) return tooMany();
      const one = NEGATED.test(glob) ? undefined : await compileOne(glob); // a negation of a negation is refused
      if (one === undefined)
        problems.push(`${key} has ${JSON.stringify(glob.slice(0, 80))}; give ${ACCEPTED_GLOB}`);
      else patterns.push(...one);
      for (const { regex } of one ?? []) made += regex.length;
      lints.push(...(compileOne === toPatterns ? lintGlob(glob) : []));
    }
    return patterns;
  }

  return {
    problems,
    lints,
    cost: () => Math.max(Math.min(counted, MAX_COMPILED), made),
    compile,
    async compileList(key, globs) {
      const isNegated = (glob: string) => NEGATED.test(glob);
      const wanted = globs.filter((glob) => !isNegated(glob));
      const negated = globs.filter(isNegated).map((glob) => glob.slice(1));
      return {
        include: await compile(key, wanted, toPatterns),
        exclude: await compile(key, negated, toPatterns),
      };
    },
  };
}

function lintGlob(glob: string): Lint[] {
  const dead = (why: string): Lint[] => [
    { code: "dead-pattern", message: `"${glob}" can never match: ${why}` },
  ];
  if (/^(\.\.([/\\]|$)|.*[/\\]\.\.([/\\]|$))/.test(glob)) return dead("paths never contain ..");
  if (/^([A-Za-z]:[/\\]|~[/\\]|\$(HOME|PWD)\b|file:|\/(home|Users)\/[^/*]+\/)/.test(glob))
    return dead("paths are relative to the project");
  if (/^[a-z]+$/.test(glob)) {
    return [
      { code: "bare-name", message: `"${glob}" is a file's name`, hint: `for a folder write ${glob}/` },
    ];
  }
  return [];
}
