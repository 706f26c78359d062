import { ALNUM, BASE32, BASE64, type Drawing, drawing, HEX, LOWNUM } from "./drawing.ts";

type Shape = readonly [name: string, secret: (d: Drawing) => string, text: (s: string, d: Drawing) => string];

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Shapes that a review found unredacted. */
const SHAPES: readonly Shape[] = [
  ["azure devops PAT bare", (d) => d.of(LOWNUM, 52), (s) => `use this azure devops pat ${s} for the build`],
  [
    "jwt split by newline",
    (d) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ${d.of(ALNUM, 60)}.${d.of(ALNUM, 43)}`,
    (s) => `${s.slice(0, 60)}\n${s.slice(60)}`,
  ],
  [
    "kubeconfig client-key-data",
    (d) => `LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo${d.of(ALNUM, 200)}`,
    (s) => `    client-key-data: ${s}`,
  ],
  [
    "kubectl secret data other name",
    (d) => Buffer.from(`postgres://u:${d.of(ALNUM, 12)}@h/db`).toString("base64"),
    (s) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  db-conn: ${s}`,
  ],
  [
    "pem body only, no header",
    (d) => `MIIEpAIBAAKCAQEA${d.of(ALNUM, 48)}\n${d.of(ALNUM, 64)}\n${d.of(ALNUM, 64)}`,
    (s) => `the key starts\n${s}`,
  ],
  ["dockerfile env", (d) => d.of(ALNUM, 16), (s) => `FROM node\nENV SMTP_PASSWORD ${s}\nRUN x`],
  ["dockerfile env, flattened", (d) => d.of(ALNUM, 16), (s) => `FROM node ENV NPM_TOKEN ${s} RUN x`],
  ["fish set", (d) => d.of(ALNUM, 16), (s) => `set -gx GITHUB_TOKEN ${s}`],
  ["csh setenv", (d) => d.of(ALNUM, 16), (s) => `setenv DB_PASSWORD ${s}`],
  ["wandb login", (d) => d.of(HEX, 40), (s) => `run wandb login ${s} first`],
  ["app password in an env file", () => "kqzm wxpv jrtd ybnh", (s) => `SMTP_PASSWORD="${s}"`],
  ["app password without quotes", () => "kqzm wxpv jrtd ybnh", (s) => `SMTP_PASSWORD=${s}`],
  ["wireguard psk", (d) => `${d.of(ALNUM, 43)}=`, (s) => `PresharedKey = ${s}`],
  [
    "bip39",
    () => "abandon ability able about above absent absorb abstract absurd abuse access accident",
    (s) => `seed phrase: ${s}`,
  ],
  ["btc wif", (d) => `5K${d.of(BASE58, 49)}`, (s) => `import wif ${s} into wallet`],
  ["xprv", (d) => `xprv9s21ZrQH143K${d.of(BASE58, 95)}`, (s) => `use ${s}`],
  ["prose password fr", () => "Soleil#2024", (s) => `le mot de passe est ${s}`],
  ["prose password es", () => "Verano#2024", (s) => `la contraseña es ${s}`],
  ["prose pw colon", () => "Tr0ub4dor&3", (s) => `login: bob / pw: ${s}`],
  ["prose log in with", () => "Tr0ub4dor&3", (s) => `log in as admin with ${s} on staging`],
  ["ssh u:p", () => "Zx9!kkPq2", (s) => `ssh creds bob:${s}@10.0.0.5`],
  ["jdbc oracle", () => "s3cr3tpw9", (s) => `jdbc:oracle:thin:app/${s}@//db:1521/x`],
  ["sqlplus", () => "s3cr3tpw9", (s) => `sqlplus app/${s}@ORCL`],
  ["url short alpha pw", () => "toor", (s) => `ftp://bob:${s}@host`],
  ["curl -b cookie", (d) => d.of(ALNUM, 40), (s) => `curl -b "session=${s}" https://x`],
  ["aws secret bare next line", (d) => d.of(ALNUM, 40), (s, d) => `AKIA${d.of(BASE32, 16)}\n${s}`],
  [
    "aws csv",
    (d) => d.of(ALNUM, 40),
    (s, d) => `User name,Access key ID,Secret access key\nbob,AKIA${d.of(BASE32, 16)},${s}`,
  ],
  ["tf tfvars", () => "correcthorsebattery", (s) => `db_password = "${s}"`],
  ["docker -e", () => "mysecretpassword1", (s) => `docker run -e POSTGRES_PASSWORD=${s} postgres`],
  ["dictionary pw quoted", () => "sunshine", (s) => `password: "${s}"`],
  ["passphrase words", () => "correct horse battery staple", (s) => `passphrase: ${s}`],
  ["keytool", () => "changeit99", (s) => `keytool -storepass ${s} -keypass x`],
  ["windows net user", () => "S3cr3tpw9!", (s) => `net user bob ${s} /add`],
  ["useradd", (d) => `$1$abc$${d.of(ALNUM, 22)}`, (s) => `usermod -p '${s}' bob`],
  [
    "shadow yescrypt",
    (d) => `$y$j9T$${d.of(ALNUM, 22)}$${d.of(ALNUM, 43)}`,
    (s) => `root:${s}:19000:0:99999:7:::`,
  ],
  ["sha256crypt", (d) => `$5$rounds=5000$${d.of(ALNUM, 16)}$${d.of(ALNUM, 43)}`, (s) => `root:${s}:19000`],
  ["ntlm", (d) => d.of(HEX, 32), (s) => `Administrator:500:aad3b435b51404eeaad3b435b51404ee:${s}:::`],
  ["google app password", () => "abcd efgh ijkl mnop", (s) => `gmail app password ${s}`],
  ["apple app password", () => "abcd-efgh-ijkl-mnop", (s) => `app-specific password: ${s}`],
  ["twilio client args", (d) => d.of(HEX, 32), (s, d) => `Client("AC${d.of(HEX, 32)}", "${s}")`],
  ["mapbox sk bare", (d) => `sk.eyJ1Ijoi${d.of(ALNUM, 60)}.${d.of(ALNUM, 22)}`, (s) => `use ${s} please`],
  ["algolia admin", (d) => d.of(HEX, 32), (s) => `algoliasearch("ABCDEF1234", "${s}")`],
  ["mistral", (d) => d.of(ALNUM, 32), (s) => `Mistral key ${s}`],
  ["sonar old", (d) => d.of(HEX, 40), (s) => `sonar-scanner -Dsonar.login=${s}`],
  ["nexus", () => "Zx9!kkPq2", (s) => `nexus pw ${s}`],
  ["aiven", (d) => `AVNS_${d.of(ALNUM, 18)}`, (s) => `aiven token ${s}`],
  ["rails master", (d) => d.of(HEX, 32), (s) => `config/master.key: ${s}`],
  ["wp salts", (d) => `x8^!kd${d.of(ALNUM, 30)}|;@ k`, (s) => `define('AUTH_KEY', '${s}');`],
  ["fernet", (d) => `${d.of(ALNUM, 43)}=`, (s) => `Fernet(b'${s}')`],
  ["vault unseal", (d) => `${d.of(ALNUM, 43)}=`, (s) => `Unseal Key 1: ${s}`],
  ["ngrok", (d) => `2${d.of(ALNUM, 26)}_${d.of(ALNUM, 21)}`, (s) => `ngrok config add-authtoken ${s}`],
  ["zerotier", (d) => d.of(ALNUM, 32), (s) => `ZEROTIER token ${s}`],
  ["wifi", () => "MyWifiPass2024", (s) => `wifi psk="${s}"`],
  ["nmcli", () => "MyWifiPass2024", (s) => `nmcli dev wifi connect Home password ${s}`],
  ["snmp", () => "pr1vateC0mm", (s) => `snmp community string ${s}`],
  ["redis auth cmd", () => "s3cr3tpw9", (s) => `redis-cli AUTH ${s}`],
  ["redis requirepass", () => "s3cr3tpw9", (s) => `requirepass ${s}`],
  ["asana bare", (d) => `1/12345678901234:${d.of(HEX, 32)}`, (s) => `asana pat: ${s}`],
  [
    "reversed/base64 env",
    (d) => Buffer.from(`API_KEY=sk-ant-api03-${d.of(ALNUM, 40)}`).toString("base64"),
    (s) => `echo ${s} | base64 -d > .env`,
  ],
  ["percent-encoded ghp", (d) => `ghp_${d.of(ALNUM, 36)}`, (s) => `?t=${s.replace("_", "%5F")}`],
  ["fullwidth colon", () => "Sommer2024!", (s) => `密码：${s}`],
  ["chinese pw", () => "Abc12345!", (s) => `密码是${s}`],
  ["russian", () => "Zima2024!", (s) => `пароль: ${s}`],
  ["japanese", () => "Natsu2024!", (s) => `パスワード: ${s}`],
  ["senha", () => "Verao#2024x", (s) => `senha: ${s}`],
  ["wachtwoord", () => "Zomer#2024x", (s) => `wachtwoord: ${s}`],
  ["Secret in JSON", (d) => d.of(BASE64, 24), (s) => `{"kind":"Secret","data":{"conn":"${s}"}}`],
  ["name and value", (d) => d.of(ALNUM, 18), (s) => `  - name: DB_PASSWORD\n    value: ${s}\n  - name: PORT`],
  ["name and value in quotes", (d) => d.of(ALNUM, 18), (s) => `- name: "API_TOKEN"\r\n  value: "${s}"`],
  [
    "name and value in JSON",
    (d) => d.of(ALNUM, 18),
    (s) => JSON.stringify({ name: "DB_PASSWORD", value: s }),
  ],
  [
    "name and value in long JSON",
    (d) => d.of(ALNUM, 18),
    (s) => JSON.stringify([{ name: "API_TOKEN", value: s }], null, 4),
  ],
  [
    "name and value in escaped JSON",
    (d) => d.of(ALNUM, 18),
    (s) => JSON.stringify(JSON.stringify({ name: "API_TOKEN", value: s })),
  ],
  [
    "header with name and value",
    (d) => d.of(ALNUM, 30),
    (s) => `{"name":"Authorization","value":"Bearer ${s}"}`,
  ],
  ["plist", (d) => d.of(ALNUM, 18), (s) => `<key>API_TOKEN</key><string>${s}</string>`],
  ["plist in lines", (d) => d.of(ALNUM, 18), (s) => `\t<key>apiToken</key>\n\t<string>${s}</string>`],
  ["terraform variable", (d) => d.of(ALNUM, 18), (s) => `variable "db_password" { default = "${s}" }`],
  [
    "terraform variable in lines",
    (d) => d.of(ALNUM, 18),
    (s) =>
      `variable "db_password" {\n  type        = string\n  sensitive   = true\n  default     = "${s}"\n}`,
  ],
  ["bicep", (d) => d.of(ALNUM, 18), (s) => `param adminPassword string = '${s}'`],
  [
    "aws configure set",
    (d) => d.of(BASE64, 40),
    (s) => `aws configure set aws_secret_access_key ${s} --profile x`,
  ],
  ["npm config set", (d) => d.of(ALNUM, 24), (s) => `npm config set //registry.acme.dev/:_authToken ${s}`],
  ["pulumi config set", (d) => d.of(ALNUM, 18), (s) => `pulumi config set --secret dbPassword ${s}`],
  ["vault login", (d) => d.of(ALNUM, 24), (s) => `vault login -no-print ${s}`],
  ["here-string for gh", (d) => d.of(ALNUM, 30), (s) => `gh auth login --with-token <<< "${s}"`],
  ["masked in a workflow", (d) => d.of(ALNUM, 18), (s) => `echo "::add-mask::${s}"`],
  ["csh list", (d) => d.of(ALNUM, 18), (s) => `set DB_PASS=(${s})`],
  ["german app password", () => "kqzm wxpv jrtd ybnh", (s) => `App-Passwort: ${s}`],
  [
    "Secret with kind last",
    (d) => d.of(BASE64, 24),
    (s) => `apiVersion: v1\ndata:\n  conn: ${s}\nkind: Secret`,
  ],
];

export function attackedSecrets(seed = 17): { name: string; secret: string; text: string }[] {
  const draw = drawing(seed);
  return SHAPES.map(([name, make, put]) => {
    const secret = make(draw);
    return { name, secret, text: put(secret, draw) };
  });
}
