/** The ends of files' names by the language's name in highlight.js. */
const ENDINGS: Readonly<Record<string, string>> = {
  bash: "bash sh",
  c: "c h",
  cpp: "cc cpp hpp",
  csharp: "cs",
  css: "css",
  diff: "diff patch",
  go: "go",
  ini: "ini toml",
  java: "java",
  javascript: "cjs js jsx mjs",
  json: "json jsonc",
  kotlin: "kt",
  lua: "lua",
  markdown: "md mdc mdx",
  php: "php",
  python: "py",
  ruby: "rb",
  rust: "rs",
  scss: "scss",
  sql: "sql",
  swift: "swift",
  typescript: "cts mts ts tsx",
  xml: "htm html svg vue xml",
  yaml: "yaml yml",
};

const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) => endings.split(" ").map((one) => [one, language])),
);
const BY_NAME = new Map([
  ["dockerfile", "dockerfile"],
  ["makefile", "makefile"],
]);

export function languageOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  return BY_NAME.get(lower) ?? BY_ENDING.get(/\.([a-z0-9]+)$/.exec(lower)?.[1] ?? "");
}
