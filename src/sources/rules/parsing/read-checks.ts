import { fingerprint } from "../../../base/fingerprint.ts";
import { isRecord } from "../../../base/json.ts";
import { nearest } from "../../../base/text.ts";
import type { Check, FilePatterns, Lint, Reaction } from "../rule.ts";
import { type GlobCompiler, globCompiler } from "./compile-globs.ts";
import { Fields } from "./fields.ts";
import { meantReaction } from "./meant-reaction.ts";
import { listOf, readCalls } from "./read-calls.ts";
import { show } from "./values.ts";

/** A check before its id is known. */
type NewCheck = Check extends infer C ? (C extends Check ? Omit<C, "id"> : never) : never;

/** A few lines of YAML can repeat a check thousands of times. */
const MAX_CHECKS = 50;

/** The cost of parsing a check, in characters of compiled patterns: its pattern is compiled once. */
const CHECK_COST = 5000;

interface ReadChecks {
  readonly checks: readonly Check[];
  readonly lints: readonly Lint[];
  /** In characters of compiled patterns. */
  readonly cost: number;
}

interface RuleAround {
  readonly name: string;
  readonly body: string;
  /** Its globs and excludes; undefined if they cannot be parsed. */
  readonly files: FilePatterns | undefined;
}

/**
 * The checks of a rule: Continuo's `checks` and `guard`, and those `hooks` of opencode-rules that only block a call. A
 * check that cannot be parsed is left out with a lint and never widened; the rule's text stays.
 */
export async function readChecks(
  front: Readonly<Record<string, unknown>>,
  rule: RuleAround,
): Promise<ReadChecks> {
  const globs = globCompiler();
  const lints: Lint[] = [];
  const checks = new Map<string, Check>();
  let count = 0;
  const add = (read: NewCheck | Lint): void => {
    if (!("on" in read)) {
      lints.push(read);
      return;
    }
    const id = idOf(read);
    checks.set(id, { ...read, id });
  };
  const isFull = (): boolean => ++count > MAX_CHECKS;
  for (const read of readCalls(front, rule, isFull)) add(read);
  const groups = groupsOf(front["checks"], lints);
  for (const [group, list] of groups) {
    for (const one of list) {
      if (isFull()) break;
      add(await readCheck(group, one, globs, rule));
    }
  }
  if (count > MAX_CHECKS)
    lints.push({
      code: "check-shape",
      message: `there are more than ${MAX_CHECKS} checks; the others are left out`,
      hint: "split the rule",
    });
  const usual = JSON.stringify(rule.files ?? null).length * checks.size;
  const cost = Math.min(count, MAX_CHECKS) * CHECK_COST + globs.cost() + usual;
  return { checks: [...checks.values()], lints: [...lints, ...globs.lints], cost };
}

const GROUPS = ["edits", "commands", "answer", "run"] as const;
type Group = (typeof GROUPS)[number];

function groupsOf(value: unknown, lints: Lint[]): [Group, readonly unknown[]][] {
  if (value === undefined || value === null) return [];
  if (!isRecord(value)) {
    const message = `checks is ${show(value)}; all checks of the rule are left out`;
    lints.push({ code: "check-shape", message, hint: `give a map with ${GROUPS.join(", ")}` });
    return [];
  }
  const groups: [Group, readonly unknown[]][] = [];
  for (const [key, list] of Object.entries(value)) {
    const group = GROUPS.find((one) => one === key);
    if (group !== undefined) groups.push([group, listOf(list)]);
    else {
      const near = nearest(key, [...GROUPS]);
      const reaction = meantReaction(key, "reaction", " in one of its checks");
      lints.push({
        code: "check-shape",
        message: `checks has the unknown key "${key.slice(0, 80)}"; the checks below it are left out`,
        hint:
          reaction ?? (near === undefined ? `the keys are ${GROUPS.join(", ")}` : `did you mean "${near}"?`),
      });
    }
    if (groups.length + lints.length > MAX_CHECKS) break;
  }
  return groups;
}

const WHAT: Readonly<Record<Group, string>> = {
  edits: "a check of edits",
  commands: "a check of commands",
  answer: "a check of the answer",
  run: "a check that runs a command",
};

async function readCheck(
  group: Group,
  one: unknown,
  globs: GlobCompiler,
  rule: RuleAround,
): Promise<NewCheck | Lint> {
  if (!isRecord(one))
    return {
      code: "check-shape",
      message: `${WHAT[group]} is ${show(one)}; the check is left out`,
      hint: `give a map, such as { ${group === "run" ? "command: npx eslint" : "never: 'a pattern'"} }`,
    };
  const fields = new Fields(one, WHAT[group], KEYS[group]);
  const check = await READERS[group](fields, globs, rule);
  return fields.problem ?? check;
}

