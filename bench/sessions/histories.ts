import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

/** About 1,370 passages each: eight make a project of 10,000. */
const ROUNDS_A_PROJECT = 8;

/** The folder of one of the projects that the copies are spread over. */
export const projectFolder = (number: number): string => `/bench/project-${number}`;

export interface Repeated {
  readonly files: number;
  readonly bytes: number;
  readonly projects: number;
}

/** Real transcripts, copied into a user's home until there are this many bytes. The words of the copies hardly differ. */
export function repeatTranscripts(data: string, home: string, bytes: number): Repeated {
  const places = [
    { from: join(data, "transcripts/claude-code"), to: join(home, ".claude/projects/-bench") },
    { from: join(data, "transcripts/pi"), to: join(home, ".pi/agent/sessions/--bench--") },
  ];
  const originals = places.flatMap(({ from, to }) => {
    mkdirSync(to, { recursive: true });
    return readdirSync(from).map((name) => ({ to, name, text: readFileSync(join(from, name), "utf8") }));
  });
  const round = originals.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const projects = Math.max(1, Math.floor(bytes / round / ROUNDS_A_PROJECT));
  let files = 0;
  let written = 0;
  for (let round = 0; written < bytes; round++) {
    for (const { to, name, text } of originals) {
      const path = join(to, fileName(basename(name, ".jsonl"), round, to));
      // Ids of turns must differ, or all but the first would count as copies.
      writeFileSync(path, moved(renumbered(text, round), projectFolder(round % projects)));
      files++;
      written += statSync(path).size;
    }
  }
  return { files, bytes: written, projects };
}

function fileName(name: string, round: number, to: string): string {
  if (to.includes(".pi")) return `2026-01-01T00-00-00-000Z_${name}-${round}.jsonl`;
  return `${name}-${round}.jsonl`;
}

/** The transcript with its working folder, and the paths in it, replaced. */
function moved(text: string, folder: string): string {
  const cwd = /"cwd":"([^"]+)"/.exec(text)?.[1];
  return cwd === undefined ? text : text.replaceAll(cwd, folder);
}

const digits = (round: number): string => round.toString(16).padStart(4, "0");

/** The first four digits of every uuid, and of pi's short ids. */
function renumbered(text: string, round: number): string {
  return text
    .replace(/"(uuid|parentUuid)":"[0-9a-f]{4}/g, `"$1":"${digits(round)}`)
    .replace(/"(id|parentId)":"[0-9a-f]{4}([0-9a-f]{4}")/g, `"$1":"${digits(round)}$2`);
}

/** This many copies of one small session, to measure what it costs to see that nothing changed. */
export function manySmall(data: string, home: string, count: number): void {
  const from = join(data, "transcripts/claude-code/tiny-conversation.jsonl");
  for (let at = 0; at < count; at++) {
    const folder = join(home, `.claude/projects/-project-${at % 40}`);
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
    copyFileSync(from, join(folder, `00000000-0000-4000-8000-${String(at).padStart(12, "0")}.jsonl`));
  }
}
