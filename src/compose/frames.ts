/**
 * The tags in which Continuo and hosts wrap text for the model. Content that opens or closes one would speak with the
 * authority of Continuo or the host. Names are read as a model reads them: letters of other widths, cases and look-alike
 * alphabets count as the plain ones, and invisible characters are ignored.
 */

/**
 * Longer names that begin with one of these count too, with or without dividers between the words. All of Continuo's
 * markup begins with the first one, so it protects every present and future tag.
 */
const OPEN = ["continuo", "system-reminder", "hook-context", "session-start-hook", "antml"];

/** Whole names only, with dividers between the words: `SystemMessage` is also a class in many programs. */
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
  // Markers between turns that some models are trained with
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

/** After how many letters each word of a name ends. */
function jointsOf(name: string): number[] {
  const words = name.split("-");
  return words.slice(0, -1).map((_, i) => words.slice(0, i + 1).join("").length);
}

/** Characters that open a tag, or look as if they did. */
const OPENERS = /[<\uff1c\ufe64\u02c2\u1438\u2039\u226e\u2329\u276c\u276e\u2770\u27e8\u29fc\u3008]/g;

const OPENER = new RegExp(OPENERS.source);

/** Characters are read as lower-case ASCII letters, or as one of these. */
const INVISIBLE = " ";
const DIVIDER = "-";
/** What closes a tag, and what may appear between an opener and the name. */
const LEAD = "/";
const DIGIT = "0";
const OTHER = "";

/** Avoids large character classes where possible: compiling them takes a hook milliseconds. */
function readAs(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x6c || code === 0x4c) return "i"; // l, see below
  if (code >= 0x61 && code <= 0x7a) return character;
  if (code >= 0x41 && code <= 0x5a) return character.toLowerCase();
  if (code <= 0x20 || code === 0x7f) return INVISIBLE;
  if (code < 0x7f)
    return /[-_]/.test(character)
      ? DIVIDER
      : /[/\\|!?]/.test(character)
        ? LEAD
        : /\d/.test(character)
          ? DIGIT
          : OTHER;
  const drawn = lookalikeOf(character) ?? enclosed(code);
  if (drawn !== undefined) return drawn;
  if (/[\s\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{M}\p{Z}]/u.test(character)) return INVISIBLE;
  if (/[\p{Pd}\p{Pc}\u00b7\u2212]/u.test(character)) return DIVIDER;
  const plain = character.normalize("NFKD");
  if (/^[/\\|!?\u2044\u2215\u29f8\u29f5\u2223\u23fd\u2502]/.test(plain)) return LEAD;
  const letters = [...plain].map((one) => lookalikeOf(one) ?? one.toLowerCase()).join("");
  return letters.replaceAll("l", "i").replace(/[^a-z]/g, "") || (/\p{N}/u.test(character) ? DIGIT : OTHER);
}

/** White letters in black circles and squares, and regional indicators: Unicode does not decompose any of them. */
function enclosed(code: number): string | undefined {
  const first = [0x1f150, 0x1f170, 0x1f1e6].find((from) => code >= from && code < from + 26);
  return first === undefined ? undefined : readAs(String.fromCharCode(0x61 + code - first));
}

/** Escapes everything that opens a frame and leaves the rest unchanged. Linear: no two scans overlap. */
export function escapeFrames(text: string): string {
  if (!OPENER.test(text)) return text;
  return text.replace(OPENERS, (opener: string, at: number) =>
    opensFrame(text, at + opener.length) ? "&lt;" : opener,
  );
}

