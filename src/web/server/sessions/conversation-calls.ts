import { oneLine } from "../../../base/for-terminal.ts";
import type { Call } from "../../../moments/ports/turn.ts";

/** How a line about a tool call begins, by the tool's name without separators. Hosts use different names. */
const VERBS: readonly (readonly [RegExp, string])[] = [
  [/^(?:read|readfile|view|cat|viewimage|readmanyfiles|openfile|getfile|notebookread)$/, "Read"],
  [
    /^(?:edit|multiedit|editfile|replace|strreplace|strreplaceeditor|applypatch|patch|notebookedit|insertedit.*|replacestringinfile)$/,
    "Edit",
  ],
  [/^(?:write|writefile|create|createfile)$/, "Write"],
  [
    /^(?:bash|shell|exec|execcommand|localshell|localshellcall|runshellcommand|runcommand|runinterminal|terminal|powershell|writestdin)$/,
    "Run",
  ],
  [
    /^(?:grep|rg|search|searchfilecontent|greptool|codesearch|grepsearch|toolsearch|toolsearchcall)$/,
    "Search",
  ],
  [/^(?:glob|find|ls|list|listdirectory|listdir|fileglob)$/, "List"],
  [/^(?:webfetch|fetch|fetchwebpage)$/, "Fetch"],
  [/^(?:websearch|websearchcall|googlewebsearch)$/, "Search the web for"],
  [/^(?:task|agent|subagent|spawnagent|delegate.*)$/, "Start subagent"],
  [/^(?:todowrite|todoread|updateplan|writetodos|updatetodo)$/, "Plan"],
  [/^(?:skill)$/, "Use skill"],
];

export function verbOf(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z]/g, "");
  return VERBS.find(([names]) => names.test(plain))?.[1] ?? oneLine(name).slice(0, 80);
}

/** Fields that say what a call is about, most informative first. */
const TELLING = [
  "command",
  "cmd",
  "pattern",
  "query",
  "url",
  "file_path",
  "filePath",
  "path",
  "description",
  "prompt",
  "skill",
  "name",
];
const MOST_ABOUT = 200;

/** One line: the command, the file, the pattern, or the first short text of the input. */
export function aboutOf({ input, files }: Call): string {
  const command = commandOf(input["command"] ?? input["cmd"]);
  if (command !== "") return clipped(command);
  if (files.length > 0) return clipped(files.map(({ path }) => path).join(", "));
  for (const name of TELLING) {
    const value = input[name];
    if (typeof value === "string" && value.trim() !== "") return clipped(value);
  }
  const first = Object.values(input).find((value) => typeof value === "string" && value.trim() !== "");
  return typeof first === "string" ? clipped(first) : "";
}

/** `["bash", "-lc", "…"]`: the last word is the command. */
function commandOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  const words = value.filter((word) => typeof word === "string").slice(0, 100);
  return words.length === 3 && /sh$/.test(words[0] ?? "") ? (words[2] ?? "") : words.join(" ");
}

const clipped = (text: string): string => oneLine(text.slice(0, 4 * MOST_ABOUT)).slice(0, MOST_ABOUT);
