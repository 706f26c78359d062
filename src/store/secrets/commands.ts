import { afterLines } from "./blocks.ts";
import { SHAPES } from "./formats.ts";
import { IN_OTHER_SCRIPTS, type Judge, LINES, type Line } from "./lines.ts";
import type { Span } from "./spans.ts";
import { isNotAWord, isPlaceholder, isRandom, isSentence } from "./values.ts";

const VALUE = `(?:"([^"\\n]{1,200})"|'([^'\\n]{1,200})'|([^\\s"'\`|;&<>)\\\\]{1,200}))`;
const QUOTED = `(?:"([^"\\n]{1,200})"|'([^'\\n]{1,200})')`;
/** Between a program and its option: other options, on this line. */
const WITHIN = "[^\\n|;]{0,300}?\\s";

/**
 * Passwords on command lines, each with a text that the command must contain. `isPair`: the password is behind the first
 * colon (or `%`). Patterns are compiled when they are first needed.
 */
const COMMANDS: readonly (readonly [has: string, pattern: string, isPair?: true])[] = [
  ["curl ", `\\bcurl\\b${WITHIN}(?:-[a-zA-Z]{0,6}u|--user|--proxy-user|-U)[ =]?${VALUE}`, true],
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
  ["redis-cli", `\\bredis-cli\\b${WITHIN}(?:-a|--pass|AUTH|auth) ${VALUE}`],
  ["requirepass", `\\brequirepass ${VALUE}(?=["']?\\s*$)`],
  ["masterauth", `\\bmasterauth ${VALUE}(?=["']?\\s*$)`],
  ["storepass", `-(?:src|dest)?storepass[ =]${VALUE}`],
  ["keypass", `-(?:src|dest)?keypass[ =]${VALUE}`],
  ["/add", `\\bnet user \\S{1,60} (?!/)${VALUE}(?= /)`],
  ["ipmitool", `\\bipmitool\\b${WITHIN}-P ${VALUE}`],
  ["mosquitto_", `\\bmosquitto_[a-z]{2,4}\\b${WITHIN}-P ${VALUE}`],
  ["cqlsh", `\\bcqlsh\\b${WITHIN}-p ${VALUE}`],
  ["beeline", `\\bbeeline\\b${WITHIN}-p ${VALUE}`],
  ["psexec", `\\bpsexec(?:64)?(?:\\.exe)?\\b${WITHIN}-p ${VALUE}`],
  ["freerdp", `\\b[xw]l?freerdp3?\\b${WITHIN}/p:${VALUE}`],
  ["schtasks", `\\bschtasks\\b${WITHIN}/rp ${VALUE}`],
  ["lftp -u", `\\blftp -u ["']?[^\\s,]{1,60},${VALUE}`],
  ["etcdctl", `\\betcdctl\\b${WITHIN}--user[ =]${VALUE}`, true],
  ["oathtool", `\\boathtool\\b${WITHIN}(?:-b|--base32) ${VALUE}`],
  ["isql ", `\\bisql \\S{1,60} \\S{1,60} (?!-)${VALUE}`],
  ["secret set", `\\bsecret set \\S{1,80} [^\\n]{0,100}?(?:--body|-b)[ =]${VALUE}`],
  ["secret put", `\\becho (?:-n )?${VALUE} ?\\| ?(?:npx )?wrangler secret put`],
  ["nmcli", `\\bnmcli\\b${WITHIN}password ${VALUE}`],
  ["snmp", `\\bsnmp[a-z]{3,8}\\b${WITHIN}-c ${VALUE}`],
  ["mongo", `\\bmongo(?:sh|dump|restore|export|import)?\\b${WITHIN}-p ${VALUE}`],
  ["ldap", `\\bldap[a-z]{3,12}\\b${WITHIN}-w ${VALUE}`],
  ["sqlcmd", `\\bsqlcmd\\b${WITHIN}-P ?${VALUE}`],
  ["smbclient", `\\bsmbclient\\b${WITHIN}-U ${VALUE}`, true],
  ["zip", `\\b(?:un)?zip\\b${WITHIN}-P ?(?!\\S+\\.(?:zip|ZIP)\\b)${VALUE}`],
  ["7z ", `\\b7z[ar]?\\b${WITHIN}-p${VALUE}`],
  ["htpasswd", `\\bhtpasswd -[a-zA-Z]{0,4}b[a-zA-Z]{0,4} \\S{1,100} \\S{1,60} ${VALUE}`],
  ["add_user", `\\badd_user \\S{1,60} ${VALUE}`],
  ["sudo -S", `\\becho (?:-n )?${VALUE} ?\\| ?sudo -S`],
  ["-stdin", `\\b(?:echo|printf) (?:-n )?${VALUE} ?\\| ?[^\\n|]{0,80}--password-stdin`],
  ["dentified", `\\buser [^\\n]{1,80} identified (?:with \\S{1,40} )?by (?:password )?${QUOTED}`],
  ["DENTIFIED", `\\bIDENTIFIED (?:WITH \\S{1,40} )?BY (?:PASSWORD )?${QUOTED}`],
  ["openssl", `\\bopenssl\\b${WITHIN}-k ${VALUE}`],
  ["/user:", `\\bnet use\\b${WITHIN}/user:\\S{1,80} ${VALUE}`],
  ["chpasswd", `\\becho ${VALUE} ?\\| ?(?:sudo )?chpasswd`, true],
  ["ConvertTo-SecureString", `\\bConvertTo-SecureString (?:-String )?${VALUE}`],
];