function opensFrame(text: string, from: number): boolean {
  let letters = "";
  // After how many letters a divider was found.
  const divided = new Set<number>();
  const isName = () => NAMES.get(letters)?.every((joint) => divided.has(joint)) === true;
  for (let at = from; at < text.length && letters.length <= LONGEST; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += character.length;
    const read = readAs(character);
    if (read === INVISIBLE || read === DIVIDER) {
      if (read === INVISIBLE && isName() && !divided.has(letters.length)) return true;
      divided.add(letters.length);
    } else if (read === OTHER || (read === LEAD && letters !== "")) {
      // In source code a single word is often an identifier, as in List<System.Guid>.
      const isPart = NAMES.get(letters)?.length === 0 && /[.,:;([{]/.test(character);
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

/**
 * Characters that look like these letters: Unicode's confusables that NFKD and lower case do not already resolve, the
 * small capitals, and a few letters of other alphabets. What looks like l also looks like I, so both are one entry.
 */
const LOOKALIKES = {
  a: "аα\u1d00ɑ\u13aa\u15c5\u237a\ua4ee\u{102a0}\u{16f40}",
  b: "ƅʙΒВЬ\u13cf\u13f4\u1472\u15af\u15f7\ua4d0\ua7b4\u{10282}\u{102a1}\u{10301}",
  c: "сϲ\u1d04\u2ca5\ua4da\uabaf\u{102a2}\u{10302}\u{1043d}\u{1051c}\u{118e9}\u{118f2}\u{1f74c}",
  d: "ԁ\u1d05\u13a0\u13e7\u146f\u15de\u15ea\ua4d2\ua4d3",
  e: "еєε\u1d07ҽ\u13ac\u212e\u22ff\u2d39\ua4f0\uab32\u{10286}\u{118a6}\u{118ae}",
  f: "\ua730Ϝք\u15b4\u1e9d\ua4dd\ua799\uab35\u{10287}\u{102a5}\u{10525}\u{118c2}\u{1d213}",
  g: "ɡɢƍԌց\u13c0\u13f3\u1d83\ua4d6",
  h: "һհʜΗН\u13bb\u13c2\u157c\u2c8e\ua4e7\u{102cf}",
  i: "іιıɩɪ\u02db\u037aӏ\u2373\ua647\uab75\u{118c3}ʟ\u01c0\u05c0\u05d5\u05df\u0627\u0661\u06f1\u07ca\u13de\u14aa\u16c1\u2c92\u2cd0\u2d4f\ua4e1\ua4f2\u{1028a}\u{10309}\u{10320}\u{1041b}\u{10526}\u{118b2}\u{16f16}\u{16f28}\u{1d22a}\u{1d7cf}\u{1d7d9}\u{1d7e3}\u{1d7ed}\u{1d7f7}\u{1e8c7}\u{1fbf1}",
  j: "ј\u1d0aϳ\u13ab\u148d\ua4d9\ua7b2",
  k: "кκ\u1d0b\u13e6\u16d5\u2c94\ua4d7\u{10518}",
  m: "м\u1d0dΜϺ\u13b7\u15f0\u16d6\u2c98\ua4df\u{102b0}\u{10311}\u{11700}\u{118e3}",
  n: "ոпηɴΝռ\u2c9a\ua4e0\u{10513}",
  o: "оοօ\u1d0fσ\u05e1\u0647\u0665\u06be\u06c1\u06d5\u06f5\u07c0\u0966\u09e6\u0a66\u0ae6\u0b20\u0b66\u0be6\u0c02\u0c66\u0c82\u0ce6\u0d02\u0d20\u0d66\u0d82\u0e50\u0ed0\u101d\u1040\u10ff\u12d0\u1d11\u2c9f\u2d54\u3007\ua4f3\uab3d\u{10292}\u{102ab}\u{1042c}\u{104ea}\u{10516}\u{114d0}\u{118b5}\u{118c8}\u{118d7}\u{118e0}\u{1d7ce}\u{1d7d8}\u{1d7e2}\u{1d7ec}\u{1d7f6}\u{1fbf0}\u19d0",
  p: "рρ\u1d18\u13e2\u146d\u2374\u2ca3\ua4d1\u{10295}",
  q: "ԛգզ\u2d55",
  r: "г\u1d26ʀ\u13a1\u13d2\u1587\u2c85\ua4e3\uab47\uab48\uab81\u{104b4}\u{16f35}\u{1d216}",
  s: "ѕ\ua731ƽՏ\u13d5\ua4e2\uabaa\u{10296}\u{10448}\u{118c1}\u{16f3a}",
  t: "тτ\u1d1b\u13a2\u22a4\u27d9\u2ca6\ua4d4\u{10297}\u{102b1}\u{10315}\u{118bc}\u{16f0a}\u{1f768}",
  u: "υսц\u1d1cʋ\u1200\u144c\u222a\u22c3\ua4f4\ua79f\uab4e\uab52\u{104f6}\u{118d8}\u{16f42}",
  v: "νѵ\u1d20\u05d8\u0667\u06f7\u142f\u2228\u22c1\u2d38\ua4e6\ua6df\uaba9\u{1051d}\u{11706}\u{118c0}\u{16f08}\u{1d20d}",
  w: "\u1d21ɯѡԝա\u13d4\ua4ea\uab83\u{1170a}\u{1170e}\u{1170f}\u{118e6}\u{118ef}",
  x: "хχ\u00d7\u1541\u157d\u166d\u166e\u16b7\u2573\u292b\u292c\u2a2f\u2cac\u2d5d\ua4eb\ua7b3\u{10290}\u{102b4}\u{10317}\u{10322}\u{10527}\u{118ec}",
  y: "уγʏɣΥү\u10e7\u13a9\u13bd\u1d8c\u1eff\u2ca8\ua4ec\uab5a\u{102b2}\u{118a4}\u{118dc}\u{16f43}",
};

let lookalikes: ReadonlyMap<string, string> | undefined;

/**
 * The letter that a character looks like, if any. The character itself is looked up before its lower case: a capital Greek
 * Nu looks like N, a small one like v. The table is built when it is first needed, which is rare.
 */
function lookalikeOf(character: string): string | undefined {
  lookalikes ??= new Map(
    Object.entries(LOOKALIKES).flatMap(([plain, others]) =>
      [...others].map((one): [string, string] => [one, plain]),
    ),
  );
  return lookalikes.get(character) ?? lookalikes.get(character.toLowerCase());
}
