import { fingerprint } from "../../../base/fingerprint.ts";
import { collapse } from "../../../base/text.ts";
import { redact } from "../../../store/redact.ts";
import type { Told } from "./telling-line.ts";

const LEAD_LENGTH = 240;
/** How many characters of a note are read, because it may have megabytes. */
const MAX_READ = 20 * LEAD_LENGTH;
const CUT = " …";

/** The beginning of a note without its title, as one line. Without secrets, because the user did not ask for it. */
export function leadOf(body: string, title: string): string {
  const text = body.replace(/^[ \t]*# .*$/m, (heading) => (heading.includes(title) ? "" : heading));
  // Redacted before it is cut, because half a secret would not be recognised.
  const line = collapse(redact(text.slice(0, MAX_READ)));
  if (line.length <= LEAD_LENGTH) return line;
  const cut = line.slice(0, LEAD_LENGTH).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), LEAD_LENGTH / 2))}${CUT}`;
}

/** The hash of what an addition says about a note. */
export const leadHash = (uri: string, lead: string): string => fingerprint(`${uri} ${lead}`);

/** The same hash, if a line of the list contains the note's whole text. */
export function hashOfWhole(uri: string, line: string, { title, body }: Told): string | undefined {
  const lead = leadOf(body, title);
  const said = bare(line);
  const isWhole = !lead.endsWith(CUT) && said.includes(bare(lead)) && said.includes(bare(title));
  return isWhole ? leadHash(uri, lead) : undefined;
}

/** Without Markdown characters and punctuation, which a line omits. */
const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
