import { ContinuoError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import type { Part, Wiring } from "../port/installer.ts";
import {
  isAbsolute,
  isOwnScript,
  isRuntime,
  launchPaths,
  posixWord,
  unquoted,
  WORD,
} from "../shared/install/hook-command.ts";
import { edit } from "../shared/install/json-text.ts";
import { parseObject, refuseTwins } from "../shared/install/jsonc.ts";

const KEY = "statusLine";

/** `statusLine` in Claude Code's settings: a command whose first line of output is shown below the prompt. */
export function statusLinePart(settingsFile: Part["settingsFile"]): Part {
  return {
    settingsFile,
    // Added only on request; an existing entry is kept up to date.
    add(text, wiring) {
      const found = parseObject(text)[KEY];
      refuseTwins(text, [], (key) => key === KEY);
      const command = commandFor(wiring);
      if (pathsIn(found) !== undefined)
        return isRecord(found) && found["command"] === command ? text : edit(text, [KEY, "command"], command);
      if (wiring.statusLine !== true) return text;
      if (found !== undefined) throw taken(command);
      return edit(text, [KEY], { type: "command", command });
    },
    remove: (text) => (pathsIn(parseObject(text)[KEY]) === undefined ? text : edit(text, [KEY], undefined)),
    count: (text) => ({ statusLines: pathsIn(parseObject(text)[KEY]) === undefined ? 0 : 1 }),
    inspect(text, wiring, exists) {
      const found = parseObject(text)[KEY];
      const paths = pathsIn(found);
      if (paths === undefined) return [];
      const mend = "run: continuo install claude-code";
      const gone = paths.filter((path) => isAbsolute(path) && !exists(path));
      if (gone.length > 0)
        return [
          { status: "fail", detail: `its status line names ${gone.join(" and ")}, which is not there`, mend },
        ];
      if (isRecord(found) && found["command"] !== commandFor(wiring))
        return [{ status: "warn", detail: "its status line points to another version or location", mend }];
      return [{ status: "ok", detail: "with a status line", mend: "" }];
    },
    probes: () => [],
  };
}

/** Run by a POSIX shell, even on Windows. Silent and successful if the program is gone. */
function commandFor(wiring: Wiring): string {
  return `{ ${launchPaths(wiring).map(posixWord).join(" ")} statusline; :; } 2>/dev/null`;
}

/** As this version writes it, or as an older one did, without braces. */
const OURS = new RegExp(String.raw`^(?:\{ )?${WORD} ${WORD} statusline(?:; :; \})? 2>/dev/null$`);

/** The paths in Continuo's own entry; undefined for any other status line, even one that also calls Continuo's. */
function pathsIn(found: unknown): string[] | undefined {
  const command = isRecord(found) ? found["command"] : undefined;
  const [, runtime, script] = typeof command === "string" ? (OURS.exec(command) ?? []) : [];
  if (runtime === undefined || script === undefined) return undefined;
  const paths = [runtime, script].map(unquoted);
  const isWhole = String(command).startsWith("{");
  return isOwnScript(paths[1]) && (isWhole || isRuntime(paths[0])) ? paths : undefined;
}

function taken(command: string): ContinuoError {
  return new ContinuoError("status-line-taken", "the settings already have a status line of your own", {
    hint: `it is kept, and nothing was changed. To show both, pass the JSON that your command gets on to: ${command}`,
  });
}
