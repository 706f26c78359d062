import type { SourceModule } from "../moments/ports/source.ts";
import { memory } from "./notes/index.ts";
import { seed } from "./profile/index.ts";
import { rules } from "./rules/index.ts";
import { sessions } from "./sessions/index.ts";
import { context } from "./sets/index.ts";

/** Every source. A new source needs a folder, a line here, and its sections in `order.ts`. */
export const MODULES: readonly SourceModule[] = [rules, context, memory, seed, sessions];

export const SOURCES = MODULES.map(({ source }) => source);
