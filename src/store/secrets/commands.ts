import { SHAPES } from "./formats.ts";
import { isRandom } from "./random.ts";
import type { Span } from "./spans.ts";
import { isPlaceholder } from "./values.ts";

const VALUE = `(?:"([^"\\n]{1,200})"|'([^'\\n]{1,200})'|([^\\s"'\`|;&<>)\\\\]{1,200}))`;
const QUOTED = `(?:"([^"\\n]{1,200})"|'([^'\\n]{1,200})')`;
/** Between a program and its option: other options, on this line. */
const WITHIN = "[^\\n|;]{0,300}?\\s";

/**
 * Passwords that programs are given on the command line, each with a text that it must have. `pair`: what counts is
 * behind the first colon (or `%`). Patterns are made when they are needed first.
 */
const COMMANDS: readonly (readonly [has: string, pattern: string, isPair?: true])[] = [
  ["curl", `\\bcurl\\b${WITHIN}(?:-[a-zA-Z]{0,6}u|--user|--proxy-user|-U)[ =]?${VALUE}`, true],
  ["http", `\\bhttps?\\b${WITHIN}(?:-a|--auth)[ =]${VALUE}`, true],
  ["wget", `\\bwget\\b${WITHIN}--user=${VALUE}`, true],
  ["mysql", `\\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh)\\b${WITHIN}-p${VALUE}`],
  ["mariadb", `\\bmariadb(?:-dump|-admin)?\\b${WITHIN}-p${VALUE}`],
  ["sshpass", `\\bsshpass ${"-p"} ?${VALUE}`],
  [
    "login",
    `\\b(?:docker|podman|nerdctl|buildah|helm registry|oras|crane auth|az|skopeo|oc|heroku|registry) login\\b${WITHIN}-p[ =]?${VALUE}`,
  ],
  ["pass:", `(?<=[\\s=])pass:${VALUE}`],
  ["redis-cli", `\\bredis-cli\\b${WITHIN}(?:-a|--pass) ${VALUE}`],
  ["mongo", `\\bmongo(?:sh|dump|restore|export|import)?\\b${WITHIN}-p ${VALUE}`],
  ["ldap", `\\bldap[a-z]{3,12}\\b${WITHIN}-w ${VALUE}`],
  ["sqlcmd", `\\bsqlcmd\\b${WITHIN}-P ?${VALUE}`],
  ["smbclient", `\\bsmbclient\\b${WITHIN}-U ${VALUE}`, true],
  ["zip", `\\b(?:un)?zip\\b${WITHIN}-P ?${VALUE}`],
  ["7z ", `\\b7z[ar]?\\b${WITHIN}-p${VALUE}`],
  ["htpasswd", `\\bhtpasswd -[a-zA-Z]{0,4}b[a-zA-Z]{0,4} \\S{1,100} \\S{1,60} ${VALUE}`],
  ["add_user", `\\badd_user \\S{1,60} ${VALUE}`],
  ["sudo -S", `\\becho (?:-n )?${VALUE} ?\\| ?sudo -S`],
  ["-stdin", `\\b(?:echo|printf) (?:-n )?${VALUE} ?\\| ?[^\\n|]{0,80}--password-stdin`],
  ["dentified", `\\bidentified (?:with \\S{1,40} )?by (?:password )?${QUOTED}`],
  ["DENTIFIED", `\\bIDENTIFIED (?:WITH \\S{1,40} )?BY (?:PASSWORD )?${QUOTED}`],
  ["openssl", `\\bopenssl\\b${WITHIN}-k ${VALUE}`],
  ["net use", `\\bnet use\\b${WITHIN}/user:\\S{1,80} ${VALUE}`],
  ["chpasswd", `\\becho ${VALUE} ?\\| ?(?:sudo )?chpasswd`, true],
  ["ConvertTo-SecureString", `\\bConvertTo-SecureString (?:-String )?${VALUE}`],
];

