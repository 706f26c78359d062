import { findInAddresses, findLogins } from "./addresses.ts";
import { findAssigned } from "./assignments.ts";
import { findBlocks } from "./blocks.ts";
import { findInOtherScripts, findShapes, HINTS } from "./commands.ts";
import { findInManifests } from "./manifests.ts";
import { KEYWORD_BEGINNINGS } from "./names.ts";
import { type Scan, scanner } from "./scan.ts";
import type { Span } from "./spans.ts";
import { findTokens, tokenStarts } from "./tokens.ts";
import type { Work } from "./work.ts";

let scan: ((text: string) => Scan) | undefined;

/** Every secret of a text; what was looked at closely is added to the work. */
export function findSecrets(text: string, work: Work): Span[] {
  scan ??= scanner({ starts: tokenStarts(), keywords: KEYWORD_BEGINNINGS, texts: HINTS });
  const { starts, keywords, seen } = scan(text);
  const spans: Span[] = [];
  findTokens(text, starts, spans, work);
  findAssigned(text, keywords, spans, work);
  findShapes(text, seen, spans);
  findInOtherScripts(text, spans);
  findBlocks(text, spans);
  findInAddresses(text, spans);
  findLogins(text, spans);
  if (text.includes("Secret")) findInManifests(text, spans);
  return spans;
}
