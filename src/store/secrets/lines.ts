/** What must be true of a value to count as a secret: that it is random, mixes kinds of characters, decodes to a secret. */
export type Judge = "random" | "sure" | "mixed" | "basic" | "encoded" | "phrase" | "key";

export type Line = readonly [has: string, kind: string, judge: Judge, pattern: string];

const HASH = "[\\w./$=,+-]{20,200}";
const hash = (start: string, more = ""): Line => [
  start,
  "password",
  "sure",
  `(?<=[:\\s"'=])(${start.replaceAll("$", "\\$")}${more}${HASH})`,
];

/** How the name of a setting ends that is secret. */
const SECRET =
  "(?:[Pp]ass(?:word)?|[Tt]oken|[Ss]ecret|(?<!sign)(?<!signing)[Kk]ey|_auth|PASS(?:WORD)?|TOKEN|SECRET|KEY)";

/** `aws configure set aws_secret_access_key X`, `npm config set //registry/:_authToken X` */
function setting(command: string): string {
  return String.raw`\b${command} set (?:--[\w-]{1,20} ){0,3}[\w./:@-]{0,100}?${SECRET} ["']?([^\s"'|;&<>]{12,2000})`;
}

const IS =
  "(?: ?[:：=]| (?:is|est|es|ist|é|är|jest|je|on|er|lautet) |是|为|為|は|는|은|이|[ \\u00a0](?=\\S*\\d))";
const SAID = `[ \\u00a0]{0,3}["'「„“]?([^\\s"'「」，。、,;“”]{5,64})`;

/** "Password" in other languages, because people write to agents in their own. First those in Latin letters. */
const inOtherLanguages: readonly Line[] =
  "mot de passe|contraseña|contrasena|passwort|kennwort|senha:|senha é|wachtwoord|lösenord|heslo|parola:|salasana:|adgangskode|passord:|jelszó"
    .split("|")
    .map((name) => {
      const [first, rest] = [name.charAt(0), name.slice(1)];
      return [
        rest,
        "password",
        "mixed",
        `(?<![\\p{L}\\d_])[${first}${first.toUpperCase()}]${rest}${IS}${SAID}`,
      ];
    });

/** In other scripts. Searched only in texts that have such letters. */
export const IN_OTHER_SCRIPTS: Line = [
  "",
  "password",
  "mixed",
  `(?:[Hh]asło|[Mm]ật khẩu|[Şş]ifre|[Пп]ароль|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|كلمة المرور|كلمة السر|סיסמה|पासवर्ड|รหัสผ่าน)${IS}?${SAID}`,
];

