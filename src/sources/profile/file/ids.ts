import { ContinuoError } from "../../../base/errors.ts";
import { visible } from "../text.ts";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const MIN_PREFIX = 4;

/** As long as the ids in existing seeds. Letters and digits only, so that none looks like a command-line option. */
export function newId(): string {
  return Array.from({ length: 21 }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join("");
}

/** The entry with exactly this id, or else the one whose id begins with the typed text. */
export function byPrefix<T extends { readonly id: string; readonly content: string }>(
  all: readonly T[],
  typed: string,
  what: string,
  isWhole = false,
): T {
  const exact = all.find((one) => one.id === typed);
  if (exact !== undefined) return exact;
  if (!isWhole && typed.length < MIN_PREFIX) {
    throw new ContinuoError("usage", `"${typed}" is too short for an id`, {
      hint: `give at least ${MIN_PREFIX} characters of the ${what}'s id`,
    });
  }
  const found = isWhole ? [] : all.filter((one) => one.id.startsWith(typed));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (found.length > 1) {
    throw new ContinuoError("ambiguous-id", `"${typed}" matches ${found.length} ids: ${list(found)}`, {
      hint: "type more characters of the id",
    });
  }
  throw new ContinuoError("no-such-id", `there is no ${what} "${typed}"`, {
    hint: all.length === 0 ? "there are none" : `known: ${list(all)}`,
  });
}

function list(all: readonly { readonly id: string; readonly content: string }[]): string {
  const shown = all.slice(0, 5).map(({ id, content }) => `${id} "${visible(content).slice(0, 40)}"`);
  return `${shown.join(", ")}${all.length > 5 ? ", …" : ""}`;
}
