import type { InferOutput } from "valibot";
import { whyRefused } from "../../base/errors.ts";
import { typed } from "../../base/settings.ts";
import { collapse } from "../../base/text.ts";
import { escapeFrames } from "../../compose/frames.ts";
import { fields, oneOf, optional, text } from "../../moments/actions/fields.ts";
import { checkTold } from "../../moments/actions/input.ts";
import type { History, TranscriptReader } from "../../moments/ports/history.ts";
import type { ToolAnswer, ToolContext } from "../../moments/ports/tool.ts";
import type { Turn } from "../../moments/ports/turn.ts";
import { loadSourceSettings } from "../../store/config.ts";
import { statFile } from "../../store/read-file.ts";
import { redact } from "../../store/redact.ts";
import type { SessionTranscript } from "./learning/extraction/extract.ts";
import { isPersons, ownSentences, QUOTED } from "./learning/extraction/own-sentences.ts";
import { scopeOf } from "./learning/extraction/scope.ts";
import { type Candidate, MAX_PENDING, type Skipped } from "./learning/propose.ts";
import { proposeIn } from "./learning/propose-in.ts";
import { SEED_SETTINGS } from "./settings.ts";
import { normalise, visible } from "./text.ts";

/** How many proposals of one session may be pending: a model that proposes more is not listening to the user. */
const PER_SESSION = 5;
const MAX_TEXT = 200;
const MAX_QUOTE = 500;
const LOCK_WAIT_MS = 5000;

/** A call of `propose_learning`. */
export async function callProposeLearning(args: unknown, call: ToolContext): Promise<ToolAnswer> {
  try {
    const wish = checkTold(WISH, args);
    const refused = refusalOf(wish, call);
    return refused === undefined ? await suggest(wish, call) : refusal(refused);
  } catch (error) {
    return refusal(whyRefused(error));
  }
}

const WISH = fields({
  text: text("the wish"),
  evidence: text("their own words, verbatim"),
  scope: optional(oneOf("where it holds", ["project", "everywhere"])),
});
type Wish = InferOutput<typeof WISH>;

function refusal(text: string): ToolAnswer {
  return { ok: false, text: `Not suggested: ${text}` };
}

/** Refusals that need no file. */
function refusalOf(wish: Wish, call: ToolContext): string | undefined {
  if (call.session.parent !== undefined) return "a subagent has not heard the user";
  const settings = loadSourceSettings(call.home.config, "seed", SEED_SETTINGS, call.env);
  if (settings.enabled === false || typed(SEED_SETTINGS, settings).extraction === "off")
    return "the user has turned suggestions off";
  return textFault(wish.text) ?? evidenceFault(wish.evidence);
}

function textFault(text: string): string | undefined {
  if (text.length > MAX_TEXT)
    return `the text is longer than ${MAX_TEXT} characters; one short sentence is enough`;
  if (normalise(text) === "" || visible(text) === "") return "the text is empty";
  if (visible(text) !== collapse(text)) return "the text has hidden characters";
  if (redact(text) !== text) return "the text has a secret in it";
  if (escapeFrames(text) !== text || INJECTION.test(text))
    return "the text addresses the model's own instructions; suggest only how the user wants to work";
  return undefined;
}

