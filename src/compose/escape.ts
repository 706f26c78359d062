/**
 * Contents are quoted data: they may neither close nor imitate a frame, ours or the host's. All our markup begins
 * with `<continuo`, so that one prefix protects every tag we have or will have.
 */

/** Tags in which hosts wrap injected text; a content that closes one would speak with the host's voice. */
const FRAMES = [
  "continuo",
  "system-reminder",
  "system_reminder",
  "system-message",
  "hook_context",
  "session-start-hook",
];

/** Letters may be split by joiners that a model reads over, so `<conti\u200dnuo` counts as `<continuo`. */
const JOINERS = "[\\u200c\\u200d]*";
const FORGED = new RegExp(
  `<(?=[\\s/\\u200c\\u200d]*(?:${FRAMES.map((name) => [...name].join(JOINERS)).join("|")}))`,
  "gi",
);

/**
 * Invisible characters can carry orders that no human sees in review: zero-width spaces, direction overrides and
 * the tag block go, control characters too. Joiners stay: emoji and several scripts are written with them.
 */
const INVISIBLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

export function quote(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, "\n").replace(INVISIBLE, "").replace(FORGED, "&lt;");
}

/** For a value between double quotes, on one line. */
export function attribute(text: string): string {
  return quote(text)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/&(?!lt;)/g, "&amp;")
    .replace(/"/g, "&quot;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}
