import { ALNUM, BASE64, DIGITS, type Drawing, drawing, HEX, LOWNUM, password } from "./drawing.ts";
import { jwt, uuid, VENDORS } from "./vendors.ts";

export const CARRIERS = ["prompt", "tool input", "tool output", "transcript", "note"] as const;
export type Carrier = (typeof CARRIERS)[number];

export interface Planted {
  readonly name: string;
  readonly kind: string;
  readonly carrier: Carrier;
  /** Held out: nothing was tuned after these secrets had been seen. */
  readonly isHeldOut: boolean;
  readonly text: string;
  /** What must not be found anywhere: parts that occur only in the secret. */
  readonly parts: readonly string[];
}

interface Draft {
  readonly name: string;
  readonly kind: string;
  readonly secret: string;
  readonly text: string;
}

/** How people and programs write down a token. */
const SURROUNDINGS: readonly (readonly [name: string, (secret: string, draw: Drawing) => string])[] = [
  ["in a sentence", (s) => `Please use ${s} for the staging bot, the old one was revoked yesterday.`],
  [
    "in quotes in code",
    (s) => `const client = new Client({ endpoint, auth: "${s}" });\nawait client.connect();`,
  ],
  ["in an env file", (s) => `NODE_ENV=production\nSERVICE_TOKEN=${s}\nPORT=8080`],
  ["in JSON", (s) => JSON.stringify({ name: "billing", apiKey: s, retries: 3 }, null, 2)],
  ["in YAML", (s) => `services:\n  mail:\n    region: eu\n    key: ${s}\n    retries: 3`],
  ["in a shell line", (s) => `export DEPLOY_VALUE='${s}' && ./deploy.sh --env staging`],
  ["in a log line", (s) => `2026-11-03T10:22:11Z WARN upstream refused credential ${s} (attempt 2 of 5)`],
  [
    "in escaped JSON",
    (s) => JSON.stringify(JSON.stringify({ step: "login", value: s, note: "line one\nline two" })),
  ],
  ["in a Markdown table", (s) => `| service | value |\n|---|---|\n| mail | \`${s}\` |`],
  [
    "in a query",
    (s) => `GET https://api.example.com/v2/items?page=2&access_token=${encodeURIComponent(s)}&sort=asc`,
  ],
  ["after an escaped line break", (s) => `printf "first line\\n${s}\\nlast line" > /tmp/out`],
  ["in brackets", (s) => `The worker (id 7) got [${s}] from the queue.`],
];

export function plantedSecrets(seed = 20261115): Planted[] {
  const draw = drawing(seed);
  const drafts: Draft[] = [];
  Object.entries(VENDORS).forEach(([name, make], at) => {
    for (const turn of [0, 5]) {
      const [where, put] = SURROUNDINGS[(at + turn) % SURROUNDINGS.length] as (typeof SURROUNDINGS)[number];
      const secret = make(draw);
      drafts.push({ name: `${name}, ${where}`, kind: "token", secret, text: put(secret, draw) });
    }
  });
  drafts.push(
    ...assigned(draw),
    ...headers(draw),
    ...addresses(draw),
    ...commands(draw),
    ...blocks(draw),
    ...cut(draw),
  );
  return draw.shuffled(drafts).map(({ name, kind, secret, text }, at) => ({
    name,
    kind,
    carrier: CARRIERS[at % CARRIERS.length] as Carrier,
    isHeldOut: at % 2 === 1,
    text: embedded(text, draw),
    parts: partsOf(secret),
  }));
}

/** Text around a secret, because a secret is seldom alone. */
function embedded(text: string, draw: Drawing): string {
  const before = draw.one([
    "The deploy fails since this morning, here is what I have:",
    "Can you look at this? I think the config is wrong.",
    "Output of the last run:",
    "From the runbook:",
  ]);
  const after = draw.one([
    "Tell me what you need besides.",
    "It worked last week.",
    "See src/config/load.ts:42.",
    "",
  ]);
  return `${before}\n\n${text}\n\n${after}`;
}

