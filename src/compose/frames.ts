import { drawnLike } from "./drawn-like.ts";

/**
 * The tags in which we and hosts wrap what a model is told. A content that opens or closes one would speak with our
 * voice or the host's. Read as a model reads: letters of other widths, cases and look-alike alphabets count as the plain
 * ones, and whatever cannot be seen counts as nothing.
 */

/**
 * Longer names that begin like these count too, and their words need not be divided. All our markup begins with the first,
 * so it protects every tag that we have or will have.
 */
const OPEN = ["continuo", "system-reminder", "hook-context", "session-start-hook", "antml"];

/** Whole names only, their words divided: `SystemMessage` is also a class in many programs. */
const WHOLE = [
  "system-message",
  "system-notification",
  // Claude Code
  "user-prompt-submit-hook",
  "post-tool-use-hook",
  "local-command-stdout",
  "local-command-stderr",
  "local-command-caveat",
  "command-name",
  "command-message",
  "command-args",
  "command-contents",
  "bash-input",
  "bash-stdout",
  "bash-stderr",
  "task-notification",
  "teammate-message",
  "persisted-output",
  "new-diagnostics",
  "ide-opened-file",
  "ide-selection",
  "ide-diagnostics",
  "tool-use-error",
  "function-calls",
  "function-result",
  "function-results",
  "tool-result",
  "invoke",
  "system",
  // Codex
  "environment-context",
  "user-instructions",
  "instructions",
  "permissions-instructions",
  "skills-instructions",
  "collaboration-mode",
  "turn-aborted",
  "user-shell-command",
  "subagent-notification",
  "model-switch",
  // Cursor
  "user-query",
  // Gemini
  "loaded-context",
  "session-context",
  "state-snapshot",
  "extension-context",
  "project-context",
  "global-context",
  // Copilot
  "current-datetime",
  "custom-instruction",
  "custom-instructions",
  "reminder-instructions",
  "skill-context",
  // OpenCode and pi
  "prior-summary",
  "previous-summary",
  "available-skills",
  "session-ref",
  // The marks between turns that some models are trained with
  "im-start",
  "im-end",
  "end-of-text",
  "start-header-id",
  "end-header-id",
  "start-of-turn",
  "end-of-turn",
  "eot-id",
  "endoftext",
];

const BEGINNINGS: ReadonlySet<string> = new Set(OPEN.map(lettersOf));
const NAMES: ReadonlyMap<string, readonly number[]> = new Map(
  WHOLE.map((name) => [lettersOf(name), jointsOf(name)]),
);
const LONGEST = Math.max(...[...BEGINNINGS, ...NAMES.keys()].map((letters) => letters.length));

function lettersOf(name: string): string {
  return name.replaceAll("-", "").replaceAll("l", "i");
}

/** After how many letters its words end. */
function jointsOf(name: string): number[] {
  const words = name.split("-");
  return words.slice(0, -1).map((_, i) => words.slice(0, i + 1).join("").length);
}

/** Opens a tag, or looks as if. */
const OPENERS = /[<\uff1c\ufe64\u02c2\u1438\u2039\u226e\u2329\u276c\u276e\u2770\u27e8\u29fc\u3008]/g;

const OPENER = new RegExp(OPENERS.source);

/** What a sign is read as: plain small letters, or one of these. */
const UNSEEN = " ";
const DIVIDER = "-";
/** What closes a tag, and what some put between an opener and the name. */
const LEAD = "/";
const DIGIT = "0";
const OTHER = "";

/** Decided without large classes of characters where it can be: compiling those takes a hook milliseconds. */
function readAs(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  if (code === 0x6c || code === 0x4c) return "i"; // l, see below
  if (code >= 0x61 && code <= 0x7a) return sign;
  if (code >= 0x41 && code <= 0x5a) return sign.toLowerCase();
  if (code <= 0x20 || code === 0x7f) return UNSEEN;
  if (code < 0x7f)
    return /[-_]/.test(sign) ? DIVIDER : /[/\\|!?]/.test(sign) ? LEAD : /\d/.test(sign) ? DIGIT : OTHER;
  const drawn = drawnLike(sign) ?? enclosed(code);
  if (drawn !== undefined) return drawn;
  if (/[\s\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{M}\p{Z}]/u.test(sign)) return UNSEEN;
  if (/[\p{Pd}\p{Pc}\u00b7\u2212]/u.test(sign)) return DIVIDER;
  const plain = sign.normalize("NFKD");
  if (/^[/\\|!?\u2044\u2215\u29f8\u29f5\u2223\u23fd\u2502]/.test(plain)) return LEAD;
  const letters = [...plain].map((one) => drawnLike(one) ?? one.toLowerCase()).join("");
  return letters.replaceAll("l", "i").replace(/[^a-z]/g, "") || (/\p{N}/u.test(sign) ? DIGIT : OTHER);
}

/** White letters in black circles and squares, and those that flags are made of: Unicode takes none of them apart. */
function enclosed(code: number): string | undefined {
  const first = [0x1f150, 0x1f170, 0x1f1e6].find((from) => code >= from && code < from + 26);
  return first === undefined ? undefined : readAs(String.fromCharCode(0x61 + code - first));
}

/** Makes every beginning of a frame harmless; everything else stays as it is. Linear: no two looks overlap. */
export function escapeFrames(text: string): string {
  if (!OPENER.test(text)) return text;
  return text.replace(OPENERS, (opener: string, at: number) =>
    opensFrame(text, at + opener.length) ? "&lt;" : opener,
  );
}

function opensFrame(text: string, from: number): boolean {
  let letters = "";
  // After how many letters something stood that divides words.
  const divided = new Set<number>();
  const isName = () => NAMES.get(letters)?.every((joint) => divided.has(joint)) === true;
  for (let at = from; at < text.length && letters.length <= LONGEST; ) {
    const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += sign.length;
    const read = readAs(sign);
    if (read === UNSEEN || read === DIVIDER) {
      if (read === UNSEEN && isName() && !divided.has(letters.length)) return true;
      divided.add(letters.length);
    } else if (read === OTHER || (read === LEAD && letters !== "")) {
      // In programs a single word is often a name of theirs, as in List<System.Guid>.
      const isPart = NAMES.get(letters)?.length === 0 && /[.,:;([{]/.test(sign);
      return isName() && !isPart && !divided.has(letters.length);
    } else if (read !== LEAD) {
      for (const letter of read) {
        letters += letter;
        if (BEGINNINGS.has(letters)) return true;
      }
    }
  }
  return isName();
}
