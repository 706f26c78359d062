/**
 * The tags in which we and hosts wrap what a model is told. A content that opens or closes one would speak with our
 * voice or the host's. Read as a model reads: letters of other widths, cases and look-alike alphabets count as the plain
 * ones, and whatever cannot be seen counts as nothing.
 */

interface Frame {
  readonly letters: string;
  /** After how many letters its words end. */
  readonly joints: readonly number[];
  /** Longer names that begin like it count too, and its words need not be divided. */
  readonly isOpen: boolean;
}

/** All our markup begins with this word, so one prefix protects every tag that we have or will have. */
const OPEN = ["continuo", "system-reminder", "hook-context", "session-start-hook"];

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
  "function-results",
  // Codex
  "environment-context",
  "user-instructions",
  "permissions-instructions",
  "skills-instructions",
  "collaboration-mode",
  "turn-aborted",
  "user-shell-command",
  "subagent-notification",
  "model-switch",
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
];

const FRAMES: readonly Frame[] = [
  ...OPEN.map((name) => frameOf(name, true)),
  ...WHOLE.map((name) => frameOf(name, false)),
  // Written as one word.
  frameOf("endoftext", false),
  frameOf("antml", true),
];

function frameOf(name: string, isOpen: boolean): Frame {
  const words = name.split("-");
  const joints = words.slice(0, -1).map((_, i) => words.slice(0, i + 1).join("").length);
  return { letters: words.join(""), joints, isOpen };
}

/** Opens a tag, or looks as if. */
const OPENERS = /[<\uff1c\ufe64\u02c2\u1438\u2039\u226e\u2329\u276c\u276e\u2770\u27e8\u29fc\u3008]/g;

/** Between an opener and the name: what closes a tag, and what some put there. */
const LEAD = /[/\\|!?\u2044\u2215\u29f8\u29f5]/;
/** Read over, anywhere. */
const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{M}\p{Z}]/u;
const DIVIDER = /[\p{Pd}\p{Pc}\u00b7\u2212]/u;

/** Letters of other alphabets that are drawn like these. */
const DRAWN_LIKE = new Map(
  Object.entries({
    a: "аα",
    b: "ƅ",
    c: "сϲ",
    d: "ԁ",
    e: "еєε",
    g: "ɡ",
    h: "һհ",
    i: "іιıɩ",
    j: "ј",
    k: "кκ",
    l: "ӏ",
    m: "м",
    n: "ոпη",
    o: "оοօ",
    p: "рρ",
    q: "ԛ",
    r: "гᴦ",
    s: "ѕ",
    t: "тτ",
    u: "υսц",
    v: "νѵ",
    x: "хχ",
    y: "уγ",
  }).flatMap(([plain, others]) => [...others].map((one): [string, string] => [one, plain])),
);

/** Makes every beginning of a frame harmless; everything else stays as it is. Linear: no two looks overlap. */
export function escapeFrames(text: string): string {
  return text.replace(OPENERS, (opener: string, at: number) =>
    opensFrame(text, at + opener.length) ? "&lt;" : opener,
  );
}

function opensFrame(text: string, from: number): boolean {
  let letters = "";
  let whole: Frame | undefined;
  // After how many letters something stood that divides words.
  const divided = new Set<number>();
  for (let at = from; at < text.length; ) {
    const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += sign.length;
    if (UNSEEN.test(sign)) {
      if (whole !== undefined) return true;
      divided.add(letters.length);
    } else if (DIVIDER.test(sign)) {
      divided.add(letters.length);
    } else if (letters !== "" || !LEAD.test(sign.normalize("NFKC"))) {
      const folded = fold(sign);
      if (folded === "") return whole !== undefined && !divided.has(letters.length) && !/\p{N}/u.test(sign);
      letters += folded;
      const possible = FRAMES.filter((one) => one.letters.startsWith(letters) || isBeginning(one, letters));
      if (possible.length === 0) return false;
      if (possible.some((one) => isBeginning(one, letters))) return true;
      whole = possible.find(
        (one) => one.letters === letters && one.joints.every((joint) => divided.has(joint)),
      );
    }
  }
  return whole !== undefined;
}

function isBeginning({ isOpen, letters }: Frame, read: string): boolean {
  return isOpen && read.startsWith(letters);
}

/** The plain small letters that a sign is read as; empty when it is none. */
function fold(sign: string): string {
  if (sign >= "a" && sign <= "z") return sign;
  const plain = sign.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  return [...plain]
    .map((one) => DRAWN_LIKE.get(one) ?? one)
    .join("")
    .replace(/[^a-z]/g, "");
}
