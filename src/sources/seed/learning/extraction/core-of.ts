/** Words that make an instruction firmer or politer and change nothing about what is wanted. "Never" and "not" are none. */
const FILLERS = new Set(
  "always please also just you we i should must need to want make sure that the a an in this our repo repository project codebase here from now on going forward".split(
    " ",
  ),
);

/**
 * What is left of a normalised value when it is said as briefly as possible: who has turned down "always use pnpm in this
 * repo" need not be asked about "use pnpm".
 */
export function coreOf(value: string): string {
  const core = value.split(" ").filter((word) => !FILLERS.has(word));
  return core.length === 0 ? value : core.join(" ");
}
