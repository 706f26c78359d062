/**
 * Formats of tokens that can be recognised by their prefix: `kind alphabet least[-most] prefix...`, one per line.
 * The facts (prefixes, alphabets, lengths) are from providers' documentation and from the rule sets of gitleaks,
 * trufflehog and secretlint; docs/design/state.md names them. Lengths are lower bounds rather than exact: formats grow, and a
 * truncated token is still a token.
 *
 * Alphabets: `a` letters and digits, `w` those and `_-`, `d` those and `.`, `b` base64, `x` hexadecimal, `u` upper case
 * and digits. Plain text is smaller than a list of objects, and is parsed only when something is redacted.
 */
export const FORMATS = `
anthropic-key w 8 sk-ant-
openai-key w 20 sk-proj- sk-svcacct- sk-admin- sk-service- sess-
openrouter-key w 20 sk-or-
langfuse-key w 30 sk-lf-
openai-key w 20 sk-
github-token a 20 ghp_ gho_ ghu_ ghs_ ghr_ ghv_
github-token w 20 github_pat_
gitlab-token d 16 glpat- glrt- gldt- glcbt- glffct- glft- glimt- glagent- gloas- glptt- glsoat- glwt- GR1348941
aws-key u 16-16 AKIA ASIA ABIA ACCA
aws-key b 60 ABSK
aws-key b 24 bedrock-api-key-
aws-key w 30 amzn.mws. amzn1.oa2-cs.v1.
google-key w 30 AIza
google-token w 20 GOCSPX-
google-token d 20 ya29.
slack-token d 10 xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xoxe.xoxb- xoxe.xoxp- xapp-
stripe-key a 16 sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_
stripe-key b 24 whsec_
npm-token a 30 npm_
pypi-token w 40 pypi-
hf-token a 28 hf_ api_org_
docker-token w 20 dckr_pat_ dckr_oat_
digitalocean-token x 40 dop_v1_ doo_v1_ dor_v1_
databricks-token x 32 dapi dkea dose dsapi
vault-token w 20 hvs. hvb. hvr.
twilio-key x 32-32 SK
sendgrid-key d 40 SG.
mailgun-key x 32 key-
brevo-key w 60 xkeysib- xsmtpsib-
discord-token w 60 mfa.
groq-key a 40 gsk_
xai-key w 40 xai-
perplexity-key a 40 pplx-
replicate-token w 30 r8_
cerebras-key a 30 csk-
fireworks-key a 20 fw_
elevenlabs-key x 40 sk_
jina-key w 40 jina_
tavily-key w 20 tvly-
firecrawl-key x 32 fc-
voyage-key w 40 pa-
pinecone-key w 40 pcsk_
nvidia-key w 40 nvapi-
langsmith-key w 32 lsv2_pt_ lsv2_sk_
e2b-key x 36 e2b_
together-key w 30 tgp_v1_
linear-key a 30 lin_api_ lin_oauth_
notion-token a 40 ntn_ secret_
shopify-token x 32 shpat_ shpca_ shppa_ shpss_ shptka_ shpua_
resend-key w 24 re_
posthog-key a 36 phx_ phs_
sentry-token b 40 sntrys_
sentry-token x 60 sntryu_ sntrya_
supabase-key x 36 sbp_
supabase-key w 20 sb_secret_ sbp_oauth_ sbp_v0_
vercel-token w 24 vercel_blob_rw_ vcp_ vci_ vca_ vcr_ vck_
netlify-token a 30 nfp_ nfc_ nfu_ nfo_ nfb_
fly-token w 40 fo1_
fly-token b 60 fm1a_ fm1r_ fm2_
render-key a 24 rnd_
cloudflare-key w 100 v1.0-
cloudflare-key a 40 cfk_ cfat_ cfut_
planetscale-token d 30 pscale_tkn_ pscale_oauth_ pscale_pw_
neon-key a 40 napi_
mongodb-key w 30 mdb_sa_sk_
grafana-token w 40 glsa_
grafana-token b 32 glc_
grafana-token b 50 eyJrIjoi
newrelic-key w 19 NRAK- NRII- NRIQ- NRBR- NRJS- NRRA- NRSP-
dynatrace-token d 60 dt0c01. dt0s01. dt0s02. dt0s03. dt0s04. dt0s06. dt0s08. dt0s16.
doppler-token d 36 dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.
postman-key w 50 PMAK-
pulumi-token x 40 pul-
rubygems-key x 40 rubygems_
atlassian-token b 50 ATATT3 ATCTT3 ATSTT3
bitbucket-token d 20 ATBB
bitbucket-token b 40 BBDC-
trello-token x 60 ATTA
figma-token w 36 figd_ figp_ figo_ figu_
typeform-token d 40 tfp_
readme-key a 60 rdme_
duffel-token w 40 duffel_live_ duffel_test_
easypost-key a 50 EZAK EZTK
flutterwave-key w 12 FLWSECK- FLWSECK_TEST-
frameio-token w 60 fio-u-
shippo-token x 36 shippo_live_ shippo_test_
square-token w 22 sq0atp- sq0csp- sq0ats- EAAAE EAAAl
razorpay-key a 14 rzp_live_ rzp_test_
plaid-token w 36 access-production- access-sandbox- access-development-
mollie-key a 30 live_ test_
prefect-token a 36 pnu_ pnb_
scalingo-token w 40 tk-us-
settlemint-token a 16 sm_aat_ sm_pat_ sm_sat_
sonar-token x 36 squ_ sqp_ sqa_
sourcegraph-token w 40 sgp_ sgd_ slk_
tailscale-key w 20 tskey-
yandex-token w 35 AQVN
yandex-token w 50 y0_
vk-token w 50 vk1.a.
alibaba-key a 12-26 LTAI
tencent-key a 28 AKID
adobe-secret a 32 p8e-
age-key u 50 AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1
1password-token b 100 ops_eyJ
1password-key w 30 A3-
artifactory-key a 60 AKCp
artifactory-key a 59 cmVmd
clojars-token a 50 CLOJARS_
crates-token a 32-32 cio
nuget-key a 43-43 oy2
buildkite-token a 30 bkua_ bkpt_
circleci-token w 40 CCIPAT_ CCIPRJ_
launchdarkly-key w 36 sdk-
contentful-token w 40 CFPAT-
hubspot-token w 36 pat-na1- pat-na2- pat-eu1-
heroku-key w 40 HRKU-
harness-token d 60 pat. sat.
infracost-key a 30 ico-
intra42-secret x 60 s-s4t2ud- s-s4t2af-
octopus-key u 25 API-
ramp-secret a 40 ramp_sec_
rootly-key x 60 rootly_
facebook-token a 60 EAA
looker-secret a 20 looker_
authress-key d 60 authress_ scauth_
asana-token w 30 asana_pat_
dropbox-token w 60 sl.
paddle-key w 30 pdl_live_ pdl_sdbx_
polar-token a 30 polar_oat_ polar_pat_
knock-key w 24 sk_knock_
workos-key w 24 sk_workos_
clickhouse-key a 38-38 4b1d
deno-token a 30 ddp_ ddo_ ddw_
expo-token w 30 expo_
unkey-key a 20 unkey_
svix-key w 24 testsk_ sk_svix_
weights-key w 36 wandb_v1_
snyk-token d 40 snyk_uat. snyk_sat.
codecov-token a 36 codecov_
percy-token a 40 percy_
wallet-key a 90 xprv9 xprvA yprv zprv tprv
mapbox-token d 40 sk.eyJ tk.eyJ
aiven-token w 16 AVNS_
woocommerce-key x 40 cs_ ck_
klarna-key b 40 klarna_live_ klarna_test_
nats-seed u 54 SUA SAA SOA SNA SCA
backblaze-key b 28-28 K00
`;