/** The text that each of them must contain, for the scan. A number in `seen` is an index of this list. */
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
    else if (line !== undefined) findInLines(text, compiled(line[3]), line, spans);
    else if (shape !== undefined) findGroups(text, compiled(shape[2]), shape[0], spans);
  }
}

/** Fast for texts in Latin letters only: engines store them with one byte per character. */
const OTHER_SCRIPT = /[\u0100-\uffff]/;

export function findInOtherScripts(text: string, spans: Span[]): void {
  if (OTHER_SCRIPT.test(text)) findInLines(text, compiled(IN_OTHER_SCRIPTS[3]), IN_OTHER_SCRIPTS, spans);
}

const made = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  const known = made.get(pattern) ?? new RegExp(pattern, pattern.includes("\\p{") ? "gmu" : "gm");
  made.set(pattern, known);
  return known;
}

function findPasswords(text: string, pattern: RegExp, isPair: boolean, spans: Span[]): void {
  for (const match of text.matchAll(pattern)) {
    const value = match[1] ?? match[2] ?? match[3] ?? "";
    const within = match[0].lastIndexOf(value);
    const colon = isPair ? value.search(/[:%]/) + 1 : 0;
    // `-u KEY:X`: some services take the key as the user name.
    const isUser = isPair && colon >= 16 && value.length - colon <= 2 && isRandom(value.slice(0, colon));
    const secret = isUser ? value : value.slice(colon);
    if (
      (isPair && colon === 0) ||
      secret.length < 3 ||
      (isPlaceholder(secret) && !/\d{2}$/.test(secret)) ||
      /^[-$]/.test(secret)
    )
      continue;
    const from = match.index + within + (isUser ? 0 : colon);
    spans.push({ from, to: from + secret.length, kind: "password" });
  }
}

function findInLines(text: string, pattern: RegExp, [, kind, judge]: Line, spans: Span[]): void {
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const secret = match[1] ?? match[0];
    const from = match.index + match[0].length - secret.length;
    if (from < done || !isJudged(secret, judge)) continue;
    done = judge === "key" ? afterLines(text, from + secret.length) : from + secret.length;
    spans.push({ from, to: done, kind });
  }
}

function isJudged(value: string, judge: Judge): boolean {
  if (judge === "sure" || judge === "key") return true;
  if (judge === "random") return isRandom(value);
  if (judge === "phrase") return !isSentence(value);
  if (judge === "mixed") return !isPlaceholder(value) && isNotAWord(value) && !/[({<[]|^https?:/.test(value);
  const decoded = Buffer.from(value, "base64").toString("latin1");
  if (judge === "basic")
    return /^[\x20-\x7e]{1,200}:[\x20-\x7e]/.test(decoded) || /[A-Z]\w*\d\w*[a-z]\w*[A-Z]/.test(value);
  return /key|pass|secret|token|auth|[A-Z_]{3}=/i.test(decoded) || isRandom(decoded);
}

function findGroups(text: string, pattern: RegExp, kind: string, spans: Span[]): void {
  for (const match of text.matchAll(pattern)) {
    const secret = match[1] ?? match[0];
    const from = match.index + match[0].length - secret.length;
    if (isRandom(secret)) spans.push({ from, to: from + secret.length, kind });
  }
}
