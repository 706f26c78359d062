import type { SuggestionOptions, Suggestions } from "../moments/ports/suggestions.ts";
import { openSuggestions } from "../moments/review/suggestions.ts";
import { MODULES } from "./index.ts";

/** All pending suggestions. */
export function allSuggestions(options: SuggestionOptions): Promise<Suggestions> {
  return openSuggestions(MODULES, options);
}
