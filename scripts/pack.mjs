// Makes the tarball that is published: node scripts/pack.mjs [FOLDER]. Plain `npm pack` is refused (prepack.mjs): it would
// keep our scripts and dependencies in package.json, and npm would install what is bundled already.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { npm, orExplain, root, say } from "./npm.mjs";
import { setup } from "./setup.mjs";

/** What only a clone needs. */
const OURS = ["scripts", "dependencies", "devDependencies", "allowScripts"];
/** npm packs them without being told. */
const ALWAYS = ["README.md", "LICENSE"];

/** The manifest that users get. */
export function publishedManifest(manifest) {
  return Object.fromEntries(Object.entries(manifest).filter(([key]) => !OURS.includes(key)));
}

/** Builds, and calls `use` with a folder that npm can make the package of. */
export function withPackage(options, use) {
  setup(options);
  return staged(options, use);
}

/** The same of what is built already. */
function staged(options, use) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const stage = mkdtempSync(join(tmpdir(), "continuo-stage-"));
  try {
    // What `files` excludes with "!" npm leaves out by itself.
    for (const path of [...manifest.files, ...ALWAYS].filter((one) => !one.startsWith("!")))
      cpSync(join(root, path), join(stage, path), { recursive: true });
    // A contributor's earlier build: type declarations that may be out of date.
    if (!options.types) rmSync(join(stage, "dist", "types"), { recursive: true, force: true });
    writeFileSync(join(stage, "package.json"), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
    return use(stage);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Builds, packs, and returns the path of the tarball. */
export function pack(folder) {
  return withPackage({ bundled: false, types: true }, (stage) => packFrom(stage, folder));
}

/** Packs what is built already, without type declarations. */
export function packBuilt(folder) {
  return staged({ types: false }, (stage) => packFrom(stage, folder));
}

function packFrom(stage, folder) {
  mkdirSync(folder, { recursive: true });
  const packing = ["pack", "--json", "--pack-destination", folder];
  const [{ filename }] = JSON.parse(npm(packing, { cwd: stage, returnsOutput: true }));
  return join(folder, filename);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [folder = ".", ...more] = process.argv.slice(2);
  if (folder.startsWith("-") || more.length > 0) {
    say("npm run pack [-- FOLDER]: makes the package that is published, in FOLDER or here");
    process.exit(folder === "--help" || folder === "-h" ? 0 : 2);
  }
  process.stdout.write(`${orExplain(() => pack(resolve(folder)))}\n`);
}