/** Runs of letters and digits, as a word index stores them, without the prefix that all tokens of a kind share. */
function partsOf(secret: string): string[] {
  const runs = secret.split(/[^A-Za-z0-9]+/).filter((run) => run.length >= 6);
  const drawn = runs.filter((run) => (/\d/.test(run) && run !== "sha256") || run.length >= 14);
  const parts = (drawn.length > 0 ? drawn : runs).slice(-6);
  return parts.length > 0 ? parts : [secret];
}

function assigned(d: Drawing): Draft[] {
  const make = (name: string, secret: string, text: (s: string) => string): Draft => ({
    name: `assigned: ${name}`,
    kind: "assignment",
    secret,
    text: text(secret),
  });
  return [
    make(
      "AWS_SECRET_ACCESS_KEY",
      d.of(BASE64, 40),
      (s) => `AWS_REGION=eu-west-1\nAWS_SECRET_ACCESS_KEY=${s}`,
    ),
    make("SecretAccessKey in JSON", d.of(BASE64, 40), (s) =>
      JSON.stringify({ AccessKeyId: "x", SecretAccessKey: s }, null, 1),
    ),
    make("SessionToken in JSON", d.of(BASE64, 200), (s) => `"SessionToken": "${s}",`),
    make("DB_PASS", password(d), (s) => `DB_HOST=db\nDB_PASS=${s}`),
    make(
      "pwd in a connection string",
      password(d),
      (s) => `Server=db1;Database=shop;uid=app;pwd=${s};Encrypt=true`,
    ),
    make(
      "Password in a connection string",
      password(d),
      (s) => `"Data Source=db1;Initial Catalog=shop;User ID=app;Password=${s};Timeout=30"`,
    ),
    make(
      "AccountKey",
      `${d.of(BASE64, 86)}==`,
      (s) =>
        `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${s};EndpointSuffix=core.windows.net`,
    ),
    make(
      "SharedAccessKey",
      `${d.of(BASE64, 43)}=`,
      (s) => `Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${s}`,
    ),
    make("ENCRYPTION_KEY", d.of(HEX, 64), (s) => `ENCRYPTION_KEY=${s}`),
    make("SECRET_KEY_BASE", d.of(HEX, 128), (s) => `SECRET_KEY_BASE=${s}`),
    make(
      "Django SECRET_KEY",
      `django-insecure-${d.of(`${LOWNUM}!@#$%^&*(-_=+)`, 50)}`,
      (s) => `SECRET_KEY = '${s}'`,
    ),
    make("password in YAML", password(d), (s) => `database:\n  user: app\n  password: ${s}\n  pool: 5`),
    make("password in quoted YAML", password(d), (s) => `database:\n  password: "${s}"`),
    make("password in TOML", password(d), (s) => `[database]\nuser = "app"\npassword = "${s}"`),
    make("password in JSON", password(d), (s) => JSON.stringify({ user: "app", password: s })),
    make("password in escaped JSON", password(d), (s) =>
      JSON.stringify(JSON.stringify({ user: "app", password: s })),
    ),
    make(
      "password in a property file",
      password(d),
      (s) => `spring.datasource.username=app\nspring.datasource.password=${s}`,
    ),
    make(
      "password in Python",
      password(d),
      (s) => `conn = psycopg2.connect(host="db", user="app", password="${s}")`,
    ),
    make(
      "password in JavaScript",
      password(d),
      (s) => `const pool = new Pool({ user: 'app', password: '${s}' });`,
    ),
    make("password in Go", password(d), (s) => `\tdbPassword := "${s}"`),
    make("password in Java", password(d), (s) => `    private static final String DB_PASSWORD = "${s}";`),
    make("password in Rust", password(d), (s) => `    let password: &str = "${s}";`),
    make(
      "password in C#",
      password(d),
      (s) => `        public string ApiSecret { get; set; } = "x"; string password = "${s}";`,
    ),
    make("password in PHP", password(d), (s) => `define('DB_PASSWORD', '${s}');`),
    make("password in Ruby", password(d), (s) => `  config.smtp = { user_name: 'x', password: '${s}' }`),
    make(
      "password in XML",
      password(d),
      (s) => `<datasource><user>app</user><password>${s}</password></datasource>`,
    ),
    make("password in web.config", password(d), (s) => `<add key="SmtpPassword" value="${s}" />`),
    make("password in an ini file", password(d), (s) => `[client]\nuser = root\npassword = ${s}`),
    make(
      "password said in prose",
      `${d.of(ALNUM, 6)}9${d.of(ALNUM, 6)}`,
      (s) => `The admin password is ${s}, please rotate it later.`,
    ),
    make("api key said in prose", d.of(ALNUM, 32), (s) => `my api key: ${s}`),
    make("token with a flag", d.of(ALNUM, 40), (s) => `vercel deploy --token ${s} --prod`),
    make("token with a flag and =", d.of(ALNUM, 40), (s) => `snyk test --auth-token=${s}`),
    make("password with a flag", password(d), (s) => `restic backup --password '${s}' /data`),
    make("export", d.of(ALNUM, 32), (s) => `export DATADOG_API_KEY=${s}`),
    make("export quoted", d.of(HEX, 40), (s) => `export CLOUDFLARE_API_TOKEN="${s}"`),
    make("docker -e", password(d), (s) => `docker run -d -e MYSQL_ROOT_PASSWORD=${s} -p 3306:3306 mysql:8`),
    make("Dockerfile ENV", password(d), (s) => `FROM node:24\nENV DB_PASSWORD=${s}`),
    make("PowerShell", password(d), (s) => `$env:DB_PASSWORD = "${s}"`),
    make("Windows set", password(d), (s) => `set DB_PASSWORD=${s}`),
    make(
      "client_secret in a form",
      d.of(ALNUM, 40),
      (s) =>
        `curl -X POST https://auth.example.com/token -d "grant_type=client_credentials&client_id=web&client_secret=${s}"`,
    ),
    make("refresh_token in JSON", d.of(ALNUM, 60), (s) => JSON.stringify({ access: 1, refresh_token: s })),
    make("npmrc _authToken", uuid(d), (s) => `//registry.example.com/:_authToken=${s}`),
    make("npmrc _auth", d.of(BASE64, 40), (s) => `_auth=${s}`),
    make("twitter bearer", d.of(ALNUM, 50), (s) => `TWITTER_API_SECRET=${s}`),
    make("heroku uuid", uuid(d), (s) => `HEROKU_API_KEY=${s}`),
    make("passphrase", "orbit-velvet-9-canyon-tulip", (s) => `passphrase: "${s}"`),
    make("kubernetes secret", d.of(BASE64, 32), (s) => `kind: Secret\ndata:\n  db-password: ${s}`),
    make("JWT secret", d.of(HEX, 48), (s) => `JWT_SECRET=${s}`),
    make("webhook secret", d.of(HEX, 40), (s) => `webhookSecret: '${s}',`),
    make("private key as hex", d.of(HEX, 64), (s) => `PRIVATE_KEY=0x${s}`),
    make("SQL IDENTIFIED BY", password(d), (s) => `CREATE USER 'app'@'%' IDENTIFIED BY '${s}';`),
    make("SQL WITH PASSWORD", password(d), (s) => `ALTER ROLE app WITH PASSWORD '${s}';`),
    make("terraform variable", password(d), (s) => `  master_password = "${s}"`),
    make("github actions env", d.of(ALNUM, 30), (s) => `        env:\n          SONAR_TOKEN: ${s}`),
    make("setter call", password(d), (s) => `dataSource.setPassword("${s}");`),
    make("map entry", password(d), (s) => `options.put("password", "${s}");`),
  ];
}

