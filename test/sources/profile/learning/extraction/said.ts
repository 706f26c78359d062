import { makeTurn } from "../../../../../src/hosts/shared/history/turns.ts";
import type { Marks, Role, Turn } from "../../../../../src/moments/ports/turn.ts";
import {
  candidatesIn,
  type Found,
} from "../../../../../src/sources/profile/learning/extraction/candidates.ts";

export function turn(text: string, role: Role = "user", marks: Marks = {}): Turn {
  return makeTurn({ id: "t1", role, text, offset: 0, at: 1_000, marks });
}

/** What would be proposed after a user wrote this. */
export function heardIn(text: string): Found[] {
  return candidatesIn(turn(text)).filter((one) => !one.isWeak);
}
