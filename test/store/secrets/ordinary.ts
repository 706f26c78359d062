import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ALNUM, BASE64, type Drawing, drawing, HEX } from "./drawing.ts";
import { uuid } from "./vendors.ts";

export interface Ordinary {
  readonly kind: string;
  readonly line: string;
}

const ROOT = join(import.meta.dirname, "../../..");
const PER_KIND = 400;

/** Lines without secrets: real files of this repository and its packages, handwritten ones, and generated hashes and lock files. */
export function ordinaryLines(seed = 5): Ordinary[] {
  const draw = drawing(seed);
  return [...written(), ...drawn(draw), ...real(draw)];
}

function written(): Ordinary[] {
  const text = readFileSync(join(import.meta.dirname, "ordinary-lines.txt"), "utf8");
  return text.split("\n").flatMap((line) => {
    const [kind, ...rest] = line.split("\t");
    return kind === undefined || rest.length === 0 ? [] : [{ kind, line: rest.join("\t") }];
  });
}

function drawn(d: Drawing): Ordinary[] {
  const makers: Readonly<Record<string, () => string>> = {
    "git hash": () =>
      d.one([
        `commit ${d.of(HEX, 40)}`,
        `${d.of(HEX, 7)} auth: fix token refresh`,
        `index ${d.of(HEX, 7)}..${d.of(HEX, 7)} 100644`,
        `Merge: ${d.of(HEX, 9)} ${d.of(HEX, 9)}`,
      ]),
    uuid: () =>
      d.one([`id: ${uuid(d)}`, `{"requestId":"${uuid(d)}","ok":true}`, `session ${uuid(d)} resumed`]),
    "yarn.lock": () =>
      d.one([
        `  resolved "https://registry.yarnpkg.com/a/-/a-1.2.3.tgz#${d.of(HEX, 40)}"`,
        `  integrity sha512-${d.of(BASE64, 86)}==`,
        `  checksum: 10c0/${d.of(HEX, 128)}`,
      ]),
    "pnpm-lock": () => `    resolution: {integrity: sha512-${d.of(BASE64, 86)}==}`,
    "Cargo.lock": () =>
      d.one([
        `checksum = "${d.of(HEX, 64)}"`,
        `source = "registry+https://github.com/rust-lang/crates.io-index"`,
      ]),
    "go.sum": () => `github.com/acme/${d.of("abcdef", 5)} v1.${d.below(9)}.0/go.mod h1:${d.of(BASE64, 43)}=`,
    SRI: () => `<script src="/a.js" integrity="sha384-${d.of(BASE64, 64)}" crossorigin="anonymous"></script>`,
    "base64 image": () => `![](data:image/png;base64,iVBORw0KGgo${d.of(BASE64, 300)}=)`,
    path: () => `/home/me/.cache/${d.of(ALNUM, 12)}/token/${d.of(HEX, 32)}/password.ts`,
  };
  return Object.entries(makers).flatMap(([kind, make]) =>
    Array.from({ length: 60 }, () => ({ kind, line: make() })),
  );
}

function real(d: Drawing): Ordinary[] {
  const of = (kind: string, folder: string, name: RegExp): Ordinary[] => {
    const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).filter(
      (one) => name.test(one) && statSync(join(ROOT, folder, one)).isFile(),
    );
    const lines = d
      .shuffled(paths.sort())
      .slice(0, 40)
      .flatMap((path) => readFileSync(join(ROOT, folder, path), "utf8").split("\n"));
    const said = lines.filter((line) => line.trim() !== "" && line.length < 4000);
    return d
      .shuffled(said)
      .slice(0, PER_KIND)
      .map((line) => ({ kind, line }));
  };
  return [
    ...of("package-lock.json", ".", /^package-lock\.json$/),
    ...of("our source", "src", /\.ts$/),
    ...of("our pages", "docs", /\.md$/),
    ...of("JavaScript of packages", "node_modules", /^(?!.*\.min\.)[^.].*\.[cm]?js$/),
    ...of("types of packages", "node_modules/@types/node", /\.d\.ts$/),
    ...of("pages of packages", "node_modules", /README\.md$/i),
    ...of("JSON of packages", "node_modules", /package\.json$/),
  ];
}
