/** Names of languages in Markdown and endings of files, by highlight.js's name. Others are shown without colours. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  bash: ["bash", "sh", "zsh", "shell", "console"],
  css: ["css", "scss"],
  diff: ["diff", "patch"],
  go: ["go", "golang"],
  javascript: ["js", "javascript", "mjs", "cjs", "jsx"],
  json: ["json", "jsonc", "jsonl", "json5"],
  markdown: ["md", "markdown"],
  python: ["py", "python", "pyi"],
  rust: ["rs", "rust"],
  sql: ["sql"],
  typescript: ["ts", "typescript", "tsx", "mts", "cts"],
  xml: ["html", "xml", "svg", "vue"],
  yaml: ["yaml", "yml", "toml"],
};

const BY_NAME = new Map(Object.entries(NAMES).flatMap(([to, names]) => names.map((name) => [name, to])));

export function languageOf(name: string): string | undefined {
  return BY_NAME.get(name.toLowerCase());
}

export function languageOfPath(path: string): string | undefined {
  return languageOf(/\.([\w+]+)$/.exec(path)?.[1] ?? "");
}