/** Forms of lines: password hashes, files and outputs of programs, calls, and what people write to each other. */
export const LINES: readonly Line[] = [
  hash("$2a$"),
  hash("$2b$"),
  hash("$2y$"),
  hash("$1$"),
  hash("$5$"),
  hash("$6$"),
  hash("$y$"),
  hash("$7$"),
  hash("$apr1$"),
  hash("$argon2", "(?:id|i|d)\\$"),
  ["{SSHA", "password", "sure", String.raw`\{SSHA(?:256|512)?\}([\w+/=]{20,200})`],
  [":::", "password", "sure", String.raw`:\d{1,7}:[a-fA-F0-9]{32}:([a-fA-F0-9]{32})(?=:::)`],
  ["5432:", "password", "sure", String.raw`^[\w.*-]{1,100}:5432:[\w*-]{1,60}:[\w*-]{1,60}:(\S{4,100})$`],
  ["earer ", "token", "random", String.raw`\b[Bb]earer {1,3}([\w.~+/=-]{12,4000})`],
  ["BEARER ", "token", "random", String.raw`\bBEARER {1,3}([\w.~+/=-]{12,4000})`],
  ["asic ", "token", "basic", String.raw`\b[Bb]asic {1,3}([A-Za-z0-9+/]{12,1000}={0,2})(?![\w-])`],
  ["SSWS ", "token", "random", String.raw`\bSSWS {1,3}([\w-]{20,100})`],
  ["GenieKey ", "token", "random", String.raw`\bGenieKey {1,3}([\w-]{20,100})`],
  ["Bot ", "token", "random", String.raw`\bBot {1,3}([\w.-]{40,120})`],
  ["AKIA", "aws-key", "random", afterAws("AKIA")],
  ["ASIA", "aws-key", "random", afterAws("ASIA")],
  ["1/1", "asana-token", "sure", String.raw`(?<![\w/.])1/1\d{9,19}:[a-f0-9]{32}(?![\w-])`],
  ["2/1", "asana-token", "sure", String.raw`(?<![\w/.])2/1\d{9,19}/\d{10,20}:[a-f0-9]{32}(?![\w-])`],
  [
    "| base64",
    "encoded",
    "encoded",
    String.raw`\becho (?:-n )?["']?([A-Za-z0-9+/]{16,4000}={0,2})(?=["']? ?\| ?base64 -{1,2}[dD])`,
  ],
  ["nseal Key", "token", "sure", String.raw`[Uu]nseal Key \d{1,2}: ([\w+/=]{20,200})`],
  ["ecovery Key", "token", "sure", String.raw`[Rr]ecovery Key \d{1,2}: ([\w+/=]{20,200})`],
  ["Fernet(", "token", "sure", String.raw`\bFernet\([br]{0,2}["']([\w-]{43}=)`],
  [
    "Client(",
    "token",
    "sure",
    String.raw`\bClient\(\s{0,9}["']AC[a-f0-9]{32}["'],\s{0,9}["']([a-f0-9]{32})\b`,
  ],
  [
    "lgolia",
    "token",
    "sure",
    String.raw`\balgolia[A-Za-z.]{0,20}\(\s{0,9}["'][A-Z0-9]{10}["'],\s{0,9}["']([a-f0-9]{32})\b`,
  ],
  ["github-oauth", "token", "sure", String.raw`github-oauth"?:\s{0,9}\{\s{0,9}"[^"]{1,60}":\s?"(\w{20,100})`],
  ["http-basic.", "password", "random", String.raw`\bhttp-basic\.\S{1,80} \S{1,80} ["']?(\w{8,80})`],
  ["ccounts", "wallet-key", "sure", String.raw`\baccounts"?: ?\[\s{0,9}["'](0x[a-f0-9]{64})`],
  ["honeycomb-team", "token", "random", String.raw`\bhoneycomb-team["']?: ?["']?(\w{20,64})`],
  ["New value: ", "password", "random", String.raw`\bNew value: ([\w*+=-]{12,64})`],
  ["ERLANG_COOKIE", "token", "sure", `ERLANG_COOKIE["']?[:=] ?["']?([A-Za-z0-9]{12,64})`],
  ["WIFI:", "password", "sure", String.raw`\bWIFI:[^\n]{0,120}?;P:([^;\n]{5,64})`],
  ["password 7 ", "password", "sure", String.raw`\bpassword 7 ([0-9A-F]{8,80})\b`],
  ["to installation:", "password", "sure", String.raw`proceed to installation:\s{1,8}([a-f0-9]{32})\b`],
  ["ecovery code", "password", "mixed", String.raw`\b[Rr]ecovery codes?: {0,2}["']?([\w-]{8,40})`],
  ["sonar.login=", "token", "random", String.raw`sonar\.login=["']?([\w-]{20,60})`],
  ["authtoken ", "token", "random", String.raw`\b(?:add-)?authtoken ["']?([\w-]{20,100})`],
  ...["login", "auth"].map(
    (word): Line => [
      `${word} `,
      "token",
      "random",
      String.raw`\b(?:wandb|cargo|snyk|comet|clearml|neptune|railway|doppler|supabase|tailscale) ${word} (?:--?[\w-]{1,20} ){0,4}["']?([\w-]{20,100})`,
    ],
  ),
  ["vault login ", "token", "random", String.raw`\bvault login (?:-[\w=-]{1,30} ){0,3}["']?([\w.-]{12,200})`],
  ["config set ", "value", "random", setting("config")],
  ["configure set ", "value", "random", setting("configure")],
  [
    "<<<",
    "token",
    "random",
    String.raw`(?:--with-token|--password-stdin|\bsecret (?:put|set) \S{1,80}) {0,2}<<< {0,2}["']?([^\s"']{8,400})`,
  ],
  ["::add-mask::", "value", "random", String.raw`::add-mask::(\S{8,400})`],
  ["=(", "value", "random", String.raw`\bset \w{0,40}${SECRET} ?=\(["']?([^\s"'()]{8,200})["']?\)`],
  ["curl ", "cookie", "random", String.raw`\bcurl\b[^\n|;]{0,300}?\s-b ?["']?([\w.-]{1,60}=[^\s"']{8,4000})`],
  [
    "sqlplus ",
    "password",
    "mixed",
    String.raw`\bsqlplus (?:-\w{1,9} ){0,3}["']?[\w$]{1,40}/([^\s"'@/]{3,60})`,
  ],
  [
    "jdbc:oracle:",
    "password",
    "mixed",
    String.raw`\bjdbc:oracle:(?:thin|oci):[\w$]{1,40}/([^\s"'@]{3,60})(?=@)`,
  ],
  ["ommunity ", "password", "mixed", String.raw`\bcommunity (?:string )?(?:is |= ?)?["']?([^\s"',;:]{6,40})`],
  ["pw:", "password", "mixed", String.raw`(?<![\w-])pw: {0,2}["']?([^\s"',;]{6,64})`],
  ["PW:", "password", "mixed", String.raw`(?<![\w-])PW: {0,2}["']?([^\s"',;]{6,64})`],
  [
    "pw ",
    "password",
    "mixed",
    String.raw`(?<![\w-])pw (?:is |= ?)?["']?(?=[^\s"',;]{0,63}[!@#$%^&*])([^\s"',;]{6,64})`,
  ],
  [
    "log in as ",
    "password",
    "mixed",
    String.raw`\b(?:[Ll]og) in as \S{1,60} with (?:password )?["']?(?=[^\s"',;]{0,63}[!@#$%^&*])([^\s"',;]{6,64})`,
  ],
  ["pp password", "password", "phrase", appPassword("password")],
  ["pp Password", "password", "phrase", appPassword("Password")],
  ["pp-Password", "password", "phrase", appPassword("Password")],
  ["pp-Passwort", "password", "phrase", appPassword("Passwort")],
  ["-specific password", "password", "phrase", appPassword("password")],
  [
    "hrase: ",
    "phrase",
    "phrase",
    String.raw`\b(?:[Pp]ass|[Ss]eed |[Ss]eed|[Rr]ecovery |[Bb]ackup |[Ss]ecret )phrase: ["']?([a-z]{3,12}(?:[ -][a-z]{3,12}){3,23})(?=["'.]?\s*$)`,
  ],
  [
    "nemonic: ",
    "phrase",
    "phrase",
    String.raw`\b[Mm]nemonic: ["']?([a-z]{3,12}(?: [a-z]{3,12}){11,23})(?=["'.]?\s*$)`,
  ],
  ["MII", "private-key", "key", "(?<![A-Za-z0-9+/])MII[A-Za-z0-9+/]{1,3}IBA(?:AK|DAN)[A-Za-z0-9+/=]{20,}"],
  [
    "GByqGSM49",
    "private-key",
    "key",
    "(?<![A-Za-z0-9+/])MI[A-Za-z0-9+/]{2}AgEAMB[A-Z]GByqGSM49[A-Za-z0-9+/=]{20,}",
  ],
  ["MHcCAQEE", "private-key", "key", "(?<![A-Za-z0-9+/])MHcCAQEE[A-Za-z0-9+/=]{20,}"],
  ["MC4CAQAw", "private-key", "key", "(?<![A-Za-z0-9+/])MC4CAQAw[A-Za-z0-9+/=]{20,}"],
  ["b3BlbnNzaC1rZXktdj", "private-key", "key", "(?<![A-Za-z0-9+/])b3BlbnNzaC1rZXktdj[A-Za-z0-9+/=]{20,}"],
  ["LS0tLS1CRUdJTi", "private-key", "key", "(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/=]{20,}"],
  ...inOtherLanguages,
];

/** The secret key is next to the access key: on the next line or in the next column. */
function afterAws(start: string): string {
  return String.raw`\b${start}[A-Z0-9]{16}["']?(?:\s{0,4}[,:;|\t\n]\s{0,4}|\s{1,4})["']?(?![a-f0-9]{40})([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])`;
}

function appPassword(word: string): string {
  return String.raw`(?:\b[Aa]pp[ -]|-specific )${word}(?: is|:| =|=)? {0,2}["'${"`"}]?([a-z]{4}(?: [a-z]{4}){3}|[a-z]{4}(?:-[a-z]{4}){3})(?![\w-])`;
}
