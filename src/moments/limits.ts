import type { Budget } from "../compose/budget.ts";
import type { Room } from "../compose/room.ts";
import type { Config } from "../store/config.ts";

/** Rules have a limit of their own; what is not essential goes by `tokenLimit`, and at 0 there is nothing at all. */
export function budgetFor({ tokenLimit, rulesLimit }: Config, aim: number, room: Room | undefined): Budget {
  return {
    limit: tokenLimit === 0 ? 0 : Math.max(tokenLimit, rulesLimit),
    aim,
    essential: rulesLimit,
    others: tokenLimit,
    ...(room === undefined ? {} : { room }),
  };
}
