import type { Source } from "../moments/ports/source.ts";
import { context } from "./context/source.ts";
import { memory } from "./memory/ports/source.ts";
import { rules } from "./rules/source.ts";
import { seed } from "./seed/source.ts";
import { sessions } from "./sessions/source.ts";

/** Every source is registered here and nowhere else. */
export const SOURCES: readonly Source[] = [rules, context, memory, seed, sessions];
