import type { Finder } from "../moments/ports/finder.ts";
import { sessionsFinder } from "./sessions/ports/declarations.ts";

/** Everything that a search across sources asks, besides the notes themselves, is registered here and nowhere else. */
export const FINDERS: readonly Finder[] = [sessionsFinder];