function headers(d: Drawing): Draft[] {
  const make = (name: string, secret: string, text: (s: string) => string): Draft => ({
    name: `header: ${name}`,
    kind: "header",
    secret,
    text: text(secret),
  });
  const basic = Buffer.from(`app:${d.of(ALNUM, 20)}`).toString("base64");
  return [
    make(
      "Authorization: token",
      d.of(HEX, 40),
      (s) => `curl -H "Authorization: token ${s}" https://api.example.com/user`,
    ),
    make("Authorization: Bearer", d.of(ALNUM, 40), (s) => `Authorization: Bearer ${s}`),
    make(
      "Authorization: Basic",
      basic,
      (s) => `> GET /v1 HTTP/1.1\n> Authorization: Basic ${s}\n> Accept: */*`,
    ),
    make(
      "Authorization: Digest",
      d.of(HEX, 32),
      (s) => `Authorization: Digest username="bob", realm="x", nonce="${d.of(HEX, 16)}", response="${s}"`,
    ),
    make(
      "Authorization: Bearer JWT",
      jwt(d),
      (s) => `fetch(url, { headers: { Authorization: \`Bearer ${s}\` } })`,
    ),
    make("Authorization: ApiKey", d.of(BASE64, 44), (s) => `authorization: ApiKey ${s}`),
    make("Authorization without scheme", d.of(ALNUM, 36), (s) => `headers = {"Authorization": "${s}"}`),
    make(
      "Authorization: AWS4",
      d.of(HEX, 64),
      (s) =>
        `Authorization: AWS4-HMAC-SHA256 Credential=x/20261115/eu/s3/aws4_request, SignedHeaders=host, Signature=${s}`,
    ),
    make(
      "Proxy-Authorization",
      basic.split("").reverse().join("").replaceAll("=", "a"),
      (s) => `Proxy-Authorization: Basic ${s}`,
    ),
    make("x-api-key", d.of(ALNUM, 32), (s) => `curl https://api.example.com -H 'x-api-key: ${s}'`),
    make("X-Auth-Token", d.of(HEX, 32), (s) => `X-Auth-Token: ${s}`),
    make("Private-Token", d.of(ALNUM, 20), (s) => `--header "PRIVATE-TOKEN: ${s}"`),
    make("Ocp-Apim-Subscription-Key", d.of(HEX, 32), (s) => `Ocp-Apim-Subscription-Key: ${s}`),
    make("Cookie", d.of(ALNUM, 40), (s) => `Cookie: theme=dark; sessionid=${s}; lang=en`),
    make("Set-Cookie", d.of(ALNUM, 40), (s) => `< Set-Cookie: connect.sid=s%3A${s}; Path=/; HttpOnly`),
    make("curl --cookie", d.of(HEX, 32), (s) => `curl --cookie "PHPSESSID=${s}" https://example.com`),
    make("setRequestHeader", d.of(ALNUM, 40), (s) => `xhr.setRequestHeader("Authorization", "Bearer ${s}");`),
    make("headers in JSON", d.of(ALNUM, 40), (s) =>
      JSON.stringify({ headers: { authorization: `Bearer ${s}`, accept: "json" } }),
    ),
    make("SSWS", `00${d.of(ALNUM, 40)}`, (s) => `Authorization: SSWS ${s}`),
    make("netrc", password(d), (s) => `machine api.example.com login bob password ${s}`),
    make("netrc on lines", password(d), (s) => `machine api.example.com\n  login bob\n  password ${s}`),
    make("pgpass", password(d), (s) => `db.example.com:5432:shop:app:${s}`),
    make("htpasswd bcrypt", `${d.of(ALNUM, 53)}`, (s) => `bob:$2y$10$${s}`),
    make(
      "docker config auth",
      d.of(BASE64, 40),
      (s) => `{"auths":{"https://index.docker.io/v1/":{"auth":"${s}"}}}`,
    ),
  ];
}

