/** `continuo`: the engine for programs that are hosts themselves. */
export { createEngine, type Engine, type EngineOptions } from "./moments/engine.ts";
export { ContinuoError } from "./moments/errors.ts";
export { findProject } from "./moments/project.ts";
export type { Answer, Source, Surroundings } from "./moments/source.ts";
export type * from "./moments/types.ts";
export { SOURCES } from "./sources/index.ts";
export { type Config, loadConfig } from "./store/config.ts";
export { findHome, type Home, homeAt } from "./store/home.ts";
