import { describe, expect, it } from "vitest";
import { findSecrets, redact } from "../../../src/store/redact.ts";
import { workFor } from "../../../src/store/secrets/extent.ts";
import { cpuSeconds } from "../../support/cpu-time.ts";
import { ALNUM, BASE64, drawing } from "./drawing.ts";

const QUARTER_OF_A_MEGABYTE = 2 ** 18;
const fill = (part: string): string =>
  part.repeat(Math.ceil(QUARTER_OF_A_MEGABYTE / part.length)).slice(0, QUARTER_OF_A_MEGABYTE);
const draw = drawing(7);

/** What makes patterns slow: beginnings without ends, endless words, nested quotes, only separators. */
const HOSTILE: Readonly<Record<string, string>> = {
  "assignments without values": fill("a="),
  "names without an end": fill("password_"),
  "keys and quotes": fill('"key":'),
  "beginnings of private keys": fill("-----BEGIN RSA PRIVATE KEY-----"),
  "half beginnings of private keys": fill("-----BEGIN "),
  "ends of private keys": fill("-----END RSA PRIVATE KEY-----\n"),
  "one word of base64": draw.of(BASE64, 1000).repeat(262),
  "at signs and colons": fill("@:"),
  "addresses without an end": fill("a://b:c"),
  "addresses without a host": fill("://:@"),
  "beginnings of tokens": fill("ghp_"),
  "beginnings of tokens in a word": fill("sk-"),
  "tokens that are no tokens": fill("sk-aaaa-"),
  "beginnings of web tokens": fill("eyJ"),
  "beginnings of web tokens in a word": fill("-eyJ-"),
  "dots and beginnings of web tokens": fill("eyJaaaaaaaaa."),
  quotes: fill('"'),
  "quotes and spaces": fill(`"${" ".repeat(39)}`),
  "joined strings": fill('"a" + '),
  backslashes: fill("\\"),
  "escaped quotes": fill('\\"'),
  spaces: fill(" "),
  "line breaks": fill("\n"),
  "programs without options": fill("curl -"),
  "programs of databases": fill("mysql -p "),
  "headers without an end": fill("authorization: a "),
  cookies: fill("cookie: a=b;"),
  "zero-width characters": fill("a\u200b"),
  "pieces of tokens": fill("ghp_a1b2 "),
  "pieces and cuts": fill("ghp_a1b2c3d4,,,,,,,,,,,,"),
  "query parts": fill("&key=a"),
  "one long value": `password="${draw.of(ALNUM, QUARTER_OF_A_MEGABYTE)}"`,
  "one long bare value": `password=${draw.of(ALNUM, QUARTER_OF_A_MEGABYTE)}`,
  "many long bare values": fill(`token=${"a-".repeat(300)} `),
  "many letters x": fill(`password=${"x".repeat(50)}Q1 `),
  "user names": fill("login a password "),
  placeholders: fill(`password=${"my-".repeat(19)} `),
  "words for placeholders": fill("password=your-secret-token-here-please-change-me-now-x! "),
};

describe("redaction of hostile text of a quarter of a megabyte", () => {
  it.each(Object.entries(HOSTILE))("finishes: %s", (_, text) => {
    // This detects a hang and is not a measurement: quadratic work on this takes a minute.
    expect(cpuSeconds(() => void redact(text))).toBeLessThan(8);
  });
});

const NAMES =
  "pass password passphrase pwd psw pw secret client_secret token key api_key ?key &sig cred auth authorization cookie set-cookie salt mnemonic jwt sig pat sas --password -p login".split(
    " ",
  );
const SIGNS = [
  ":",
  "=",
  ": ",
  " = ",
  '="',
  "='",
  '":"',
  '\\":\\"',
  " is ",
  "?",
  "&",
  "(",
  '("',
  ', "',
  " ",
  ">",
  "=>",
  "!==",
  "%3D",
  "-",
  ".",
  "_",
  "\n",
  ":\n",
  "=\n",
  ": |\n ",
  ";",
  "=${",
  "={{",
  "=your-",
  ": a=",
  ": a ",
  "=a;",
  "=a1b2,",
  ": Bearer a ",
  ": Digest a=",
];
/** Long enough: the work per character is the same at four times the length. */
const PART = 2 ** 12;

/** How often each character is examined closely at most. A window for each name would make it hundreds of times. */
const MOST = 12;

function lookedAt(text: string): number {
  const work = workFor(text);
  findSecrets(text, work);
  return work.spent / text.length;
}

describe("redaction of names that are close together", () => {
  const part = (one: string): string => one.repeat(Math.ceil(PART / one.length));

  it.each(NAMES)("examines each character only a few times: %s", (name) => {
    for (const sign of SIGNS) {
      expect(lookedAt(part(name + sign)), name + sign).toBeLessThanOrEqual(MOST);
      // Many names that share one long value, and one value with nested names.
      expect(
        lookedAt(part(`${name}${sign}${NAMES.join(sign)}${sign}`)),
        `nested ${name}${sign}`,
      ).toBeLessThanOrEqual(MOST);
    }
  });

  it("examines each character only a few times, whichever names and separators alternate", () => {
    const draw = drawing(11);
    for (let turn = 0; turn < 300; turn++) {
      const one = draw.one(NAMES) + draw.one(SIGNS) + draw.one(NAMES) + draw.one(SIGNS);
      expect(lookedAt(part(one)), one).toBeLessThanOrEqual(MOST);
    }
  });

  it("examines each character only a few times in the texts above", () => {
    for (const [name, text] of Object.entries(HOSTILE))
      expect(lookedAt(text.slice(0, PART)), name).toBeLessThanOrEqual(MOST);
  });

  it("still redacts a secret after them, and nothing in a text that only has many names", () => {
    const value = draw.of(ALNUM, 24);
    expect(redact(`${"pass:".repeat(4000)}\nDB_PASSWORD=${value}\n`)).not.toContain(value);
    const names = "password: string;\ntoken: string;\napiKey?: string;\n".repeat(2000);
    expect(redact(names)).toBe(names);
  });
});
