import { join } from "node:path";
import { writeFileAtomic } from "./atomic-file.ts";
import type { Home } from "./home.ts";
import { readText } from "./read-file.ts";

type Warn = (code: string, message: string, hint: string) => void;

/** Passes each kind of warning on once a day: every hook is a process of its own, and would repeat it. */
export function dailyWarning(home: Home, about: string, now: number, warn: Warn): Warn {
  const path = join(home.state, `${about}-warned.json`);
  const today = new Date(now).toISOString().slice(0, 10);
  return (code, message, hint) => {
    const mark = JSON.stringify({ today, code });
    if (read(path) === mark) return;
    warn(code, message, hint);
    try {
      writeFileAtomic(path, mark, { durable: false });
    } catch {
      // Then it is told again: better twice than never.
    }
  };
}

function read(path: string): string | undefined {
  try {
    return readText(path, { maxBytes: 64 * 1024 });
  } catch {
    return undefined;
  }
}
