import { lstatSync, readlinkSync, renameSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { unique } from "../../base/fingerprint.ts";
import { ensureFolder, namesIn } from "../../store/folder.ts";
import type { Home } from "../../store/home.ts";
import { isRunning } from "../../store/running.ts";
import { SOCKETS } from "../names.ts";

/**
 * Hooks of a host with an MCP server ask that server over a socket, with a program that starts in a few milliseconds
 * (`entries/ask.pl`), instead of starting a process that loads everything. There is one socket for each host process,
 * named by its id, below the home in a folder that only this user can access. So whoever can open it is this user.
 *
 * The server speaks first, so that nothing is sent to one that hangs or is another program. After that the server is
 * responsible for the call: only if the connection ends without an answer does the hook start a process.
 */

/** The input that a hook process would get. */
export interface SocketCall {
  readonly host: string;
  readonly event: string;
  readonly env: NodeJS.ProcessEnv;
  readonly payload: Buffer;
}

export type AnswerCall = (call: SocketCall, signal: AbortSignal) => Promise<string>;

/** The shortest limit of any system for a socket's path is 104 bytes. */
const MAX_PATH_BYTES = 100;
const MAX_HEADER_BYTES = 200;
const MAX_ENV_BYTES = 1024 * 1024;
/** A larger payload is left to a hook process, which reports why it is not parsed. */
const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;
const MOST_LOOKED_AT = 64;
/** A client that was greeted sends at once. */
const SILENT_MS = 5_000;

/**
 * Returns a function that stops listening. Without such a socket, hooks start processes as before, so only speed is
 * lost. Listening also stops when this server's package was replaced: processes then run the new version.
 */
export function listenForHooks(
  home: Home,
  hostProcess: number,
  answer: AnswerCall,
  isReplaced: () => boolean = () => false,
): () => void {
  if (process.platform === "win32") return () => undefined;
  try {
    return listen(home, hostProcess, answer, isReplaced);
  } catch {
    return () => undefined;
  }
}

function listen(home: Home, hostProcess: number, answer: AnswerCall, isReplaced: () => boolean): () => void {
  const folder = join(home.root, SOCKETS);
  ensureFolder(folder);
  const { uid, mode } = lstatSync(folder);
  const path = join(folder, String(hostProcess));
  // Created under another name first: when a server closes, the system removes the name that it was opened with.
  const first = join(folder, `.${unique()}`);
  const isPrivate = uid === process.getuid?.() && (mode & 0o077) === 0;
  if (!isPrivate || Buffer.byteLength(first) > MAX_PATH_BYTES) return () => undefined;
  forgetEnded(folder);
  // The server's own pipes load this module anyway.
  const { createServer } = process.getBuiltinModule("node:net");
  const server = createServer((socket) => {
    if (!isReplaced()) return serve(socket, answer);
    socket.destroy();
    stop();
  });
  let inode: number | undefined;
  const stop = () => {
    try {
      if (inode !== undefined && lstatSync(path).ino === inode) rmSync(path);
    } catch {
      // It is already gone.
    }
    server.close();
  };
  server.on("error", () => undefined);
  server.listen(first, () => {
    try {
      inode = lstatSync(first).ino;
      renameSync(first, path);
    } catch {
      server.close();
    }
  });
  server.unref();
  return stop;
}

function serve(socket: Socket, answer: AnswerCall): void {
  const gone = new AbortController();
  const chunks: Buffer[] = [];
  let size = 0;
  let isTaken = false;
  socket.on("error", () => socket.destroy());
  // The host has stopped waiting: what was not delivered must not count as delivered.
  socket.on("end", () => socket.destroy());
  socket.on("close", () => gone.abort());
  socket.setTimeout(SILENT_MS, () => !isTaken && socket.destroy());
  socket.write(greeting());
  socket.on("data", (chunk) => {
    if (isTaken) return void socket.destroy();
    chunks.push(chunk);
    size += chunk.length;
    const header = headerOf(chunks);
    if (header === undefined) return size > MAX_HEADER_BYTES ? void socket.destroy() : undefined;
    const { start, envBytes, payloadBytes, host, event } = header;
    if (envBytes > MAX_ENV_BYTES || payloadBytes > MAX_PAYLOAD_BYTES) return void socket.destroy();
    if (size < start + envBytes + payloadBytes) return;
    isTaken = true;
    const all = Buffer.concat(chunks);
    const env = envIn(all.toString("utf8", start, start + envBytes));
    const payload = all.subarray(start + envBytes, start + envBytes + payloadBytes);
    answer({ host, event, env, payload }, gone.signal).then(
      (text) => socket.end(`${Buffer.byteLength(text)}\n${text}`),
      () => socket.destroy(),
    );
  });
}

/**
 * A home may be shared with a container, whose process ids are separate: a hook there must not ask the server of
 * another process with the same id.
 */
function greeting(): string {
  let numbers = "";
  try {
    numbers = readlinkSync("/proc/self/ns/pid");
  } catch {
    // Only Linux has namespaces.
  }
  return `continuo 1 ${numbers}\n`;
}

interface Header extends Pick<SocketCall, "host" | "event"> {
  readonly start: number;
  readonly envBytes: number;
  readonly payloadBytes: number;
}

function headerOf(chunks: Buffer[]): Header | undefined {
  const [first = Buffer.alloc(0)] = chunks;
  const beginning = first.length < MAX_HEADER_BYTES ? Buffer.concat(chunks) : first;
  const line = beginning.toString("latin1", 0, MAX_HEADER_BYTES).split("\n", 1)[0] ?? "";
  const match = /^([\w-]+) (\w+) (\d{1,9}) (\d{1,9})$/.exec(line);
  if (match === null || beginning[line.length] !== 0x0a) return undefined;
  const [, host = "", event = "", envBytes, payloadBytes] = match;
  return {
    host,
    event,
    start: line.length + 1,
    envBytes: Number(envBytes),
    payloadBytes: Number(payloadBytes),
  };
}

function envIn(text: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const pair of text.split("\0")) {
    const at = pair.indexOf("=");
    if (at > 0) env[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return env;
}

/**
 * Removes sockets of host processes that have ended. Other names belong to a server that is just opening its socket.
 */
function forgetEnded(folder: string): void {
  const names = namesIn(folder).filter((name) => /^[1-9]\d{0,9}$/.test(name));
  for (const name of names.slice(0, MOST_LOOKED_AT))
    if (!isRunning(Number(name))) rmSync(join(folder, name), { force: true });
}