const COMMON = ["reaction", "message"];
const KEYS: Readonly<Record<Group, readonly string[]>> = {
  edits: ["never", "must", "except", "files", "new", ...COMMON],
  commands: ["never", "ask", "before", "ran", "except", "files", ...COMMON],
  answer: ["never", "must", ...COMMON],
  run: ["command", "files", "timeout", ...COMMON],
};

const ALL: readonly Reaction[] = ["remind", "deny", "ask", "report"];
/** A stop can be refused, but the user is never asked about it. */
const AT_STOP: readonly Reaction[] = ["remind", "deny", "report"];
/** A program's result comes too late to block anything. */
const AFTERWARDS: readonly Reaction[] = ["remind", "report"];

type Reader = (fields: Fields, globs: GlobCompiler, rule: RuleAround) => Promise<NewCheck>;

const READERS: Readonly<Record<Group, Reader>> = {
  async edits(fields, globs, rule) {
    const key = fields.oneOf(["never", "must"]);
    if (key === "must" && fields.has("except"))
      fields.wrong("check-shape", "a check of edits has except with must", "except goes with never");
    const except = fields.pattern("except");
    return {
      on: "edits",
      reaction: fields.reaction(ALL, "remind"),
      ...(key !== undefined && { [key]: fields.pattern(key) ?? "" }),
      ...(except !== undefined && { except }),
      ...(fields.flag("new") && { isNewOnly: true }),
      ...message(fields),
      files: await fields.files(globs, rule.files),
    };
  },

  async commands(fields, globs, rule) {
    const key = fields.oneOf(["never", "ask", "before"]);
    if (fields.has("ran") !== (key === "before"))
      fields.wrong(
        "check-shape",
        "a check of commands has only one of before and ran",
        "give both: before 'git commit', ran 'npm test'",
      );
    if (key !== "before" && fields.has("files"))
      fields.wrong("check-shape", "a check of commands has files without ran", "files goes with ran");
    const ran = fields.pattern("ran");
    const files = await fields.files(globs, rule.files);
    if (key === "before" && fields.text("before") === "done") {
      if (fields.has("except"))
        fields.wrong("check-shape", 'a check has except with "before: done"', "leave except out");
      return {
        on: "done",
        reaction: fields.reaction(AT_STOP, "remind"),
        ran: ran ?? "",
        ...message(fields),
        files,
      };
    }
    const except = fields.pattern("except");
    return {
      on: "commands",
      reaction: key === "ask" ? fields.reaction(["ask"], "ask") : fields.reaction(ALL, "remind"),
      match: (key && fields.pattern(key)) ?? "",
      ...(except !== undefined && { except }),
      ...(ran !== undefined && { ran }),
      ...message(fields),
      files,
    };
  },

  async answer(fields) {
    const key = fields.oneOf(["never", "must"]);
    return {
      on: "answer",
      reaction: fields.reaction(AT_STOP, "remind"),
      ...(key !== undefined && { [key]: fields.pattern(key) ?? "" }),
      ...message(fields),
    };
  },

  async run(fields, globs, rule) {
    const text = fields.text("command");
    const command = text === undefined ? undefined : commandWords(text);
    if (command === undefined)
      fields.wrong(
        "check-shape",
        "a check that runs a command has no command that is one program with its arguments",
        "run takes one program, without a shell: no | ; & < > $ ` and parentheses",
      );
    return {
      on: "run",
      reaction: fields.reaction(AFTERWARDS, "remind"),
      command: command ?? [],
      timeoutMs: fields.number("timeout", 60, 600) * 1000,
      ...message(fields),
      files: await fields.files(globs, rule.files),
    };
  },
};

function message(fields: Fields): { message?: string } {
  const text = fields.text("message")?.trim();
  return text === undefined ? {} : { message: text };
}

/** Stays the same as long as the check's text does. Uses globs as written, because their compiled form may change. */
function idOf(check: NewCheck): string {
  const written =
    "files" in check
      ? {
          ...check,
          files: [check.files.include, check.files.exclude].map((all) => all.map(({ text }) => text)),
        }
      : check;
  return fingerprint(JSON.stringify(written)).slice(0, 8);
}

/** Characters for which a command needs a shell. */
const SHELL = /[|;&<>$`()\n\r]/;

/**
 * The words of a command that is started without a shell; undefined if it needs a shell or a quotation mark is not
 * closed.
 */
function commandWords(command: string): string[] | undefined {
  if (SHELL.test(command)) return undefined;
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (const character of command.trim()) {
    if (quote !== "") {
      if (character === quote) quote = "";
      else word = (word ?? "") + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (word !== undefined) words.push(word);
  return quote === "" && words[0] !== undefined && words[0] !== "" ? words : undefined;
}