function addresses(d: Drawing): Draft[] {
  const make = (name: string, secret: string, text: (s: string) => string): Draft => ({
    name: `address: ${name}`,
    kind: "address",
    secret,
    text: text(secret),
  });
  const slashed = `${d.of(ALNUM, 8)}/${d.of(ALNUM, 9)}`;
  return [
    make("postgres", d.of(ALNUM, 14), (s) => `DATABASE_URL=postgres://app:${s}@db.internal:5432/shop`),
    make("redis without a user", d.of(ALNUM, 20), (s) => `redis://:${s}@cache:6379/0`),
    make("slash in the password", slashed, (s) => `postgresql://app:${s}@db.internal/shop?sslmode=require`),
    make("mongodb+srv", d.of(ALNUM, 16), (s) => `mongodb+srv://app:${s}@cluster0.abcde.mongodb.net/shop`),
    make("amqp", d.of(ALNUM, 16), (s) => `url: "amqp://worker:${s}@mq:5672/%2f"`),
    make(
      "https with a token as user",
      d.of(HEX, 40),
      (s) => `git clone https://${s}@git.example.com/a/b.git`,
    ),
    make(
      "https user and password",
      d.of(ALNUM, 24),
      (s) => `git remote set-url origin https://bot:${s}@git.example.com/a/b.git`,
    ),
    make("x-access-token", d.of(ALNUM, 40), (s) => `https://x-access-token:${s}@github.com/acme/shop.git`),
    make(
      "percent-encoded",
      `${d.of(ALNUM, 8)}%40${d.of(ALNUM, 8)}`,
      (s) => `mysql://root:${s}@127.0.0.1:3306/app`,
    ),
    make("sentry dsn", d.of(HEX, 32), (s) => `SENTRY_DSN=https://${s}@o12345.ingest.sentry.io/6789`),
    make("smtp", d.of(ALNUM, 18), (s) => `smtp://mailer:${s}@smtp.example.com:587`),
    make("proxy", d.of(ALNUM, 12), (s) => `HTTPS_PROXY=http://bob:${s}@proxy.corp:3128`),
    make(
      "signed S3",
      d.of(HEX, 64),
      (s) =>
        `https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20261115T000000Z&X-Amz-Signature=${s}`,
    ),
    make(
      "S3 security token",
      d.of(ALNUM, 200),
      (s) => `https://b.s3.amazonaws.com/k?X-Amz-Security-Token=${s}&X-Amz-Expires=900`,
    ),
    make(
      "azure sas",
      encodeURIComponent(`${d.of(BASE64, 43)}=`),
      (s) => `https://shop.blob.core.windows.net/c/f.txt?sv=2024-01-01&se=2026-12-01&sr=b&sp=r&sig=${s}`,
    ),
    make(
      "google signed",
      d.of(HEX, 128),
      (s) => `https://storage.googleapis.com/b/o?X-Goog-Algorithm=GOOG4&X-Goog-Signature=${s}`,
    ),
    make("api_key in a query", d.of(HEX, 32), (s) => `GET https://maps.example.com/v1?q=berlin&api_key=${s}`),
    make("password in a query", d.of(ALNUM, 14), (s) => `http://router.local/login?user=admin&password=${s}`),
    make("jdbc", d.of(ALNUM, 14), (s) => `jdbc:postgresql://db/shop?user=app&password=${s}`),
    make("ftp", d.of(ALNUM, 12), (s) => `wget ftp://bob:${s}@files.example.com/a.zip`),
  ];
}

