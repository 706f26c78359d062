import type { Broken } from "./ledger.ts";

/** A breach in a few words for a person: where, which rule, what. Not yet safe for a terminal. */
export function describeBroken({ name, path, line, tool, on, text }: Broken): string {
  const place = [path, line].filter((one) => one !== undefined).join(":") || (tool ?? on);
  return `rule "${name}": ${place}${text === "" ? "" : `: ${text}`}`;
}
