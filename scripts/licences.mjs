// The licence texts of everything that is bundled: most licences ask that their text goes with each copy.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** As esbuild names modules: the innermost package counts. */
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const TEXT = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i;

const HEAD = `Continuo includes code of these packages. The table of meaning was made with the model all-MiniLM-L6-v2
(https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), which has the Apache License 2.0.
`;

/** The folders of the packages that something is bundled from, by esbuild's metafiles. */
export function bundledPackages(metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((one) => Object.entries(one.inputs)),
  );
  const folders = inputs.flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? (PACKAGE.exec(path)?.[1] ?? []) : [],
  );
  return [...new Set(folders)].sort();
}

/** One text with all licences and notices. Throws if a package has none. */
export function licencesOf(root, folders) {
  const sections = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const texts = readdirSync(join(root, folder))
      .filter((file) => TEXT.test(file))
      .map((file) => readFileSync(join(root, folder, file), "utf8").trim());
    if (texts.length === 0)
      throw new Error(`${name} ${version} (${license}) is bundled and has no licence text`);
    return [`${name} ${version} (${license})`, ...texts].join("\n\n");
  });
  return [HEAD.trim(), ...sections].join(`\n\n${"-".repeat(80)}\n\n`).concat("\n");
}