function commands(d: Drawing): Draft[] {
  const make = (name: string, text: (s: string) => string, secret = d.of(ALNUM, 14)): Draft => ({
    name: `command: ${name}`,
    kind: "command",
    secret,
    text: text(secret),
  });
  return [
    make("curl -u", (s) => `curl -s -u admin:${s} https://nexus.example.com/api`),
    make("curl --user quoted", (s) => `curl --user "admin:${s}" -X POST https://ci.example.com/job`),
    make("mysql -p", (s) => `mysql -h db -u root -p${s} shop < dump.sql`),
    make("mysqldump -p quoted", (s) => `mysqldump -uroot -p'${s}' shop > dump.sql`),
    make("sshpass -p", (s) => `sshpass -p ${s} ssh root@10.0.0.5 uptime`),
    make("sshpass -p quoted", (s) => `sshpass -p '${s}' scp a.tgz root@10.0.0.5:/tmp`),
    make("PGPASSWORD", (s) => `PGPASSWORD=${s} psql -h db -U app shop`),
    make("MYSQL_PWD", (s) => `MYSQL_PWD=${s} mysql -u root`),
    make("docker login -p", (s) => `docker login -u bob -p ${s} registry.example.com`),
    make("docker login stdin", (s) => `echo "${s}" | docker login -u bob --password-stdin`),
    make("--password=", (s) => `mongodump --uri mongodb://db --username app --password=${s}`),
    make("openssl -passin", (s) => `openssl rsa -in key.pem -passin pass:${s} -out plain.pem`),
    make("openssl -passout", (s) => `openssl genrsa -aes256 -passout pass:${s} 4096`),
    make("redis-cli -a", (s) => `redis-cli -h cache -a ${s} INFO`),
    make("mongosh -p", (s) => `mongosh -u app -p ${s} --authenticationDatabase admin`),
    make("ldapsearch -w", (s) => `ldapsearch -x -D cn=admin -w ${s} -b dc=example`),
    make("sqlcmd -P", (s) => `sqlcmd -S db -U sa -P ${s} -Q "select 1"`),
    make("smbclient", (s) => `smbclient //nas/share -U bob%${s}`),
    make("zip -P", (s) => `zip -r -P ${s} out.zip data/`),
    make("7z -p", (s) => `7z a -p${s} out.7z data/`),
    make("htpasswd -b", (s) => `htpasswd -cb .htpasswd bob ${s}`),
    make("sudo -S", (s) => `echo '${s}' | sudo -S apt update`),
    make("gpg --passphrase", (s) => `gpg --batch --passphrase ${s} -d file.gpg`),
    make("rabbitmqctl", (s) => `rabbitmqctl add_user worker ${s}`),
    make("chpasswd", (s) => `echo "root:${s}" | chpasswd`),
    make("wget --password", (s) => `wget --user=bob --password=${s} https://example.com/a`),
    make("httpie -a", (s) => `http -a admin:${s} GET https://ci.example.com/api`),
    make("SecureString", (s) => `$p = ConvertTo-SecureString "${s}" -AsPlainText -Force`),
    make("az login", (s) => `az login --service-principal -u app -p ${s} --tenant t`),
    make("npm login env", (s) => `NPM_TOKEN=${s} npm publish`, d.of(ALNUM, 36)),
    make("helm --set", (s) => `helm install pg bitnami/postgresql --set auth.password=${s}`),
    make("kubectl literal", (s) => `kubectl create secret generic db --from-literal=password=${s}`),
  ];
}

