import {
  ALNUM,
  BASE32,
  BASE64,
  DIGITS,
  type Drawing,
  drawing,
  HEX,
  LOWNUM,
  password,
  UPPER,
  WORD,
} from "./drawing.ts";
import { uuid } from "./vendors.ts";

type Shape = readonly [name: string, secret: (d: Drawing) => string, text: (s: string) => string];

const hex = (n: number) => (d: Drawing) => d.of(HEX, n);
const alnum = (n: number) => (d: Drawing) => d.of(ALNUM, n);
const word = (n: number) => (d: Drawing) => d.of(WORD, n);
const base64 = (n: number) => (d: Drawing) => `${d.of(BASE64, n)}=`;

/**
 * Shapes that were listed before the redaction was run on any of them, from what vendors and programs document. The share
 * found in that first run is in docs/design/state.md; what it missed was fixed afterwards.
 */
const SHAPES: readonly Shape[] = [
  [
    "Azure Cosmos",
    (d) => `${d.of(BASE64, 86)}==`,
    (s) => `AccountEndpoint=https://x.documents.azure.com:443/;AccountKey=${s};`,
  ],
  [
    "Azure Service Bus in code",
    base64(43),
    (s) =>
      `new ServiceBusClient("Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=k;SharedAccessKey=${s}")`,
  ],
  [
    "Azure function key",
    (d) => `${d.of(WORD, 54)}==`,
    (s) => `https://app.azurewebsites.net/api/run?code=${s}`,
  ],
  ["Application Insights", uuid, (s) => `APPINSIGHTS_INSTRUMENTATIONKEY=${s}`],
  ["Azure IoT device", base64(43), (s) => `HostName=h.azure-devices.net;DeviceId=d1;SharedAccessKey=${s}`],
  [
    "GCP service account key",
    (d) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${d.of(BASE64, 200)}`,
    (s) => `private_key: ${s}`,
  ],
  [
    "Firebase config",
    (d) => `AIza${d.of(WORD, 35)}`,
    (s) => `firebase.initializeApp({ apiKey: '${s}', appId: '1:2:web:3' })`,
  ],
  ["reCAPTCHA secret", (d) => `6L${d.of(WORD, 38)}`, (s) => `RECAPTCHA_SECRET_KEY=${s}`],
  ["hCaptcha secret", (d) => `ES_${d.of(HEX, 32)}`, (s) => `hcaptcha secret: ${s}`],
  ["Turnstile secret", (d) => `0x4AAAAAAA${d.of(WORD, 25)}`, (s) => `TURNSTILE_SECRET_KEY="${s}"`],
  ["Cloudflare R2 pair", hex(64), (s) => `r2 = boto3.client('s3', aws_secret_access_key='${s}')`],
  [
    "Backblaze B2",
    (d) => `K00${d.of(DIGITS, 1)}${d.of(BASE64, 27)}`,
    (s) => `b2 authorize-account 0012345 ${s}`,
  ],
  ["Wasabi in rclone", alnum(40), (s) => `[wasabi]\ntype = s3\nsecret_access_key = ${s}`],
  ["rclone obscured", word(40), (s) => `[remote]\ntype = sftp\npass = ${s}`],
  ["DigitalOcean Spaces", (d) => d.of(BASE64, 43), (s) => `SPACES_SECRET=${s}`],
  ["Linode", hex(64), (s) => `LINODE_TOKEN=${s}`],
  ["Hetzner", alnum(64), (s) => `hcloud_token = "${s}"`],
  ["Scaleway", uuid, (s) => `SCW_SECRET_KEY=${s}`],
  ["OVH", alnum(32), (s) => `application_secret=${s}`],
  ["Vultr", (d) => d.of(UPPER, 36), (s) => `VULTR_API_KEY=${s}`],
  ["Exoscale", word(43), (s) => `exo config --api-secret ${s}`],
  ["IBM Cloud", word(44), (s) => `ibmcloud login --apikey ${s} -r us-south`],
  ["Oracle Cloud pass phrase", password, (s) => `pass_phrase=${s}`],
  ["Snowflake", password, (s) => `snowsql -a acct -u bob --password ${s}`],
  ["Snowflake in YAML", password, (s) => `outputs:\n  dev:\n    type: snowflake\n    password: ${s}`],
  [
    "Redshift copy",
    alnum(40),
    (s) => `COPY t FROM 's3://b' CREDENTIALS 'aws_access_key_id=x;aws_secret_access_key=${s}'`,
  ],
  ["BigCommerce", (d) => d.of(LOWNUM, 31), (s) => `X-Auth-Token: ${s}`],
  ["WooCommerce", (d) => `cs_${d.of(HEX, 40)}`, (s) => `consumer_secret: '${s}'`],
  ["WooCommerce alone", (d) => `cs_${d.of(HEX, 40)}`, (s) => `use ${s} for the shop`],
  ["Magento", (d) => d.of(LOWNUM, 32), (s) => `composer config http-basic.repo.magento.com user ${s}`],
  [
    "Composer auth.json",
    hex(40),
    (s) => `{"http-basic":{"repo.example.com":{"username":"u","password":"${s}"}}}`,
  ],
  ["Composer github-oauth", hex(40), (s) => `{"github-oauth":{"github.com":"${s}"}}`],
  ["Adyen", (d) => `AQE${d.of(BASE64, 120)}`, (s) => `x-API-key: ${s}`],
  ["Klarna", (d) => `klarna_live_api_${d.of(BASE64, 60)}`, (s) => `auth with ${s} please`],
  ["Coinbase key", (d) => d.of(BASE64, 86), (s) => `CB-ACCESS-SIGN-SECRET=${s}`],
  ["Binance", alnum(64), (s) => `binance_api_secret: ${s}`],
  ["Kraken", (d) => `${d.of(BASE64, 86)}==`, (s) => `kraken private key: ${s}`],
  ["Infura", hex(32), (s) => `INFURA_PROJECT_SECRET=${s}`],
  ["Alchemy address", word(32), (s) => `https://eth-mainnet.g.alchemy.com/v2/${s}`],
  ["Infura address", hex(32), (s) => `https://mainnet.infura.io/v3/${s}`],
  ["QuickNode address", hex(40), (s) => `https://a-b-c.quiknode.pro/${s}/`],
  ["Hardhat accounts", hex(64), (s) => `accounts: ["0x${s}"],`],
  ["Etherscan", (d) => d.of(UPPER, 34), (s) => `ETHERSCAN_API_KEY=${s}`],
  ["Solana keypair", (d) => Array.from({ length: 64 }, () => d.below(256)).join(","), (s) => `[${s}]`],
  ["OpenWeather", hex(32), (s) => `https://api.openweathermap.org/data/2.5/weather?q=Rome&appid=${s}`],
  ["NASA", alnum(40), (s) => `https://api.nasa.gov/planetary/apod?api_key=${s}`],
  ["TMDB", hex(32), (s) => `https://api.themoviedb.org/3/movie/1?api_key=${s}&language=en`],
  ["Giphy", alnum(32), (s) => `https://api.giphy.com/v1/gifs/search?api_key=${s}`],
  ["Unsplash", word(43), (s) => `Authorization: Client-ID ${s}`],
  ["Spotify", hex(32), (s) => `SPOTIFY_CLIENT_SECRET=${s}`],
  ["Twitch", (d) => d.of(LOWNUM, 30), (s) => `oauth:${s}`],
  ["Twitch env", (d) => d.of(LOWNUM, 30), (s) => `TWITCH_CLIENT_SECRET=${s}`],
  ["Reddit", word(30), (s) => `reddit = praw.Reddit(client_id="x", client_secret="${s}", user_agent="y")`],
  ["Steam", (d) => d.of("0123456789ABCDEF", 32), (s) => `https://api.steampowered.com/x?key=${s}&steamid=1`],
  ["Twitter consumer", alnum(50), (s) => `consumer_secret = "${s}"`],
  ["Twitter access", (d) => `${d.of(DIGITS, 19)}-${d.of(ALNUM, 40)}`, (s) => `access_token = '${s}'`],
  ["LinkedIn", alnum(16), (s) => `LINKEDIN_CLIENT_SECRET=${s}`],
  [
    "Instagram",
    (d) => `IGQ${d.of(ALNUM, 140)}`,
    (s) => `curl "https://graph.instagram.com/me?access_token=${s}"`,
  ],
  ["Zendesk", alnum(40), (s) => `curl -u bob@x.com/token:${s} https://x.zendesk.com/api/v2/users.json`],
  ["Freshdesk", alnum(20), (s) => `curl -u ${s}:X https://x.freshdesk.com/api/v2/tickets`],
  ["Intercom", (d) => `dG9r${d.of(BASE64, 56)}`, (s) => `INTERCOM_ACCESS_TOKEN=${s}`],
  ["Jira in .netrc", alnum(24), (s) => `machine x.atlassian.net login bob@x.com password ${s}`],
  ["Confluence options", alnum(24), (s) => `confluence --user bob --password ${s} --action list`],
  ["Segment", alnum(32), (s) => `analytics = new Analytics({ writeKey: '${s}' })`],
  ["Mixpanel", hex(32), (s) => `mixpanel_secret: ${s}`],
  ["Amplitude", hex(32), (s) => `AMPLITUDE_SECRET_KEY=${s}`],
  ["Rollbar", hex(32), (s) => `ROLLBAR_ACCESS_TOKEN=${s}`],
  ["Bugsnag", hex(32), (s) => `Bugsnag.start({ apiKey: '${s}' })`],
  ["Honeycomb", alnum(22), (s) => `x-honeycomb-team: ${s}`],
  ["Logz.io", alnum(32), (s) => `logzio_token: ${s}`],
  [
    "Splunk HEC",
    uuid,
    (s) => `curl -k https://splunk:8088/services/collector -H "Authorization: Splunk ${s}"`,
  ],
  ["Elastic", (d) => `${d.of(BASE64, 58)}==`, (s) => `Authorization: ApiKey ${s}`],
  ["Elastic user", alnum(20), (s) => `elasticsearch.password: "${s}"`],
  [
    "Elastic reset output",
    word(20),
    (s) => `Password for the [elastic] user successfully reset.\nNew value: ${s}`,
  ],
  ["Kibana key", alnum(32), (s) => `xpack.encryptedSavedObjects.encryptionKey: ${s}`],
  [
    "Kafka JAAS",
    alnum(18),
    (s) => `org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="${s}";`,
  ],
  ["Confluent", alnum(64), (s) => `sasl.password=${s}`],
  ["RabbitMQ cookie", (d) => d.of(BASE32.slice(0, 26), 20), (s) => `RABBITMQ_ERLANG_COOKIE=${s}`],
  ["NATS seed", (d) => `SUA${d.of(BASE32, 55)}`, (s) => `nats --nkey ${s}`],
  [
    "NATS creds",
    (d) => `SUA${d.of(BASE32, 55)}`,
    (s) => `-----BEGIN USER NKEY SEED-----\n${s}\n------END USER NKEY SEED------`,
  ],
  ["etcd", password, (s) => `etcdctl --user root:${s} get /`],
  ["Cassandra", password, (s) => `cqlsh -u app -p ${s} db1`],
  ["psql URI option", alnum(14), (s) => `pg_dump "postgresql://app:${s}@db/shop"`],
  ["MSSQL docker", (d) => `${d.of(ALNUM, 10)}!9`, (s) => `docker run -e "SA_PASSWORD=${s}" mssql`],
  ["isql", alnum(14), (s) => `isql DSN app ${s} -v`],
  ["impala LDAP", alnum(14), (s) => `beeline -u jdbc:hive2://h:10000 -n app -p ${s}`],
  ["rsync daemon", alnum(14), (s) => `RSYNC_PASSWORD=${s} rsync a b::c`],
  ["lftp", alnum(14), (s) => `lftp -u bob,${s} sftp://host`],
  ["cadaver or davfs2", alnum(14), (s) => `https://dav.example.com/ bob ${s}`],
  ["mount cifs", alnum(14), (s) => `mount -t cifs //nas/s /mnt -o username=bob,password=${s},uid=1000`],
  ["fstab", alnum(14), (s) => `//nas/s /mnt cifs user=bob,pass=${s} 0 0`],
  ["ipmitool", alnum(14), (s) => `ipmitool -I lanplus -H 10.0.0.9 -U ADMIN -P ${s} power on`],
  ["winrm ansible", password, (s) => `ansible_winrm_password: ${s}`],
  ["psexec", alnum(14), (s) => `psexec \\\\host -u admin -p ${s} cmd`],
  ["xfreerdp", alnum(14), (s) => `xfreerdp /v:host /u:bob /p:${s}`],
  ["cmdkey", alnum(14), (s) => `cmdkey /add:host /user:bob /pass:${s}`],
  ["schtasks", alnum(14), (s) => `schtasks /create /tn t /tr x /ru bob /rp ${s}`],
  ["wpa_supplicant", (d) => `${d.of(ALNUM, 11)}4`, (s) => `network={\n  ssid="home"\n  psk="${s}"\n}`],
  ["wifi code", (d) => `${d.of(ALNUM, 11)}4`, (s) => `WIFI:T:WPA;S:home;P:${s};;`],
  ["openvpn auth file", password, (s) => `auth-user-pass\nusername: bob\npassword: ${s}`],
  ["ipsec.secrets", alnum(24), (s) => `10.0.0.1 10.0.0.2 : PSK "${s}"`],
  ["Cisco enable", alnum(20), (s) => `enable secret 5 $1$abcd$${s}xx`],
  ["Cisco type 7", (d) => d.of("0123456789ABCDEF", 18), (s) => `username bob password 7 ${s}`],
  ["Juniper", (d) => `$9$${d.of(ALNUM, 24)}`, (s) => `secret "${s}"; ## SECRET-DATA`],
  ["Ansible inline vault password", password, (s) => `vault_password: ${s}`],
  ["Chef data bag", base64(60), (s) => `"encrypted_data_secret": "${s}"`],
  ["Puppet eyaml", password, (s) => `mysql::root_password: '${s}'`],
  ["Terraform backend", alnum(40), (s) => `terraform init -backend-config="access_key=${s}"`],
  ["Terraform output", password, (s) => `db_password = "${s}"\nendpoint = "db"`],
  ["CDK context", password, (s) => `cdk deploy -c dbPassword=${s}`],
  ["gh secret", alnum(30), (s) => `gh secret set DEPLOY_KEY --body "${s}"`],
  ["wrangler secret", alnum(30), (s) => `echo ${s} | wrangler secret put API_KEY`],
  ["heroku config", alnum(30), (s) => `heroku config:set SESSION_SECRET=${s}`],
  ["flyctl secrets", alnum(30), (s) => `fly secrets set DATABASE_PASSWORD=${s}`],
  [
    "kubectl docker-registry",
    alnum(20),
    (s) => `kubectl create secret docker-registry r --docker-password=${s}`,
  ],
  ["argocd", alnum(16), (s) => `argocd login cd.example.com --username admin --password ${s}`],
  ["argocd first password", alnum(16), (s) => `argocd initial admin password: ${s}`],
  [
    "Jenkins first password",
    hex(32),
    (s) => `Please use the following password to proceed to installation:\n\n${s}\n`,
  ],
  ["Grafana first password", password, (s) => `GF_SECURITY_ADMIN_PASSWORD: ${s}`],
  ["Mosquitto", alnum(14), (s) => `mosquitto_pub -h h -u app -P ${s} -t a -m b`],
  ["ffmpeg rtsp", alnum(12), (s) => `ffmpeg -i rtsp://admin:${s}@10.0.0.7:554/1 out.mp4`],
  ["pdf", alnum(12), (s) => `qpdf --password=${s} --decrypt a.pdf b.pdf`],
  ["TOTP", (d) => d.of(BASE32, 32), (s) => `oathtool --totp -b ${s}`],
  ["recovery codes", (d) => `${d.of(LOWNUM, 5)}-${d.of(LOWNUM, 5)}`, (s) => `recovery code: ${s}`],
  ["Signal pin prose", (d) => `${d.of(ALNUM, 8)}!7`, (s) => `the vpn password should be ${s} now`],
  ["slack said", (d) => `${d.of(ALNUM, 9)}#3`, (s) => `user is bob and pass is ${s}`],
  ["creds line", (d) => `${d.of(ALNUM, 9)}#3`, (s) => `username: bob\npass: ${s}`],
];

export interface Blind {
  readonly name: string;
  readonly secret: string;
  readonly text: string;
}

export function blindSecrets(seed = 31): Blind[] {
  const draw = drawing(seed);
  return SHAPES.map(([name, make, put]) => {
    const secret = make(draw);
    return { name, secret, text: put(secret) };
  });
}