/** Tokens without a known prefix, each with a text that it always contains. It is searched only if that text occurs. */
export const SHAPES: readonly (readonly [kind: string, has: string, pattern: string])[] = [
  ["mailchimp-key", "-us", String.raw`\b[a-f0-9]{32}-us\d{1,2}\b`],
  ["azure-secret", "Q~", String.raw`[\w~.]{3}\dQ~[\w~.-]{31,34}`],
  ["terraform-token", ".atlasv1.", String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,100}`],
  ["maxmind-key", "_mmk", String.raw`\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b`],
  ["telegram-token", ":A", String.raw`(?<![\d.])\d{6,12}:A[\w-]{32,36}(?![\w-])`],
  ["firebase-key", ":APA91b", String.raw`[\w-]{8,40}:APA91b[\w-]{60,200}`],
  ["google-token", "1//0", String.raw`(?<![\w/])1//0[\w-]{30,200}`],
  ["openshift-token", "sha256~", String.raw`\bsha256~[\w-]{43}\b`],
  [
    "paypal-token",
    "access_token$",
    String.raw`access_token\$(?:production|sandbox)\$[a-z0-9]{10,40}\$[a-f0-9]{32}`,
  ],
  ["amazon-token", "Atz", String.raw`\bAtz[ar]\|[\w+/=-]{40,2000}`],
  ["square-token", "EAAA", String.raw`\bEAAA[\w-]{56,70}\b`],
  [
    "slack-webhook",
    "hooks.slack.com/",
    String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/([\w/+-]{20,200})`,
  ],
  ["discord-webhook", "/api/webhooks/", String.raw`/api/webhooks/(\d{15,22}/[\w-]{30,120})`],
  ["teams-webhook", "IncomingWebhook/", String.raw`IncomingWebhook/([a-f0-9]{20,40}(?:/[\w-]{8,60}){0,2})`],
  ["zapier-webhook", "hooks.zapier.com/", String.raw`hooks\.zapier\.com/hooks/catch/([\w/]{8,60})`],
  ["sumo-webhook", "/receiver/v1/http/", String.raw`/receiver/v1/http/([\w=+/-]{20,400})`],
  [
    "google-chat-key",
    "chat.googleapis.com",
    String.raw`chat\.googleapis\.com/v1/spaces/[\w-]{4,40}/messages\?(key=[\w&=%-]{20,300})`,
  ],
  [
    "azure-key",
    "azurewebsites.net/",
    String.raw`azurewebsites\.net/[^\s"'?]{0,200}\?(?:[^\s"']{0,100}&)?code=([\w=%-]{20,200})`,
  ],
  ["openweather-key", "appid=", String.raw`[?&]appid=([a-f0-9]{32})\b`],
  ["alchemy-key", ".alchemy.com/", String.raw`\.alchemy\.com/(?:v2|nft/v3)/([\w-]{20,64})`],
  ["infura-key", ".infura.io/", String.raw`\.infura\.io/(?:ws/)?v3/([a-f0-9]{32})`],
  ["quicknode-key", ".quiknode.pro/", String.raw`\.quiknode\.pro/([a-f0-9]{40})`],
  ["twitch-token", "oauth:", String.raw`\boauth:([a-z0-9]{30})\b`],
  ["telegram-token", "/bot", String.raw`/bot(\d{6,12}:[\w-]{30,40})`],
];