/** Words that nobody needs to say how they want to work. */
const INJECTION =
  /\b(?:ignore|disregard|forget|override|bypass) (?:all |any |the |your )*(?:previous|prior|earlier|above|other|system|safety)\b|\bsystem prompt\b|\b(?:jailbreak|developer mode)\b|\b(?:do not|don['’]?t|without) (?:tell|telling|inform|informing) (?:the user|me)\b/i;

function evidenceFault(evidence: string): string | undefined {
  if (evidence.length > MAX_QUOTE)
    return `the evidence is longer than ${MAX_QUOTE} characters; quote one sentence`;
  const words = normalise(evidence);
  const isEnough = /[^\u0000-\u024f]/.test(words)
    ? words.length >= 4
    : words.includes(" ") && words.length >= 8;
  return isEnough ? undefined : "the evidence is too short; quote the user's whole sentence";
}

const ELSEWHERE: Readonly<Record<Exclude<Quoted["by"], "user">, string>> = {
  tool: "the evidence is from a tool's output, not from the user",
  model: "the evidence is from an answer of the model, not from the user",
  pasted: "the evidence is in text that the user pasted or quoted, not in their own words",
  injected: "the evidence is in text that a program added, not in the user's own words",
  nobody: "the user did not say this in this session; quote their own words",
  unread: "this session's transcript is too long to check the evidence",
};

async function suggest({ text, evidence, scope }: Wish, call: ToolContext): Promise<ToolAnswer> {
  const transcript = transcriptOf(call, await call.history());
  if (transcript === undefined)
    return refusal("Continuo cannot read this session's transcript, so the evidence cannot be checked");
  const quoted = findQuote(transcript, evidence, () => call.signal?.aborted === true);
  if (quoted.by !== "user") return refusal(ELSEWHERE[quoted.by]);
  const { session, cwd, home, env, now } = call;
  // As when Continuo extracts it itself: "here" and a fact about a single thing refer to this project.
  const heard = scopeOf(quoted.sentences, /\bremember\b/i.test(quoted.sentences) ? "remember" : undefined);
  const meant = scope ?? heard ?? "everywhere";
  const wish: Candidate = {
    type: meant === "project" ? "insight" : "pattern",
    content: text,
    evidence: quoted.sentences,
    scope: meant,
    by: "model",
    turn: quoted.turn,
    saidAt: quoted.saidAt,
  };
  const { proposed, heldBack, skipped } = await proposeIn(
    cwd,
    [wish],
    { home, env },
    { sessionId: session.id, host: session.host, now, lockWaitMs: LOCK_WAIT_MS, perSession: PER_SESSION },
  );
  if (proposed.length === 0) return refusal(SKIPPED[skipped[0]?.because ?? "empty"]);
  if (heldBack.size > 0) return { ok: true, text: SIMILAR };
  return { ok: true, text: "Suggested. It has no effect until the user accepts it." };
}

const SIMILAR =
  "The user has rejected something similar before. It is kept for their next review, without a notice; do not suggest it again.";

const SKIPPED: Readonly<Record<Skipped, string>> = {
  refused: "the user has rejected this before; do not suggest it again",
  pending: "this already waits for the user's decision",
  learned: "this is already learned",
  empty: "the text is empty",
  secret: "the text has a secret in it",
  "session-full": `${PER_SESSION} suggestions of this session already wait for the user; suggest no more`,
  full: `${MAX_PENDING} suggestions already wait for the user; suggest no more`,
};

/** Whether the user typed a quotation in this session, and its origin if not. */
type Quoted =
  | {
      readonly by: "user";
      readonly turn: string;
      /** The whole sentences that contain it, because a part of one may say the opposite. */
      readonly sentences: string;
      readonly saidAt?: number;
    }
  | { readonly by: "tool" | "model" | "pasted" | "injected" | "nobody" | "unread" };

/** A transcript that takes longer is not read to its end. */
const READING_MS = 2000;
const MAX_LINE_BYTES = 1024 * 1024;

/** The transcript of the session that calls a tool; undefined if its host has none that can be read. */
function transcriptOf(
  { session, cwd, env, transcript }: Pick<ToolContext, "session" | "cwd" | "env" | "transcript">,
  history: History,
): SessionTranscript | undefined {
  const reader = history.get(session.host);
  if (reader === undefined) return undefined;
  const found = transcript === undefined ? undefined : statFile(transcript);
  if (transcript !== undefined && found !== undefined)
    return { reader, file: { host: session.host, id: session.id, path: transcript, cwd, ...found } };
  return ofSession(reader, session.id, env);
}

function ofSession(
  reader: TranscriptReader,
  id: string,
  env: NodeJS.ProcessEnv,
): SessionTranscript | undefined {
  const file = reader.discover(env).find((one) => one.id === id && one.parent === undefined);
  return file === undefined ? undefined : { reader, file };
}

/** Searches for a quotation, ignoring case, white space, punctuation and kinds of quotation marks. */
function findQuote(
  { reader, file }: SessionTranscript,
  quotation: string,
  isCancelled: () => boolean = () => false,
): Quoted {
  const wanted = normalise(quotation);
  const until = Date.now() + READING_MS;
  const isOver = () => Date.now() > until || isCancelled();
  const reading = reader.read(file, { maxLineBytes: MAX_LINE_BYTES, isOver });
  let other: Quoted = { by: "nobody" };
  for (const turn of reading) {
    const by = whose(turn, wanted);
    if (by === "user")
      return { by, turn: turn.id, sentences: sentencesAround(turn, wanted), saidAt: turn.at };
    if (by !== undefined && other.by === "nobody") other = { by };
  }
  return other.by === "nobody" && reading.report().isCut === true ? { by: "unread" } : other;
}

function whose(turn: Turn, wanted: string): Quoted["by"] | undefined {
  if (isPersons(turn) && ownParts(turn).some((part) => holds(part, wanted))) return "user";
  if (turn.injected !== undefined && holds(turn.injected, wanted)) return "injected";
  if (!holds(turn.text, wanted)) return undefined;
  if (turn.role === "assistant") return "model";
  if (turn.role === "tool") return "tool";
  return isPersons(turn) ? "pasted" : "injected";
}

/** The user's sentences that contain the quotation; all of them if it comes from several. */
function sentencesAround(turn: Turn, wanted: string): string {
  const sentences = ownSentences(turn).map(({ text }) => text);
  return sentences.find((text) => holds(text, wanted)) ?? sentences.join(" ");
}

/** What the user typed, without what they pasted or quoted. A quotation cannot match across an omitted part. */
function ownParts(turn: Turn): string[] {
  const parts: string[] = [];
  let text = "";
  let masked = "";
  for (const sentence of ownSentences(turn)) {
    text += `${sentence.text} `;
    masked += `${sentence.masked} `;
  }
  let from = 0;
  for (const gap of masked.matchAll(new RegExp(`${QUOTED}+`, "g"))) {
    parts.push(text.slice(from, gap.index));
    from = gap.index + gap[0].length;
  }
  return [...parts, text.slice(from)];
}

function holds(text: string, wanted: string): boolean {
  return ` ${normalise(text)} `.includes(isWord(wanted) ? ` ${wanted} ` : wanted);
}

/** In scripts without spaces there are no word boundaries to compare. */
function isWord(text: string): boolean {
  return !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(text);
}
