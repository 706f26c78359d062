import { escaped } from "./code-words.ts";

/** Commands named in sentences, as patterns for simple commands. */

const PROGRAMS = new Set(
  `git gh npm npx pnpm pnpx yarn bun bunx deno node pip pip3 pipx uv poetry conda python python3 pytest tox nox ruff mypy black
  cargo rustup go make just mise mvn gradle gradlew dotnet docker docker-compose kubectl helm terraform tofu ansible-playbook
  rails rake bundle rspec composer php artisan flutter dart swift xcodebuild tsc eslint prettier biome vitest jest
  rm sudo curl wget chmod chown kill pkill killall psql mysql redis-cli aws gcloud az alembic prisma turbo nx`.split(
    /\s+/,
  ),
);

/** Forbidding one of these by name forbids every use of it. */
const ALONE = new Set([
  "npm",
  "npx",
  "pnpm",
  "yarn",
  "bun",
  "pip",
  "pip3",
  "conda",
  "poetry",
  "sudo",
  "killall",
  "pkill",
]);

const MAX_WORDS = 6;

/** Whether a text is a command: a known program and, if `alone` is false, more than its name. */
export function isCommand(text: string, alone: boolean): boolean {
  const words = text.split(/\s+/);
  const [first = ""] = words;
  const program = first.replace(/^\.\//, "");
  if (!PROGRAMS.has(program) || words.length > MAX_WORDS || /[<>|&;$`"'*…]|\.\.\./.test(text)) return false;
  return words.length > 1 || alone || ALONE.has(program);
}

export function isFlag(text: string): boolean {
  return /^--[a-z][a-z-]{2,30}$/.test(text);
}

/** A flag of any command. */
export function flagPattern(flag: string): string {
  return `\\s${escaped(flag)}(\\s|=|$)`;
}

const RUNNERS = /^(npm|pnpm|yarn|bun)\s+(?:run\s+)?(\S+)$/;

/** The command with any further arguments. Flags at its end may be anywhere after its other words. */
export function commandPattern(command: string): string {
  const [, runner, script] = RUNNERS.exec(command) ?? [];
  // `npm test` and `npm run test` count as the same.
  if (runner !== undefined && script !== undefined && isScript(script))
    return `^${runner} (run )?${escaped(script)}(\\s|$)`;
  const words = command.split(/\s+/).map((word) => ({ text: escaped(word), isFlag: word.startsWith("-") }));
  const last = words.findLastIndex(({ isFlag }) => !isFlag);
  const start = `^${words
    .slice(0, last + 1)
    .map(({ text }) => text)
    .join(" ")}`;
  const flags = words.slice(last + 1).map(({ text }) => text);
  if (flags.length === 0) return `${start}(\\s|$)`;
  // A flag is followed by its value or a space, so the next flag needs its own space.
  return `${start}.*\\s${flags.join("(=\\S*)?(\\s.*)?\\s")}(\\s|=|$)`;
}

/** Whether this is a script and not one of the package manager's own commands. */
function isScript(word: string): boolean {
  return (
    /^(?:test|lint|build|check|typecheck|type-check|format|fmt|ci|verify|validate)(?:[:\w.-]*)$/.test(word) &&
    word !== "ci"
  );
}

/**
 * A pattern for a command without code marks, which only some sentences may contain. The full stop belongs to the
 * sentence.
 */
export const BARE_COMMAND =
  "(?:npm|pnpm|yarn|bun|npx|cargo|go|make|pytest|tox|just|mvn|gradle|dotnet|ruff|mypy|eslint|tsc|vitest|jest|git)(?: (?!before\\b|and\\b|or\\b|again\\b|to\\b|first\\b|on\\b|for\\b|until\\b|without\\b|unless\\b|directly\\b|yourself\\b)(?:[\\w:./=-]*[\\w/=-](?!\\.\\.)|\\.{1,2}(?=\\s|$))){0,4}";