/** Forms of lines: hashes of passwords, `.pgpass`, and schemes of the Authorization header that stand alone. */
const LINES: readonly (readonly [has: string, pattern: string])[] = [
  ["$2a$", String.raw`(?<=[:\s"'=])(\$2a\$[\w./$=,+-]{20,200})`],
  ["$2b$", String.raw`(?<=[:\s"'=])(\$2b\$[\w./$=,+-]{20,200})`],
  ["$2y$", String.raw`(?<=[:\s"'=])(\$2y\$[\w./$=,+-]{20,200})`],
  ["$6$", String.raw`(?<=[:\s"'=])(\$6\$[\w./$=,+-]{20,200})`],
  ["$apr1$", String.raw`(?<=[:\s"'=])(\$apr1\$[\w./$=,+-]{20,200})`],
  ["$argon2", String.raw`(?<=[:\s"'=])(\$argon2(?:id|i|d)\$[\w./$=,+-]{20,200})`],
  ["5432:", String.raw`^[\w.*-]{1,100}:5432:[\w*-]{1,60}:[\w*-]{1,60}:(\S{4,100})$`],
  ["earer ", String.raw`\b[Bb]earer {1,3}([\w.~+/=-]{12,4000})`],
  ["BEARER ", String.raw`\bBEARER {1,3}([\w.~+/=-]{12,4000})`],
  ["asic ", String.raw`\b[Bb]asic {1,3}([A-Za-z0-9+/]{12,1000}={0,2})(?![\w-])`],
  ["SSWS ", String.raw`\bSSWS {1,3}([\w-]{20,100})`],
  ["GenieKey ", String.raw`\bGenieKey {1,3}([\w-]{20,100})`],
  ["Bot ", String.raw`\bBot {1,3}([\w.-]{40,120})`],
];

/** What each of them must have, for the scan: a number in `seen` is a place in this list. */
export const HINTS: readonly string[] = [...COMMANDS, ...LINES, ...SHAPES.map(([, has]) => [has])].map(
  ([has]) => has as string,
);

export function findShapes(text: string, seen: readonly number[], spans: Span[]): void {
  for (const number of seen) {
    if (!text.includes(HINTS[number] ?? "")) continue;
    const command = COMMANDS[number];
    const line = LINES[number - COMMANDS.length];
    const shape = SHAPES[number - COMMANDS.length - LINES.length];
    if (command !== undefined) findPasswords(text, compiled(command[1]), command[2] ?? false, spans);
    else if (line !== undefined)
      findGroups(
        text,
        compiled(line[1]),
        /^[$5]/.test(line[0]) ? "password" : "token",
        spans,
        line[0].startsWith("5"),
      );
    else if (shape !== undefined) findGroups(text, compiled(shape[2]), shape[0], spans);
  }
}

const made = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  const known = made.get(pattern) ?? new RegExp(pattern, "gm");
  made.set(pattern, known);
  return known;
}

function findPasswords(text: string, pattern: RegExp, isPair: boolean, spans: Span[]): void {
  for (const match of text.matchAll(pattern)) {
    const value = match[1] ?? match[2] ?? match[3] ?? "";
    const within = match[0].lastIndexOf(value);
    const colon = isPair ? value.search(/[:%]/) + 1 : 0;
    const secret = value.slice(colon);
    if ((isPair && colon === 0) || secret.length < 3 || isPlaceholder(secret) || /^[-$]/.test(secret))
      continue;
    const from = match.index + within + colon;
    spans.push({ from, to: from + secret.length, kind: "password" });
  }
}

function findGroups(text: string, pattern: RegExp, kind: string, spans: Span[], isSure = false): void {
  for (const match of text.matchAll(pattern)) {
    const secret = match[1] ?? match[0];
    const from = match.index + match[0].length - secret.length;
    if (isSure || isRandom(secret)) spans.push({ from, to: from + secret.length, kind });
  }
}
