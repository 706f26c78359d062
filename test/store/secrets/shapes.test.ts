import { describe, expect, it } from "vitest";
import { redact } from "../../../src/store/redact.ts";
import { attackedSecrets } from "./attacked.ts";
import { blindSecrets } from "./blind.ts";

/** A third of a secret that is left reveals too much of it. */
function isLeft(secret: string, text: string): boolean {
  const third = Math.min(secret.length, Math.max(4, Math.ceil(secret.length / 3)));
  const redacted = redact(text);
  return [0, (secret.length - third) >> 1, secret.length - third].some((from) =>
    redacted.includes(secret.slice(from, from + third)),
  );
}

describe("shapes that a review found unredacted", () => {
  it.each(attackedSecrets())("are redacted: $name", ({ secret, text }) => {
    expect(isLeft(secret, text)).toBe(false);
  });

  it("are redacted with other values too, at least 98% of them", () => {
    const all = [1, 2, 3, 4, 5].flatMap((seed) => attackedSecrets(seed));
    expect(all.filter(({ secret, text }) => isLeft(secret, text)).length / all.length).toBeLessThanOrEqual(
      0.02,
    );
  });
});

describe("shapes that were listed before they were tested", () => {
  it("are redacted, at least 96% of them", () => {
    const all = [31, 32, 33].flatMap((seed) => blindSecrets(seed));
    const missed = all.filter(({ secret, text }) => isLeft(secret, text));
    expect(missed.length / all.length, missed.map(({ name }) => name).join(", ")).toBeLessThanOrEqual(0.04);
  });
});

describe("lines that look like secrets", () => {
  it.each([
    'primaryKey: "id_2024abc"',
    'if (password !== confirmPassword2) throw new Error("x")',
    "cookie: consent=true; theme=dark2024",
    "Set-Cookie: lang=en-US2024x; Path=/",
    "postgres://postgres:postgres@localhost:5432/app",
    "test_1234567890abcdef1234567890abcdefgh passes",
    "Basic authentication2factor is described below",
    "zip -r -P release2024.zip dist",
    "https://example.com/?key=homepage2024&x=1",
    'identified by "column_2024"',
    'password: "required"',
    "passphrase: the words that protect your key",
    "seed phrase: write it down and keep it in a safe place for your own use only ok",
    "ENV TOKEN_URL https://example.com/token",
    "ENV DB_PASSWORD $SECRET_FROM_CI",
    "set -gx EDITOR vim",
    "We set -o pipefail password checks stay",
    'password="this must have been"',
    "snyk auth opens the browser",
    "- name: DB_PASSWORD\n  value: $(DB_PASSWORD)",
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: { name: db-secret-v2, key: password }",
    "- name: TOKEN_PATH\n  value: /var/run/secrets/token2",
    '{"name":"apiToken","value":"string"}',
    '{ name: "max_tokens", value: 4096 }',
    '{"name":"token","value":"{{api_token_2}}"}',
    "<key>CFBundleIdentifier</key><string>com.example.app2</string>",
    "<key>NSAppleMusicUsageDescription</key>\n<string>It plays music in 2024</string>",
    "<key>APIToken</key>\n<string>$(API_TOKEN)</string>",
    'variable "db_password" {\n  type = string\n}\nvariable "size2" {\n  default = "t3.medium2"\n}',
    'variable "db_password" { default = "" }',
    "npm config set registry https://registry.npmjs.org/",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a shell expands.
    "npm config set //registry.npmjs.org/:_authToken ${NPM_TOKEN}",
    "aws configure set aws_secret_access_key $AWS_SECRET_ACCESS_KEY",
    "aws configure set region eu-central-1",
    "git config set user.signingkey 3AA5C34371567BD2",
    "yarn config set nodeLinker node-modules",
    "vault login -method=oidc role=demo",
    "set colors=(red1 green2 blue3)",
    "gh auth login --with-token <<< $GITHUB_TOKEN",
    "App-Passwort: this must have been read",
    "docker pull node:20-alpine3@sha256:9b2a1c3d",
    '"node_modules/@esbuild/openharmony-arm64": {',
  ])("stay as they are: %s", (line) => {
    expect(redact(line)).toBe(line);
  });
});
