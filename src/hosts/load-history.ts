import type { LoadHistory } from "../moments/ports/history.ts";

/** The readers are loaded when a source first asks for them: most moments read no past session. */
export const loadHistory: LoadHistory = async () => (await import("./history.ts")).history;
