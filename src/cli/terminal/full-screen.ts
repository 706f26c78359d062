import { ESCAPE_MS, type Key, readKeys, readRest } from "./keys.ts";
import { print } from "./print.ts";
import { withRestored } from "./restored.ts";

/** The contents of the whole terminal. Lines contain no control sequences except colours. */
interface Picture {
  readonly lines: readonly string[];
  /** From 0. */
  readonly cursor: { readonly row: number; readonly column: number };
}

export interface FullScreen {
  readonly width: number;
  readonly height: number;
  draw(picture: Picture): void;
}

interface Events {
  /** Called at once, and whenever the window is resized. */
  resized(screen: FullScreen): void;
  pressed(key: Key): void;
  /** Called when the terminal was closed. */
  ended(): void;
}

/**
 * Switches to the alternate screen, so that the shell's text is restored afterwards; enables markers around pasted
 * text; disables line wrapping.
 */
const ENTER = "\x1b[?1049h\x1b[?2004h\x1b[?7l\x1b[2J";
const LEAVE = "\x1b[?7h\x1b[?2004l\x1b[?25h\x1b[?1049l";

/** Takes over the terminal while `work` runs, and always restores it. */
export function withFullScreen<T>(work: (listen: (events: Events) => void) => Promise<T>): Promise<T> {
  const { stdin, stdout } = process;
  let stopListening: () => void = () => undefined;
  const restore = () => {
    stopListening();
    stdin.setRawMode(false);
    print(1, LEAVE);
  };
  return withRestored(restore, async () => {
    stdin.setRawMode(true);
    print(1, ENTER);
    return work((events) => {
      stopListening = listenTo(events, stdin, stdout);
    });
  });
}

function listenTo(events: Events, stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): () => void {
  let rest = "";
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const press = (keys: readonly Key[]) => {
    for (const key of keys) if (!isOver) events.pressed(key);
  };
  const onData = (chunk: Buffer | string) => {
    clearTimeout(timer);
    const typed = readKeys(rest, chunk.toString());
    rest = typed.rest;
    press(typed.keys);
    if (rest !== "" && !isOver) timer = setTimeout(onPause, ESCAPE_MS);
  };
  const onPause = () => {
    const keys = readRest(rest);
    if (keys.length > 0) rest = "";
    press(keys);
  };
  const onResize = () => {
    if (isOver) return;
    const [width, height] = sizeOf(stdout);
    events.resized({ width, height, draw: (picture) => print(1, bytesOf(picture)) });
  };
  // After SIGCONT: another program may have written to the screen and changed its mode.
  const onContinued = () => {
    stdin.setRawMode(false);
    stdin.setRawMode(true);
    print(1, ENTER);
    onResize();
  };
  const onEnd = () => events.ended();
  stdin.setEncoding("utf8");
  stdin.on("data", onData).on("end", onEnd).on("error", onEnd);
  stdout.on("resize", onResize);
  process.on("SIGCONT", onContinued);
  stdin.resume();
  onResize();
  return () => {
    isOver = true;
    clearTimeout(timer);
    stdin.pause();
    stdin.off("data", onData).off("end", onEnd).off("error", onEnd);
    stdout.off("resize", onResize);
    process.off("SIGCONT", onContinued);
  };
}

function sizeOf(stdout: NodeJS.WriteStream): [number, number] {
  return [stdout.columns || 80, stdout.rows || 24];
}

/** Overwrites the previous contents line by line, to avoid flicker. The cursor is hidden meanwhile. */
function bytesOf({ lines, cursor }: Picture): string {
  const drawn = lines.map((line, at) => `\x1b[${at + 1};1H${line}\x1b[0m\x1b[K`).join("");
  return `\x1b[?25l${drawn}\x1b[J\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
}
