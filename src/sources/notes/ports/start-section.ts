import { isRecord } from "../../../base/json.ts";
import { typed } from "../../../base/settings.ts";
import { count } from "../../../base/when.ts";
import type { Item, Section } from "../../../compose/section.ts";
import type { Answer, SourceContext } from "../../../moments/ports/source.ts";
import { folderVariables } from "../../../moments/project/prepared-place.ts";
import type { ExpectedStart } from "../../../moments/types.ts";
import { homeAt } from "../../../store/home.ts";
import { type PreparedFor, readPrepared } from "../../../store/prepared.ts";
import { priorityOf } from "../../order.ts";
import { findRoots } from "../files/roots.ts";
import { MEMORY_SETTINGS, rootSettings } from "../settings.ts";

/** A note's line in a start's list, without a list marker. */
export interface StartLine {
  readonly uri: string;
  readonly text: string;
  /** Set if the line contains everything in the note (`lead.ts`). */
  readonly whole?: string;
}

const MAX_TOLD = 20;

/** The notes that this session was told about at its start. */
export const toldIn = (memo: unknown): readonly string[] => textsIn(memo, "told");

/** Hashes of what an addition would say about notes whose lines contain their whole text. */
export const wholeIn = (memo: unknown): readonly string[] => textsIn(memo, "whole");

function textsIn(memo: unknown, key: "told" | "whole"): readonly string[] {
  const texts = isRecord(memo) ? memo[key] : undefined;
  return Array.isArray(texts) ? texts.filter((one) => typeof one === "string").slice(0, MAX_TOLD) : [];
}

export function listAnswer(list: readonly StartLine[]): Answer {
  if (list.length === 0) return {};
  return {
    sections: [listSection(list)],
    remember: (memo) => ({
      ...(isRecord(memo) ? memo : {}),
      told: list.map(({ uri }) => uri),
      whole: list.flatMap(({ whole }) => whole ?? []),
    }),
  };
}

export function listSection(lines: readonly StartLine[]): Section {
  const reason = "notes of this project: the most useful first, by use, age and what they say";
  const items = lines.map(({ uri, text }, i) => ({ key: uri, name: uri, text, reason, priority: -i }));
  const title = "Project notes (read_memory by title)";
  return {
    ...memorySection(title, items, priorityOf("notes at a start")),
    layout: "lines",
    isChoice: true,
    summary: (delivered) => count(delivered, "note"),
  };
}

export function memorySection(title: string, items: readonly Item[], priority: number): Section {
  return { source: "memory", title, nature: "reference", priority, essential: false, items };
}

/** The list of notes that was prepared for this start; undefined if there is none, or it is outdated. */
export function preparedList(start: ExpectedStart, context: SourceContext): readonly StartLine[] | undefined {
  if (!canPrepare(context) || toldIn(context.memo).length > 0) return undefined;
  const value = readPrepared(preparedFor(start, context), { now: Date.now() });
  return Array.isArray(value) && value.every(isLine) ? value : undefined;
}

/** Another program's answers cannot be checked, and the full text contains what changed within the last day. */
export function canPrepare({ settings }: SourceContext): boolean {
  const { sessionStart, startText, command } = typed(MEMORY_SETTINGS, settings);
  return sessionStart && startText === "pointers" && command === "";
}

export function preparedFor({ project, cwd }: ExpectedStart, context: SourceContext): PreparedFor {
  const { home, settings, env } = context;
  return {
    home,
    source: "memory",
    about: [project.id, project.root, cwd],
    given: [settings, findRoots(rootSettings(settings), homeAt(home), env).roots, variables(env)],
  };
}

function variables(env: NodeJS.ProcessEnv): string[] {
  const decay = Object.keys(env).filter((name) => name.startsWith("MAENIFOLD_"));
  return [...folderVariables(env), ...decay.sort().map((name) => `${name}=${env[name]}`)];
}

function isLine(value: unknown): value is StartLine {
  if (!isRecord(value)) return false;
  const { uri, text, whole } = value;
  return (
    typeof uri === "string" && typeof text === "string" && (whole === undefined || typeof whole === "string")
  );
}
