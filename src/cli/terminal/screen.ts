/** What a command knows about the place where its output is read. */
export interface Screen {
  /** Columns; for a file or a pipe, COLUMNS or 80. */
  readonly width: number;
  /**
   * Whether lines should fit the width: at a terminal, and if COLUMNS is set. Otherwise lines stay whole, for `grep`.
   */
  readonly isFitted: boolean;
  /** Lines; infinite for a file or a pipe. */
  readonly height: number;
  /** Whether a user reads standard output on a terminal. */
  readonly isTerminal: boolean;
  readonly hasColour: boolean;
  /** False if only ASCII is certain to be displayed: frames, bars and marks then use it. */
  readonly hasUnicode: boolean;
}

/** A file or a pipe. */
export const PLAIN: Screen = {
  width: 80,
  height: Number.POSITIVE_INFINITY,
  isFitted: false,
  isTerminal: false,
  hasColour: false,
  hasUnicode: true,
};

/** A narrower terminal wraps lines itself. */
const LEAST_WIDTH = 40;

export interface Device {
  readonly isTerminal: boolean;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  readonly platform: NodeJS.Platform;
}

/** Reads the usual variables: NO_COLOR, FORCE_COLOR, TERM, the locale, and those of Windows' terminals. */
export function screenFor(env: NodeJS.ProcessEnv, device: Device): Screen {
  const isDumb = env["TERM"] === "dumb";
  const columns = device.isTerminal ? device.columns : wantedColumns(env);
  return {
    width: Math.max(LEAST_WIDTH, columns || PLAIN.width),
    isFitted: device.isTerminal || columns !== undefined,
    height: device.isTerminal ? device.rows || 24 : PLAIN.height,
    isTerminal: device.isTerminal,
    hasColour: wantsColour(env, device.isTerminal && !isDumb),
    hasUnicode: !device.isTerminal || (!isDumb && showsUnicode(env, device.platform)),
  };
}

/** Shells do not export it, so if it is set, that is intended. */
function wantedColumns(env: NodeJS.ProcessEnv): number | undefined {
  const columns = /^[1-9]\d{1,3}$/.exec(env["COLUMNS"] ?? "")?.[0];
  return columns === undefined ? undefined : Number(columns);
}

function wantsColour(env: NodeJS.ProcessEnv, isAble: boolean): boolean {
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  return forced === undefined || forced === "" ? isAble : forced !== "0" && forced !== "false";
}

function showsUnicode(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  // Windows Terminal, VS Code and shells with a TERM support it; the old console does not.
  if (platform === "win32")
    return Boolean(env["WT_SESSION"] || env["TERM_PROGRAM"] === "vscode" || env["TERM"]);
  if (env["TERM"] === "linux") return false; // the kernel's text console has few characters
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"];
  return platform === "darwin" && !locale ? true : /utf-?8/i.test(locale ?? "");
}
