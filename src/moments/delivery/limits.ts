import type { Budget } from "../../compose/budget.ts";
import type { Room } from "../../compose/room.ts";
import type { Config } from "../../store/config.ts";
import type { MomentRun } from "../engine/moment-run.ts";

export function limitsOf(run: MomentRun, aim: number): Budget {
  return budgetFor(run.config, aim, run.room);
}

/** Rules have their own limit; everything else has `tokenLimit`. If that is 0, nothing is delivered. */
export function budgetFor({ tokenLimit, rulesLimit }: Config, aim: number, room: Room | undefined): Budget {
  return {
    limit: tokenLimit === 0 ? 0 : Math.max(tokenLimit, rulesLimit),
    aim,
    essential: rulesLimit,
    others: tokenLimit,
    room,
  };
}
