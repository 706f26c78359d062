// The page of `continuo web`: one style sheet, one script and a few that are loaded when they are needed, each with its
// content's hash in its name. Nothing is fetched from elsewhere at run time.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** All of the page's code, gzipped. */
const MOST_BYTES = 250_000;

/** Writes `dist/web`; returns its size. Throws if the page became too large. */
export async function buildPage(root) {
  const outdir = join(root, "dist", "web");
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      main: "src/web/page/main.tsx",
      theme: "src/web/page/core/first-theme.ts",
      style: "src/web/page/style/main.css",
    },
    entryNames: "[name]-[hash]",
    chunkNames: "part-[hash]",
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: ["es2022", "chrome111", "firefox115", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    metafile: true,
    write: false,
    legalComments: "none",
    logLevel: "warning",
  });
  const nameOf = (entry) => {
    const [path] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
    if (path === undefined) throw new Error(`the page's build has no ${entry}`);
    return basename(path);
  };
  const html = readFileSync(join(root, "src/web/page/index.html"), "utf8")
    .replace("%STYLE%", nameOf("src/web/page/style/main.css"))
    .replace("%THEME%", nameOf("src/web/page/core/first-theme.ts"))
    .replace("%SCRIPT%", nameOf("src/web/page/main.tsx"));
  const files = [
    ...outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]),
    ["index.html", Buffer.from(html)],
  ];
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  let gzipped = 0;
  for (const [name, content] of files) {
    gzipped += gzipSync(content, { level: 9 }).length;
    writeFileSync(join(outdir, name), content);
  }
  if (gzipped > MOST_BYTES) throw new Error(`the page has ${gzipped} bytes gzipped, at most ${MOST_BYTES}`);
  return { gzipped, files: files.map(([name, content]) => [name, content.length]), metafile };
}