function blocks(d: Drawing): Draft[] {
  const lines = (n: number): string[] => Array.from({ length: n }, () => d.of(BASE64, 64));
  const pem = (label: string, body: readonly string[], head = ""): string =>
    `-----BEGIN ${label}-----\n${head}${body.join("\n")}\n-----END ${label}-----`;
  const make = (name: string, body: readonly string[], text: string): Draft => ({
    name: `key: ${name}`,
    kind: "key block",
    secret: body.join(" "),
    text,
  });
  const out: Draft[] = [];
  for (const label of [
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "DSA PRIVATE KEY",
    "PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
  ]) {
    const body = lines(6);
    out.push(make(label, body, pem(label, body, label.startsWith("PGP") ? "Version: GnuPG v2\n\n" : "")));
  }
  const proc = lines(5);
  out.push(
    make(
      "with headers",
      proc,
      pem("RSA PRIVATE KEY", proc, "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB12\n\n"),
    ),
  );
  const crlf = lines(5);
  out.push(make("with CRLF", crlf, pem("RSA PRIVATE KEY", crlf).replaceAll("\n", "\r\n")));
  const open = lines(5);
  out.push(
    make(
      "without its end",
      open,
      `-----BEGIN RSA PRIVATE KEY-----\n${open.join("\n")}\nThat is all I could copy from the screen.`,
    ),
  );
  const indented = lines(4);
  out.push(
    make(
      "indented in YAML",
      indented,
      `tls:\n  key: |\n    ${pem("PRIVATE KEY", indented).replaceAll("\n", "\n    ")}\n  port: 443`,
    ),
  );
  const json = lines(4);
  out.push(
    make(
      "in JSON",
      json,
      JSON.stringify({
        type: "service_account",
        private_key: `${pem("PRIVATE KEY", json)}\n`,
        client_email: "a@b.c",
      }),
    ),
  );
  const env = lines(4);
  out.push(
    make("escaped in an env file", env, `APP_KEY="${pem("RSA PRIVATE KEY", env).replaceAll("\n", "\\n")}"`),
  );
  const tail = lines(4);
  out.push(make("without its beginning", tail, `${tail.join("\n")}\n-----END RSA PRIVATE KEY-----`));
  const joined = lines(3);
  out.push(
    make(
      "in joined strings",
      joined,
      `const key = "-----BEGIN PRIVATE KEY-----\\n" +\n${joined.map((one) => `  "${one}\\n" +`).join("\n")}\n  "-----END PRIVATE KEY-----";`,
    ),
  );
  const putty = lines(4);
  out.push(
    make(
      "PuTTY",
      putty,
      `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 4\n${putty.join("\n")}\nPrivate-MAC: x`,
    ),
  );
  return out;
}

