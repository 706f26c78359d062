import { fingerprint } from "../../../base/fingerprint.ts";
import { collapse } from "../../../base/text.ts";
import { redact } from "../../../store/redact.ts";
import type { Told } from "./telling-line.ts";

const LEAD_LENGTH = 240;
/** Characters read of a note, which may have megabytes. */
const MAX_READ = 20 * LEAD_LENGTH;
const CUT = " …";

/** The beginning of a note without its title, as one line. Without secrets, because nobody asked for it. */
export function leadOf(body: string, title: string): string {
  const text = body.replace(/^[ \t]*# .*$/m, (heading) => (heading.includes(title) ? "" : heading));
  // Redacted before it is cut: half a secret would not be recognised.
  const line = collapse(redact(text.slice(0, MAX_READ)));
  if (line.length <= LEAD_LENGTH) return line;
  const cut = line.slice(0, LEAD_LENGTH).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), LEAD_LENGTH / 2))}${CUT}`;
}

/** What an addition says of a note. */
export const leadHash = (uri: string, lead: string): string => fingerprint(`${uri} ${lead}`);

/** The same, if a line of the list says all of it, and there is no more in the note. */
export function hashOfWhole(uri: string, line: string, { title, body }: Told): string | undefined {
  const lead = leadOf(body, title);
  const said = bare(line);
  const isWhole = !lead.endsWith(CUT) && said.includes(bare(lead)) && said.includes(bare(title));
  return isWhole ? leadHash(uri, lead) : undefined;
}

/** Without Markdown's signs and punctuation, which a line leaves out. */
const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
