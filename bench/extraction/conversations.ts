import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { loadHistory } from "../../src/hosts/index.ts";
import { makeTurn } from "../../src/hosts/shared/history/turns.ts";
import type { Turn } from "../../src/moments/ports/turn.ts";
import { statFile } from "../../src/store/read-file.ts";

/** One conversation, as the extraction reads it. */
export interface Conversation {
  readonly id: string;
  readonly turns: readonly Turn[];
  /** Turns with a lasting instruction, according to the data set; undefined if it does not say. */
  readonly gold?: ReadonlySet<string>;
}

export interface Collection {
  readonly name: string;
  readonly conversations: readonly Conversation[];
}

export const DATA = process.env["CONTINUO_BENCH_DATA"] ?? join(import.meta.dirname, "../../../shared/bench");

/** Undefined if the data is not on this machine. */
export function collections(): Collection[] | undefined {
  if (!existsSync(DATA)) return undefined;
  return [
    { name: "coding sessions", conversations: codingSessions() },
    { name: "raw transcripts", conversations: rawTranscripts() },
    { name: "BEAM 100K", conversations: beam() },
    ...specStory(),
  ];
}

type Message = readonly [role: "user" | "assistant", at: string, text: string];

function codingSessions(): Conversation[] {
  const text = unzip(join(DATA, "coding-sessions/sessions-dev.jsonl.gz"));
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { session_id: string; messages: Message[] })
    .map(({ session_id: id, messages }) => ({
      id,
      turns: messages.map(([role, at, said], place) =>
        makeTurn({ id: `${id}/${place}`, role, text: said, at: Date.parse(at), offset: place }),
      ),
    }));
}

const history = await loadHistory();

function rawTranscripts(): Conversation[] {
  return (["claude-code", "pi"] as const).flatMap((host) => {
    const folder = join(DATA, "transcripts", host);
    return readdirSync(folder)
      .sort()
      .flatMap((name) => {
        const path = join(folder, name);
        const found = statFile(path);
        if (found === undefined) return [];
        const file = { host, id: name, path, ...found };
        const reader = history.get(host);
        return reader !== undefined && reader.headerOf(file).parent === undefined
          ? [{ id: name, turns: [...reader.read(file)] }]
          : [];
      });
  });
}

/** Transcripts that people committed with SpecStory: one folder per repository, in `specstory/`. */
function specStory(): Collection[] {
  const folder = join(DATA, "specstory");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((repository) => {
      const files = readdirSync(join(folder, repository), { recursive: true, encoding: "utf8" });
      const conversations = files
        .filter((name) => name.endsWith(".md"))
        .sort()
        .map((name) => ({
          id: name,
          turns: specStoryTurns(name, readFileSync(join(folder, repository, name), "utf8")),
        }));
      return { name: `SpecStory ${repository}`, conversations };
    });
}

function specStoryTurns(name: string, text: string): Turn[] {
  const marks = [...text.matchAll(/^_\*\*(User|Agent|Assistant)\b([^*\n]*)\*\*_[ \t]*$/gm)];
  return marks.map((mark, place) => {
    const said = text.slice(mark.index + mark[0].length, marks[place + 1]?.index).replace(/\n---\s*$/, "");
    // A resumed or forked session repeats the earlier turns, with the same times.
    const at = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/.exec(mark[2] ?? "")?.[0];
    return makeTurn({
      id: at ?? `${name}/${place}`,
      role: mark[1] === "User" ? "user" : "assistant",
      text: said.trim(),
      offset: place,
      marks: mark[2]?.includes("sidechain") ? { sidechain: true } : {},
    });
  });
}

interface Chat {
  readonly messages: { readonly id: number; readonly role: "user" | "assistant"; readonly content: string }[];
  readonly questions: Record<string, { readonly source_chat_ids?: unknown }[]>;
}

function beam(): Conversation[] {
  const chats = JSON.parse(unzip(join(DATA, "beam/beam-100k-dev.json.gz"))) as Chat[];
  return chats.map(({ messages, questions }, chat) => {
    const users = new Set(messages.filter((one) => one.role === "user").map((one) => one.id));
    // The first message of each is where the instruction was given; the others only follow it.
    const gold = (questions["instruction_following"] ?? []).flatMap((one) => {
      const first = numbersIn(one.source_chat_ids).find((id) => users.has(id));
      return first === undefined ? [] : [`beam-${chat}/${first}`];
    });
    return {
      id: `beam-${chat}`,
      // Each ends with a marker of the data set, which no person typed.
      turns: messages.map(({ id, role, content }) =>
        makeTurn({
          id: `beam-${chat}/${id}`,
          role,
          text: content.replace(/\s*->->[\s\d,.]*$/, ""),
          offset: id,
        }),
      ),
      gold: new Set(gold),
    };
  });
}

function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

const unzip = (path: string): string => gunzipSync(readFileSync(path)).toString("utf8");
