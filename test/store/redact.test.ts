import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact, redactDeep } from "../../src/store/redact.ts";

// Put together here so that no scanner takes this file for a leak.
const secrets = {
  anthropic: `sk-ant-${"api03-abcDEF123456"}`,
  openai: `sk-proj-${"a1B2c3D4e5F6g7H8i9J0k1"}`,
  github: `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`,
  aws: `AKIA${"IOSFODNN7EXAMPLE"}`,
  slack: `xoxb-${"123456789012-abcdefghijkl"}`,
  jwt: `eyJ${"hbGciOiJIUzI1NiJ9"}.${"eyJzdWIiOiIxMjM0In0"}.${"abc123def456"}`,
  password: "hunter2hunter2",
};

describe("redact", () => {
  it.each([
    `key is ${secrets.anthropic}.`,
    `export OPENAI_API_KEY=${secrets.openai}`,
    `git remote https://me:${secrets.github}@github.com/x`,
    `aws ${secrets.aws} end`,
    `slack=${secrets.slack}`,
    `Authorization: Bearer ${secrets.jwt}`,
    `{"password": "${secrets.password}"}`,
    `DB_PASSWORD='${secrets.password}'`,
    `postgres://app:${secrets.password}@db/x`,
  ])("takes the secret out of %j", (text) => {
    for (const secret of Object.values(secrets)) expect(redact(text)).not.toContain(secret);
    expect(redact(text)).toContain("[redacted:");
  });

  it("removes a whole private key, even a truncated one", () => {
    const begin = "-----BEGIN RSA PRIVATE KEY-----";
    expect(redact(`a ${begin}\nMIIabc\n-----END RSA PRIVATE KEY----- b`)).toBe("a [redacted:private-key] b");
    expect(redact(`a ${begin}\nMIIabc`)).toBe("a [redacted:private-key]");
  });

  it("leaves ordinary text alone", () => {
    const text = "The token count is 42; see src/secret-santa.ts:10 and https://example.org/a:b";
    expect(redact(text)).toBe(text);
  });

  it("is idempotent for any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(redact(redact(text))).toBe(redact(text));
      }),
    );
  });

  it("reaches every string of a value", () => {
    expect(redactDeep({ a: [secrets.anthropic, 1, null], b: { c: secrets.aws } })).toEqual({
      a: ["[redacted:anthropic-key]", 1, null],
      b: { c: "[redacted:aws-key]" },
    });
  });
});
