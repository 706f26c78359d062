import { join } from "node:path";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { readText } from "../../../store/read-file.ts";

const MAX_BYTES = 64 * 1024;
const MAX_WORDS = 500;

/** What a manifest says about a project: the language, and its packages. */
const MANIFESTS: readonly {
  readonly file: string;
  readonly words: readonly string[];
  readonly packages: (text: string) => readonly string[];
}[] = [
  { file: "package.json", words: ["javascript", "node", "npm"], packages: npmPackages },
  { file: "tsconfig.json", words: ["typescript"], packages: () => [] },
  {
    file: "Cargo.toml",
    words: ["rust", "cargo"],
    packages: (text) => all(text, /^([\w-]{2,80})[ \t]{0,40}=/gm),
  },
  {
    file: "pyproject.toml",
    words: ["python"],
    packages: (text) => all(text, /^[ \t]{0,40}"?([\w-]{2,80})[ \t]{0,40}[<>=~[]/gm),
  },
  { file: "requirements.txt", words: ["python"], packages: (text) => all(text, /^([\w-]{2,80})/gm) },
  { file: "go.mod", words: ["golang", "go"], packages: (text) => all(text, /\/([\w.-]{2,80}) v\d/g) },
];

/** Languages and packages of a project, in lower case, to find global notes that concern it. */
export function projectWords(root: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { file, words: known, packages } of MANIFESTS) {
    const text = readManifest(join(root, file), root);
    if (text === undefined) continue;
    for (const word of known) words.add(word);
    for (const found of packages(text)) {
      if (words.size >= MAX_WORDS) return words;
      // For a scoped package, both parts: @tanstack/react-query.
      words.add(found.toLowerCase());
      words.add(found.toLowerCase().split("/").at(-1) ?? "");
    }
  }
  return words;
}

/** The files that contain them, whether they exist or not. */
export function projectWordsFiles(root: string): string[] {
  return MANIFESTS.map(({ file }) => join(root, file));
}

function readManifest(path: string, root: string): string | undefined {
  try {
    return readText(path, { maxBytes: MAX_BYTES, root });
  } catch {
    return undefined; // absent, too large, or not inside the project
  }
}

function npmPackages(text: string): string[] {
  try {
    const manifest = parseBounded(text);
    const groups = isRecord(manifest) ? ["dependencies", "devDependencies", "peerDependencies"] : [];
    return groups.flatMap((group) => {
      const listed = isRecord(manifest) ? manifest[group] : undefined;
      return isRecord(listed) ? Object.keys(listed).slice(0, MAX_WORDS) : [];
    });
  } catch {
    return []; // a broken manifest names nothing
  }
}

function all(text: string, name: RegExp): string[] {
  return [...text.matchAll(name)].slice(0, MAX_WORDS).map(([, found = ""]) => found);
}
