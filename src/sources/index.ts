import type { SourceModule } from "../moments/ports/source.ts";
import { context } from "./context/index.ts";
import { memory } from "./memory/index.ts";
import { rules } from "./rules/index.ts";
import { seed } from "./seed/index.ts";
import { sessions } from "./sessions/index.ts";

/** Every source. A new one is a folder, its line here, and its sections in `order.ts`. */
export const MODULES: readonly SourceModule[] = [rules, context, memory, seed, sessions];

export const SOURCES = MODULES.map(({ source }) => source);
