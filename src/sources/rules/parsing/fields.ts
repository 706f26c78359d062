import { nearest } from "../../../base/text.ts";
import { patternProblem } from "../matching/pattern-problem.ts";
import { isSearchable } from "../matching/search-pattern.ts";
import type { FilePatterns, Lint, Reaction } from "../rule.ts";
import type { GlobCompiler } from "./compile-globs.ts";
import { meantReaction } from "./meant-reaction.ts";
import { show, toList } from "./values.ts";

const PATTERN_HINT =
  "give a regular expression without lookaround and back-references, of at most 1000 characters, in single quotes";

/** The fields of one check as its author wrote them. The first mistake is stored, and the check is then left out. */
export class Fields {
  problem: Lint | undefined;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #what: string;

  /** `what`: for example "a check of edits". */
  constructor(values: Readonly<Record<string, unknown>>, what: string, known: readonly string[]) {
    this.#values = values;
    this.#what = what;
    const odd = Object.keys(values).find((key) => !known.includes(key));
    if (odd === undefined) return;
    const reaction = known.includes("reaction") ? meantReaction(odd, "reaction") : undefined;
    const near = odd === "action" ? "reaction" : nearest(odd, [...known]);
    const other = near === undefined ? `the keys are ${known.join(", ")}` : `did you mean "${near}"?`;
    const hint = reaction ?? other;
    this.wrong("check-shape", `${what} has the unknown key "${odd.slice(0, 80)}"`, hint);
  }

  wrong(code: string, why: string, hint: string): void {
    this.problem ??= { code, message: `${why}; the check is left out`, hint };
  }

  /** `a check of edits has never: "("`. */
  #has(key: string): string {
    return `${this.#what} has ${key}: ${show(this.#values[key])}`;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#values, key);
  }

  /** Which of these keys is given; there must be exactly one. */
  oneOf<K extends string>(keys: readonly K[]): K | undefined {
    const given = keys.filter((key) => this.has(key));
    if (given.length === 1) return given[0];
    this.wrong(
      "check-shape",
      `${this.#what} has ${given.length === 0 ? "none" : "more than one"} of ${keys.join(", ")}`,
      "give exactly one of them",
    );
    return undefined;
  }

  text(key: string): string | undefined {
    const value = this.#values[key];
    if (value === undefined) return undefined;
    if (typeof value === "string" && value.trim() !== "") return value;
    this.wrong("check-shape", this.#has(key), "give a text in quotes");
    return undefined;
  }

  pattern(key: string): string | undefined {
    const value = this.#values[key];
    if (value === undefined) return undefined;
    if (typeof value !== "string" || value === "") {
      this.wrong("check-pattern", this.#has(key), PATTERN_HINT);
      return undefined;
    }
    // In YAML, "\b" in double quotes is a backspace.
    if (/[\0-\x08\x0b-\x1f]/.test(value)) {
      this.wrong(
        "check-pattern",
        `${this.#has(key)}, which has a control character`,
        "put the regular expression into single quotes: in double quotes YAML reads \\b as a backspace",
      );
      return undefined;
    }
    if (/\n|(?<!\\)(\\\\)*\\n/.test(value)) {
      this.wrong(
        "check-pattern",
        `${this.#has(key)}, which has a line break`,
        "each line is searched on its own; give a pattern for one line",
      );
      return undefined;
    }
    if (!isSearchable(value)) {
      this.wrong("check-pattern", `${this.#has(key)}, which ${patternProblem(value)}`, PATTERN_HINT);
      return undefined;
    }
    return value;
  }

  reaction(allowed: readonly Reaction[], usual: Reaction): Reaction {
    const value = this.#values["reaction"];
    if (value === undefined) return usual;
    const found = allowed.find((one) => one === value);
    if (found === undefined)
      this.wrong(
        "check-shape",
        this.#has("reaction"),
        allowed.length === 1 ? `it can only be ${allowed.join()}: leave it out` : `give ${either(allowed)}`,
      );
    return found ?? usual;
  }

  flag(key: string): boolean {
    const value = this.#values[key];
    if (value !== undefined && typeof value !== "boolean")
      this.wrong("check-shape", this.#has(key), "give true or false");
    return value === true;
  }

  number(key: string, usual: number, most: number): number {
    const value = this.#values[key];
    if (value === undefined) return usual;
    if (typeof value === "number" && value > 0 && value <= most) return value;
    this.wrong("check-shape", this.#has(key), `give a number up to ${most}`);
    return usual;
  }

  /** `usual`: the rule's own files; undefined if they cannot be parsed. */
  async files(globs: GlobCompiler, usual: FilePatterns | undefined): Promise<FilePatterns> {
    const value = this.#values["files"];
    if (value === undefined) {
      if (usual !== undefined) return usual;
      this.wrong("check-files", `the rule's globs cannot be read, so ${this.#what} has no files`, FILES_HINT);
      return NO_FILES;
    }
    const given = toList(value, "items");
    if (given === undefined || given.length === 0) {
      this.wrong("check-files", this.#has("files"), FILES_HINT);
      return NO_FILES;
    }
    const before = globs.problems.length;
    const read = await globs.compileList("files", given);
    const problem = globs.problems[before];
    if (problem !== undefined) this.wrong("check-files", `${this.#what}: ${problem}`, FILES_HINT);
    return read;
  }
}

const either = (all: readonly string[]): string => `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;

const FILES_HINT = 'give files of the check, such as "src/**/*.ts"';
const NO_FILES: FilePatterns = { include: [], exclude: [] };
