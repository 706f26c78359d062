import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";

/** What is searched: one conversation, one vault, or everything at once ("pooled"). */
export interface Corpus {
  readonly documents: readonly Document[];
  readonly questions: readonly Question[];
}

export interface Document {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
}

export interface Question {
  readonly query: string;
  readonly gold: ReadonlySet<string>;
  /** The document that the query was taken from. It contains the query verbatim and is left out. */
  readonly from?: string;
}

export interface Task {
  readonly name: string;
  readonly unit: string;
  readonly scope: string;
  readonly corpora: readonly Corpus[];
}

const DATA = process.env["CONTINUO_BENCH_DATA"] ?? join(import.meta.dirname, "../../../shared/bench");

/** The development halves; undefined if they are not on this machine. */
export function tasks(): Task[] | undefined {
  if (!existsSync(DATA)) return undefined;
  return [
    { name: "coding sessions", unit: "session", scope: "pooled", corpora: [codingSessions()] },
    { name: "LoCoMo turn", unit: "turn", scope: "per conversation", corpora: locomo("turn") },
    { name: "LoCoMo session", unit: "session", scope: "per conversation", corpora: locomo("session") },
    { name: "BEAM 100K", unit: "message", scope: "per chat", corpora: beam() },
    { name: "vault logseq-docs", unit: "note", scope: "pooled", corpora: [vault()] },
  ];
}

export const dataFolder = DATA;

/** A commit's subject finds the sessions that made it. */
function codingSessions(): Corpus {
  const folder = join(DATA, "coding-sessions");
  const sessions = unzip(join(folder, "sessions-dev.jsonl.gz"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { session_id: string; messages: [string, string, string][] });
  const commits = json(join(folder, "commits-dev.json")) as { subject: string; gold_sessions: string[] }[];
  return {
    documents: sessions.map(({ session_id, messages }) => ({
      id: session_id,
      text: messages.map(([, , text]) => text).join("\n\n"),
    })),
    questions: commits
      .filter(({ subject }) => subject.split(/\s+/).length >= 3)
      .map(({ subject, gold_sessions }) => ({ query: subject, gold: new Set(gold_sessions) })),
  };
}

interface Turn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
}

interface Conversation {
  readonly conversation: Record<string, string | Turn[]>;
  readonly qa: { readonly question: string; readonly evidence?: string[] }[];
}

function locomo(unit: "turn" | "session"): Corpus[] {
  const conversations = json(join(DATA, "locomo/locomo-dev.json")) as Conversation[];
  return conversations.map(({ conversation, qa }) => {
    const sessions = Object.values(conversation).filter((value) => Array.isArray(value));
    const turns = sessions.flat().map((turn) => ({ id: turn.dia_id, text: spoken(turn) }));
    const whole = sessions
      .filter((session) => session.length > 0)
      .map((session) => ({ id: sessionOf(session[0]!.dia_id), text: session.map(spoken).join("\n") }));
    const evidence = qa.map(({ question, evidence = [] }) => ({
      query: question,
      turns: evidence.flatMap((text) => text.match(/D\d+:\d+/g) ?? []),
    }));
    return {
      documents: unit === "turn" ? turns : whole,
      questions: evidence
        .filter((one) => one.turns.length > 0)
        .map((one) => ({
          query: one.query,
          gold: new Set(unit === "turn" ? one.turns : one.turns.map(sessionOf)),
        })),
    };
  });
}

const spoken = ({ speaker, text }: Turn): string => `${speaker}: ${text}`;
const sessionOf = (turn: string): string => turn.split(":")[0] ?? turn;

interface Chat {
  readonly messages: { readonly id: number; readonly content: string }[];
  readonly questions: Record<string, { readonly question: string; readonly source_chat_ids?: unknown }[]>;
}

function beam(): Corpus[] {
  const chats = JSON.parse(unzip(join(DATA, "beam/beam-100k-dev.json.gz"))) as Chat[];
  return chats.map(({ messages, questions }) => ({
    documents: messages.map(({ id, content }) => ({ id: String(id), text: content })),
    questions: Object.values(questions)
      .flat()
      .map(({ question, source_chat_ids }) => ({
        query: question,
        gold: new Set(numbersIn(source_chat_ids)),
      }))
      .filter(({ gold }) => gold.size > 0),
  }));
}

function numbersIn(value: unknown): string[] {
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

/**
 * A line with a `[[link]]` finds the linked note. The link is removed from the query, because it contains the title, and
 * the note that the line is in is left out of the ranking.
 */
function vault(): Corpus {
  const folder = join(DATA, "vaults/logseq-docs");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /^(pages|journals)\/.*\.(md|org)$/.test(name))
    .sort();
  const documents = files.map((name) => {
    const title = decodeURIComponent(basename(name).replace(/\.\w+$/, "")).replaceAll("___", "/");
    return { id: title.toLowerCase(), title, text: readFileSync(join(folder, name), "utf8") };
  });
  const ids = new Set(documents.map(({ id }) => id));
  const questions = documents.flatMap(({ id, text }) =>
    text.split("\n").flatMap((line) => {
      const links = [...line.matchAll(/\[\[([^[\]]+)\]\]/g)].map(([, target = ""]) => target.toLowerCase());
      const gold = new Set(links.filter((link) => ids.has(link) && link !== id));
      const query = line.replace(/\[\[[^[\]]+\]\]/g, " ").trim();
      return gold.size > 0 && query.split(/\s+/).length >= 4 ? [{ query, gold, from: id }] : [];
    }),
  );
  return { documents, questions };
}

const json = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const unzip = (path: string): string => gunzipSync(readFileSync(path)).toString("utf8");