function cut(d: Drawing): Draft[] {
  const tokens: readonly (readonly [string, string, string])[] = [
    ["github", "ghp_", d.of(ALNUM, 36)],
    ["npm", "npm_", d.of(ALNUM, 36)],
    ["gitlab", "glpat-", d.of(ALNUM, 20)],
    ["stripe", "sk_live_", d.of(ALNUM, 24)],
    ["digitalocean", "dop_v1_", d.of(HEX, 64)],
    ["google", "AIza", d.of(ALNUM, 35)],
  ];
  const ways: readonly (readonly [string, (prefix: string, a: string, b: string) => string])[] = [
    ["a space", (p, a, b) => `${p}${a} ${b}`],
    ["a line break", (p, a, b) => `${p}${a}\n${b}`],
    ["a comma", (p, a, b) => `${p}${a},${b}`],
    ["quotes", (p, a, b) => `"${p}${a}""${b}"`],
    ["a zero-width space", (p, a, b) => `${p}${a}\u200b${b}`],
    ["a soft hyphen in its prefix", (p, a, b) => `${p.slice(0, 2)}\u00ad${p.slice(2)}${a}${b}`],
    ["concatenation", (p, a, b) => `const t = "${p}${a}" + "${b}";`],
    ["concatenation of its prefix", (p, a, b) => `token = '${p}' + '${a}${b}'`],
    ["concatenation over lines", (p, a, b) => `String t = "${p}"\n    + "${a}"\n    + "${b}";`],
    ["a backslash at the line's end", (p, a, b) => `run ${p}${a}\\\n${b}`],
    [
      "unicode escapes",
      (p, a, b) => `"${p.slice(0, 1)}\\u00${p.charCodeAt(1).toString(16)}${p.slice(2)}${a}${b}"`,
    ],
  ];
  const out: Draft[] = ways.flatMap(([way, put], at) =>
    [0, 3].map((turn) => {
      const [name, prefix, body] = tokens[(at + turn) % tokens.length] as (typeof tokens)[number];
      const half = Math.floor(body.length / 2);
      const [a, b] = [body.slice(0, half), body.slice(half)];
      return {
        name: `cut: ${name} by ${way}`,
        kind: "cut",
        secret: `${a} ${b}`,
        text: `The value is ${put(prefix, a, b)} as far as I can see.`,
      };
    }),
  );
  const aws = d.of("ABCDEFGHJKMNPQRSTVWXYZ234567", 16);
  out.push({
    name: "cut: aws by concatenation",
    kind: "cut",
    secret: aws,
    text: `key_id = "AKIA" + "${aws}"`,
  });
  const zero = d.of(DIGITS + ALNUM, 30);
  out.push({
    name: "cut: password by zero-width characters",
    kind: "cut",
    secret: zero,
    text: `password = "${zero.slice(0, 10)}\u200d${zero.slice(10, 20)}\ufeff${zero.slice(20)}"`,
  });
  return out;
}
