"""The labelled corpus of the secret rules: secrets planted in notes, and ordinary notes.

No secret stands here. Each is drawn by a seeded generator from the template of its format when the corpus is built, so
that nothing in the repository has the form of a key. `{b62:36}` in a template is 36 drawn characters of that alphabet.
"""

from __future__ import annotations

import base64
import json
import re
import string
from dataclasses import dataclass
from random import Random

from ordinary_notes import ordinary_notes

__all__ = ["CONTEXTS", "NEAR_MISSES", "TEMPLATES", "Planted", "draw", "ordinary_notes", "planted_notes", "sample"]

_B62 = string.ascii_letters + string.digits
ALPHABETS = {
    "b62": _B62,
    "url": _B62 + "_-",
    "b64": _B62 + "+/",
    "hex": "0123456789abcdef",
    "up": string.ascii_uppercase + string.digits,
    "low": string.ascii_lowercase + string.digits,
    "abc": string.ascii_lowercase,
    "dig": string.digits,
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
}
_UUID = "{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"

# One template or more for each rule of the vendors' table.
TEMPLATES: dict[str, tuple[str, ...]] = {
    "github-token": ("ghp_{b62:36}", "gho_{b62:36}", "ghu_{b62:36}", "ghs_{b62:36}", "ghr_{b62:76}"),
    "github-fine-grained-token": ("github_pat_{b62:22}_{b62:59}",),
    "gitlab-token": ("glpat-{url:20}", "glrt-{url:20}", "gldt-{url:20}", "glptt-{hex:40}"),
    "bitbucket-token": ("ATBB{b62:32}",),
    "npm-token": ("npm_{b62:36}",),
    "pypi-token": ("pypi-AgEIcHlwaS5vcmc{url:150}",),
    "rubygems-token": ("rubygems_{hex:48}",),
    "crates-token": ("cio{b62:32}",),
    "nuget-key": ("oy2{low:43}",),
    "clojars-token": ("CLOJARS_{low:60}",),
    "docker-token": ("dckr_pat_{url:27}", "dckr_oat_{url:32}"),
    "artifactory-key": ("AKCp{b62:69}",),
    "buildkite-token": ("bkua_{hex:40}",),
    "circleci-token": ("CCIPAT_{b62:22}_{hex:40}",),
    "aws-access-key": ("AKIA{up:16}", "ASIA{up:16}"),
    "google-api-key": ("AIza{url:35}",),
    "google-oauth-secret": ("GOCSPX-{url:28}",),
    "google-oauth-token": ("ya29.{url:120}", "1//0{url:60}"),
    "azure-client-secret": ("{b62:3}8Q~{b62:34}",),
    "azure-storage-key": ("DefaultEndpointsProtocol=https;AccountName=files;AccountKey=[[{b64:86}==]];",),
    "azure-sas": ("https://files.blob.core.windows.net/a/b?sv=2022-11-02&sp=r&sig=[[{b62:43}%3D]]&se=2026",),
    "alibaba-key": ("LTAI{b62:20}",),
    "tencent-key": ("AKID{b62:32}",),
    "yandex-token": ("AQVN{url:36}", "y0_{url:55}"),
    "digitalocean-token": ("dop_v1_{hex:64}", "doo_v1_{hex:64}"),
    "heroku-token": ("HRKU-{url:60}",),
    "fly-token": ("fm2_{b64:80}", "fo1_{url:43}"),
    "vercel-token": ("vcp_{b62:56}", "vercel_blob_rw_{b62:16}_{b62:30}"),
    "supabase-key": ("sbp_{hex:40}", "sb_secret_{url:31}"),
    "cloudflare-origin-key": ("v1.0-{hex:24}-{hex:146}",),
    "planetscale-token": ("pscale_tkn_{url:43}", "pscale_pw_{url:43}"),
    "render-key": ("rnd_{b62:28}",),
    "neon-key": ("napi_{low:64}",),
    "pulumi-token": ("pul-{hex:40}",),
    "tailscale-key": ("tskey-auth-{b62:17}-{b62:32}",),
    "terraform-token": ("{b62:14}.atlasv1.{url:67}",),
    "vault-token": ("hvs.{url:90}", "hvb.{url:138}"),
    "doppler-token": ("dp.pt.{b62:43}", "dp.st.prd.{b62:43}"),
    "onepassword-token": ("ops_eyJ{url:250}",),
    "age-key": ("AGE-SECRET-KEY-1{up:58}",),
    "databricks-token": ("dapi{hex:32}", "dapi{hex:32}-2"),
    "confluent-secret": ("cflt{b64:60}",),
    "anthropic-key": ("sk-ant-api03-{url:93}AA", "sk-ant-admin01-{url:93}AA"),
    "openrouter-key": ("sk-or-v1-{hex:64}",),
    "openai-key": ("sk-proj-{url:74}T3BlbkFJ{url:74}", "sk-svcacct-{url:60}"),
    "sk-key": ("sk-{b62:48}", "sk-{hex:32}"),
    "huggingface-token": ("hf_{b62:34}",),
    "groq-key": ("gsk_{b62:52}",),
    "perplexity-key": ("pplx-{b62:48}",),
    "replicate-token": ("r8_{b62:37}",),
    "xai-key": ("xai-{b62:80}",),
    "langsmith-key": ("lsv2_pt_{hex:32}_{hex:10}", "lsv2_sk_{hex:32}_{hex:10}"),
    "pinecone-key": ("pcsk_{b62:6}_{b62:63}",),
    "tavily-key": ("tvly-dev-{b62:32}", "tvly-{b62:32}"),
    "nvidia-key": ("nvapi-{url:64}",),
    "elevenlabs-key": ("sk_{hex:48}",),
    "slack-token": (
        "xoxb-{dig:12}-{dig:12}-{b62:24}",
        "xoxp-{dig:12}-{dig:12}-{dig:12}-{hex:32}",
        "xapp-1-A{up:10}-{dig:13}-{hex:64}",
    ),
    "slack-webhook": ("https://hooks.slack.com/services/T{up:8}/B{up:8}/{b62:24}",),
    "teams-webhook": (f"https://acme.webhook.office.com/webhookb2/{_UUID}@{_UUID}/IncomingWebhook/{{hex:32}}/{_UUID}",),
    "discord-token": ("[[discord]]",),
    "discord-webhook": ("https://discord.com/api/webhooks/{dig:18}/{url:68}",),
    "telegram-token": ("7{dig:9}:AA{url:33}",),
    "sendgrid-key": ("SG.{url:22}.{url:43}",),
    "twilio-key": ("SK{hex:32}",),
    "mailgun-key": ("key-{hex:32}",),
    "mailchimp-key": ("{hex:32}-us12",),
    "brevo-key": ("xkeysib-{hex:64}-{b62:16}",),
    "stripe-key": ("sk_live_{b62:24}", "rk_live_{b62:99}", "sk_test_{b62:24}"),
    "stripe-webhook-secret": ("whsec_{b62:32}",),
    "square-token": ("EAAA{url:60}", "sq0atp-{b62:22}", "sq0csp-{b62:43}"),
    "shopify-token": ("shpat_{hex:32}", "shpss_{hex:32}"),
    "shippo-token": ("shippo_live_{hex:40}",),
    "easypost-key": ("EZAK{b62:54}",),
    "flutterwave-key": ("FLWSECK-{hex:32}-X",),
    "plaid-token": (f"access-sandbox-{_UUID}",),
    "braintree-token": ("access_token$production${low:16}${hex:32}",),
    "wallet-key": ("xprv{b58:107}",),
    "linear-key": ("lin_api_{b62:40}",),
    "notion-token": ("ntn_{b62:46}", "secret_{b62:43}"),
    "airtable-token": ("pat{b62:14}.{hex:64}",),
    "postman-key": ("PMAK-{hex:24}-{hex:34}",),
    "atlassian-token": ("ATATT3xFfGF0{url:170}={hex:8}",),
    "dropbox-token": ("sl.{url:136}", "sl.u.{url:180}"),
    "figma-token": ("figd_{url:43}",),
    "hubspot-token": (f"pat-na1-{_UUID}",),
    "contentful-token": ("CFPAT-{url:43}",),
    "sourcegraph-token": ("sgp_{hex:16}_{hex:40}", "sgp_{hex:40}"),
    "typeform-token": ("tfp_{b62:44}_{b62:14}",),
    "trello-token": ("ATTA{hex:64}",),
    "prefect-key": ("pnu_{b62:36}",),
    "readme-key": ("rdme_{low:70}",),
    "adafruit-key": ("aio_{b62:28}",),
    "facebook-token": ("EAAB{b62:160}",),
    "grafana-token": ("glsa_{b62:32}_{hex:8}", "glc_{b64:80}"),
    "sentry-token": ("sntrys_{b62:120}", "sntryu_{hex:64}"),
    "newrelic-key": ("NRAK-{up:27}",),
    "newrelic-license": ("{hex:36}NRAL",),
    "dynatrace-token": ("dt0c01.{up:24}.{up:64}",),
    "datadog-app-key": ("ddapp_{b62:34}",),
    # Formats known only by the vendor's name beside them: the double brackets hold the secret.
    "aws-secret-key": ("aws_secret_access_key = [[{b64:40}]]", "[[AKIA{up:16}]]\n[[{b64:40}]]"),
    "datadog-key": ("DD_API_KEY=[[{hex:32}]]", "datadog app key: [[{hex:40}]]"),
    "cloudflare-token": ("Cloudflare API token [[{b62:40}]]", "CF_API_KEY=[[{hex:37}]]"),
    "twilio-auth-token": ("twilio auth token is [[{hex:32}]]",),
    "heroku-key": (f"HEROKU_API_KEY=[[{_UUID}]]",),
    "confluent-key": ("confluent api secret [[{b64:64}]]",),
    "algolia-key": ("Algolia admin key: [[{hex:32}]]",),
    "azure-openai-key": ("AZURE_OPENAI_API_KEY=[[{hex:32}]]",),
    "fastly-token": ("Fastly token [[{url:32}]]",),
    "okta-token": ("okta api token 00[[{b62:40}]]",),
    "vercel-key": ("VERCEL_TOKEN=[[{b62:24}]]",),
    "airtable-key": ("airtable api key [[key{b62:14}]]",),
    "mistral-key": ("MISTRAL_API_KEY=[[{b62:32}]]",),
    "cohere-key": ("CO_API_KEY=[[{b62:40}]]",),
    "deepl-key": (f"DeepL auth key: [[{_UUID}:fx]]",),
    # Shapes.
    "private-key": (
        "[[pem]]",
        "[[openssh]]",
        "[[pgp]]",
        "[[putty]]",
        "[[pem-crlf]]",
        "[[pem-json]]",
        "[[pem-cut]]",
        "[[pem-quoted]]",
    ),
    "private-key-base64": ("[[pem-base64]]",),
    "jwk-private": ('{"kty":"OKP","crv":"Ed25519","d":"[[{url:43}]]","x":"{url:43}"}',),
    "jwt": ("[[jwt]]", "[[jwt-long]]"),
    "bearer-token": (
        "Authorization: Bearer [[{b62:32}]]",
        "curl -H 'Authorization: Token [[{hex:40}]]' https://api.acme.dev",
    ),
    "basic-auth": ("Authorization: Basic [[basic]]",),
    "url-password": (
        "postgres://app:[[{b62:16}]]@db.internal:5432/app",
        "redis://:[[{b62:20}]]@cache:6379/0",
        "https://deploy:[[{low:10}]]@git.acme.dev/x.git",
        "mongodb+srv://anna:[[{b62:9}!]]@cluster0.mongodb.net",
        "amqp://mq:[[{b62:12}]]@10.0.0.7:5672/vhost",
        "smtp://post%40acme.dev:[[{b62:14}]]@mail.acme.dev:587",
    ),
    "connection-string": (
        "Server=tcp:db.acme.dev,1433;Database=shop;User Id=app;Password=[[{b62:12}]];Encrypt=True",
        "host=db user=app password=[[{b62:10}]] dbname=shop",
        "jdbc:mysql://db:3306/shop?user=app&password=[[{b62:11}]]&useSSL=true",
    ),
    "cli-password": (
        "curl -u anna:[[{b62:12}]] https://api.acme.dev/v1",
        "CREATE USER app IDENTIFIED BY '[[{b62:10}]]';",
        "mysql --user=root --password [[{b62:10}]]",
        "machine api.acme.dev login anna password [[{b62:10}4]]",
        "ALTER ROLE app WITH PASSWORD '[[{b62:10}]]';",
    ),
    "recovery-phrase": (
        "Recovery phrase: [[words:12]]",
        "seed phrase of the old wallet:\n[[words:24]]",
        "сид-фраза: [[words:12]]",
        "シードフレーズ：[[words:12]]",
        "助记词：[[words:12]]",
        "My mnemonic\n[[numbered:12]]",
    ),
    # Pairs.
    "password": (
        "password: [[chosen]]",
        "Password: [[chosen]]",
        "pwd=[[chosen]]",
        "DB_PASSWORD=[[chosen]]",
        "PGPASSWORD='[[chosen]]' psql",
        "**Password:** `[[chosen]]`",
        '{"user": "anna", "password": "[[chosen]]"}',
        "- pass: [[chosen]]",
        "spring.datasource.password=[[chosen]]",
        "<password>[[chosen]]</password>",
        "| password | [[chosen]] |",
        "wifi password: [[word]]",
        "the wifi password is [[chosen]]",
        "My password for the bank is [[chosen]].",
        "Password (router, upstairs): [[chosen]]",
        "password for the guest network: [[chosen]]",
        "Netflix login anna@acme.dev, password: [[chosen]]",
        "пароль: [[chosen]]",
        "Пароль от вайфая: [[chosen]]",
        "пароль от почты — [[chosen]]",
        "Пароль: «[[chosen]]»",
        "логин/пароль: [[chosen]]",
        "パスワード：[[chosen]]",
        "パスワードは[[chosen]]です",
        "Wi-Fiのパスワードは「[[chosen]]」",
        "暗証番号：[[{dig:6}]]",
        "密码：[[chosen]]",
        "密码是[[chosen]]。",
        "wifi密码: [[chosen]]",
        "口令：[[chosen]]",
        "密碼：[[chosen]]",
        "Passwort: [[chosen]]",
        "Das Passwort ist [[chosen]]",
        "Passwort für das WLAN: [[chosen]]",
        "Das Kennwort lautet [[chosen]].",
        "contraseña: [[chosen]]",
        "La contraseña del wifi es [[chosen]]",
        "mot de passe : [[chosen]]",
        "Le mot de passe est [[chosen]]",
        "senha: [[chosen]]",
        "비밀번호: [[chosen]]",
        "hasło: [[chosen]]",
        "wachtwoord: [[chosen]]",
        "şifre: [[chosen]]",
        "parola: [[chosen]]",
        "lösenord: [[chosen]]",
        "mật khẩu: [[chosen]]",
        "كلمة المرور: [[chosen]]",
        "पासवर्ड: [[chosen]]",
        "passphrase: [[joined]]",
        "passcode: [[{dig:6}]]",
        'password = "[[chosen]]"',
        "password: [[{b62:20}]]",
        "root_password: [[chosen]]",
        "ADMIN_PASSWORD: [[chosen]]",
        "set password=[[chosen]]",
        "password -> [[chosen]]",
        "The password was [[chosen]] until May.",
        "password（社内）：[[chosen]]",
    ),
    "passphrase": ("passphrase: [[diced]]", 'Passphrase: "[[diced]]"'),
    "secret-value": (
        "API_KEY=[[{b62:32}]]",
        "api key: [[{hex:32}]]",
        "client_secret: [[{url:40}]]",
        "SECRET_KEY='[[{b62:50}]]'",
        '"token": "[[{hex:40}]]"',
        "access token = [[{b62:24}]]",
        "X-Api-Key: [[{b62:28}]]",
        "token: [[{b62:20}]]",
        "JWT_SECRET=[[{hex:64}]]",
        "session_token: [[{b64:60}]]",
        "PrivateKey = [[{b64:43}=]]",
        "encryption key: [[{b64:43}=]]",
        "токен: [[{b62:32}]]",
        "ключ API: [[{hex:32}]]",
        "секретный ключ — [[{b62:32}]]",
        "APIキー：[[{b62:32}]]",
        "アクセスキーは[[{b62:24}]]です",
        "トークン: [[{hex:40}]]",
        "密钥：[[{b62:32}]]",
        "令牌: [[{b62:32}]]",
        "API-Schlüssel: [[{b62:32}]]",
        "clave de API: [[{b62:32}]]",
        "clé API : [[{b62:32}]]",
        "chave de API: [[{b62:32}]]",
        "STRIPE_WEBHOOK_SECRET=[[{b62:32}]]",
        "https://api.acme.dev/v1?api_key=[[{b62:32}]]&q=oslo",
        "export GRAFANA_TOKEN=[[{b62:32}]]",
        "auth_token=[[{hex:40}]]",
    ),
}

# What nearly has the form of a rule and is none: an identifier, a public key, a sketch, a word.
NEAR_MISSES: dict[str, tuple[str, ...]] = {
    "github-token": ("The prefix ghp_ marks a classic token.", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
    "stripe-key": ("pk_live_{b62:24}", "sk_live_..."),
    "supabase-key": ("sb_publishable_{b62:22}",),
    "aws-access-key": ("AKIA is how the ids of access keys begin.", "arn:aws:iam::{dig:12}:user/anna"),
    "aws-secret-key": ("AWS key rotation, see commit {hex:40}", "aws_secret_access_key = <your secret key>"),
    "twilio-key": ("AC{hex:32}",),
    "google-api-key": ("AIza... is the prefix",),
    "age-key": ("age1{low:58}",),
    "private-key": (
        "-----BEGIN PUBLIC KEY-----\n{b64:64}\n{b64:64}\n-----END PUBLIC KEY-----",
        "-----BEGIN @KEY-----\n...\n-----END @KEY-----",
        "-----BEGIN CERTIFICATE-----\n{b64:64}\n{b64:64}\n-----END CERTIFICATE-----",
        "ssh-ed25519 {b64:68} anna@laptop",
    ),
    "private-key-base64": ("LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg{b64:120}",),
    "jwk-private": ('{"kty":"OKP","crv":"Ed25519","x":"{url:43}"}',),
    "jwt": ("eyJ is how every JWT begins", "eyJ{b62:30}.{b62:30}.{b62:30}"),
    "bearer-token": (
        "Authorization: Bearer <token>",
        "Bearer authentication is standardised",
        "the bearer of this letter",
    ),
    "basic-auth": (
        "Basic authentication sends the name and password",
        "Basic Understanding",
        "Authorization: Basic <base64>",
    ),
    "url-password": (
        "https://user:password@host/path",
        "postgres://postgres:postgres@localhost/app",
        "http://localhost:8080/@anna",
        "ssh://git@github.com:22/acme/x.git",
        "postgres://app:${DB_PASSWORD}@db/app",
        "https://en.wikipedia.org/wiki/Talk:Oslo@night",
    ),
    "connection-string": (
        "Server=db;Database=shop;Trusted_Connection=True",
        "Server=db;User Id=app;Password=<password>;",
        "host=db user=app password=$PGPASSWORD dbname=shop",
    ),
    "cli-password": (
        "mysql -u root -p",
        "curl -u $USER:$PASS https://api.acme.dev",
        "CREATE USER app IDENTIFIED BY '<password>';",
        "use --password to be asked for it",
    ),
    "recovery-phrase": (
        "A recovery phrase has twelve or twenty-four words; write it on paper and keep it at home.",
        "The seed phrase is in the safe, the backup is at my parents' house in Bergen.",
    ),
    "password": (
        "the password is the name of my dog",
        "password: <your password>",
        "password = get_password()",
        "password: string",
        "Password: required",
        "password=os.environ['DB_PASSWORD']",
        "password manager: 1Password",
        "password: ${DB_PASSWORD}",
        "пароль: обязательное поле",
        "パスワード：必須",
        "密码：必填",
        "Passwort: vergessen?",
    ),
    "passphrase": ("passphrase: it should have four words or more", "Passphrase: use random words"),
    "secret-value": (
        "token budget: 4000",
        "secret santa: Anna draws Boris",
        "api_key=<your api key>",
        "API_KEY=${API_KEY}",
        "max_tokens=4096",
        "token: bearer",
        "nextPageToken: {b62:24}",
        "secret: my-kube-secret-name",
    ),
    "mailchimp-key": ("we moved the list to server-us12",),
    "telegram-token": ("1234567890:AA is how the tokens of bots look",),
    "discord-token": ("MTA.example.org",),
    "azure-client-secret": ("the Q~ in it marks a client secret",),
    "terraform-token": ("it has .atlasv1. in the middle",),
    "newrelic-license": ("it ends in NRAL",),
    "teams-webhook": ("https://acme.webhook.office.com/webhookb2/ID",),
    "discord-webhook": ("https://discord.com/api/webhooks/ID/TOKEN",),
    "azure-sas": ("https://files.blob.core.windows.net/a?sv=2022-11-02&sig=SIGNATURE",),
    "azure-storage-key": ("AccountName=files;AccountKey=<key>;",),
    "heroku-key": (f"heroku app {_UUID}",),
    "datadog-key": ("datadog trace {hex:32}",),
    "twilio-auth-token": ("twilio message {hex:32}",),
    "cloudflare-token": ("cloudflare ray {hex:16}",),
    "deepl-key": (f"deepl document {_UUID}",),
}

CONTEXTS = (
    "{}",
    "The key is {} and it works.",
    "export TOKEN={}",
    '{"key": "{}"}',
    "`{}`",
    "Мой ключ {}, не потеряй",
    "鍵は{}です。",
    "新しいキー：{}",
    "钥匙是{}，别丢了。",
    "Der Schlüssel lautet {}.",
    "log: 12:01:33 auth={} ok",
    "<code>{}</code>",
    "a\n\n> {}\n\nb",
    "old\\n{}\\nnew",
    "\x1b[32m{}\x1b[0m",
    "- [ ] rotate {} by Friday",
    "key={}&page=2",
    "({})",
    "'{}',",
    "|name|{}|",
)

_WORDS = """
    anchor basket candle dragon ember falcon garden harbor island jacket kettle ladder magnet needle orange
    pepper quartz ribbon saddle timber umbrella velvet walnut yellow zebra copper meadow pillow rocket silver tunnel
    violin window
""".split()  # noqa: SIM905 - a list of literals would hide the words


@dataclass(frozen=True)
class Planted:
    """A note with secrets: the rule of the last, the text, and where in it they stand."""

    rule: str
    text: str
    spans: tuple[tuple[int, int], ...]


def draw(template: str, random: Random) -> str:
    """The template with every `{alphabet:count}` drawn."""
    template = template.replace("@KEY", "PRIVATE" + " KEY")  # no other scanner shall take this file for a key
    return re.sub(
        r"\{(\w+):(\d+)\}",
        lambda m: "".join(random.choices(ALPHABETS[m[1]], k=int(m[2]))) if m[1] in ALPHABETS else m[0],
        template,
    )


def sample(rule: str, template: str, random: Random) -> Planted:
    """One secret of the rule in its template's sentence; without double brackets the whole text is the secret."""
    text, spans = "", []
    for piece in re.split(r"(\[\[.*?\]\])", template if "[[" in template else f"[[{template}]]"):
        drawn = draw(piece, random)
        if piece.startswith("[["):
            drawn = _special(piece[2:-2], random) or draw(piece[2:-2], random)
            spans.append((len(text), len(text) + len(drawn)))
        text += drawn
    return Planted(rule, text, tuple(spans))


def planted_notes(seed: int = 2026, rounds: int = 1) -> list[Planted]:
    """Every template drawn `rounds` times, those of vendors in varied sentences, and the disguises."""
    random = Random(seed)
    notes = []
    for rule, templates in TEMPLATES.items():
        for template in templates * rounds:
            note = sample(rule, template, random)
            notes.append(note if "[[" in template and rule != "jwt" else _within(note, random))
    return notes + [disguise(random) for _ in range(rounds) for disguise in _DISGUISES for _ in range(3)]


def _within(note: Planted, random: Random) -> Planted:
    before, _, after = random.choice(CONTEXTS).partition("{}")
    spans = tuple((len(before) + start, len(before) + end) for start, end in note.spans)
    return Planted(note.rule, before + note.text + after, spans)


def _special(name: str, random: Random) -> str:
    kind, _, count = name.partition(":")
    make = _SPECIAL.get(kind)
    return make(random, int(count or 0)) if make else ""


def _chosen(random: Random, _: int) -> str:
    """A password as people choose them."""
    word, other = random.sample(_WORDS, 2)
    number = random.randrange(10, 9999)
    styles = (
        f"{word}{number}",
        f"{word.title()}{number}!",
        f"{word}{random.choice('!#$%&*+')}{other}",
        f"{word[:3].title()}{number}{other[:3]}",
        word.replace("a", "4").replace("e", "3") + "7",
        f"{word.title()}-{other.title()}-{number}",
        draw("{b62:12}4", random),
        f"{word.title()}_{number}",
        f"{number}{word}",
        f"{word.title()}{other.title()}{number % 100}",
    )
    return random.choice(styles)


def _pem(random: Random, lines: int, label: str = "RSA PRIVATE KEY", newline: str = "\n") -> str:
    body = [draw("{b64:64}", random) for _ in range(lines or 12)]
    return newline.join([f"-----BEGIN {label}-----", *body, f"-----END {label}-----"])


def _putty(random: Random, _: int) -> str:
    return "Private-Lines: 3\n" + "\n".join(draw("{b64:64}", random) for _ in range(3))


def _jwt(random: Random, size: int) -> str:
    header = {"alg": random.choice(("HS256", "RS256", "ES256")), "typ": "JWT"} | (
        {"kid": draw("{hex:32}", random)} if size else {}
    )
    parts = (json.dumps(header), json.dumps({"sub": draw("{dig:10}", random), "name": "Anna", "iat": 1700000000}))
    encoded = [base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, draw("{url:43}", random)])


def _words(random: Random, count: int) -> str:
    return " ".join(random.sample(_WORDS, count))


_SPECIAL = {
    "chosen": _chosen,
    "word": lambda random, _: random.choice(_WORDS) + random.choice(_WORDS),
    "joined": lambda random, _: "-".join(random.sample(_WORDS, 4)),
    "diced": lambda random, _: _words(random, 4),
    "words": _words,
    "numbered": lambda random, n: "\n".join(f"{i}. {word}" for i, word in enumerate(random.sample(_WORDS, n), 1)),
    "basic": lambda random, _: base64.b64encode(f"anna:{_chosen(random, 0)}".encode()).decode(),
    "discord": lambda random, _: ".".join(
        (
            base64.b64encode(draw("1{dig:17}", random).encode()).decode(),
            draw("G{url:5}", random),
            draw("{url:38}", random),
        )
    ),
    "jwt": _jwt,
    "jwt-long": lambda random, _: _jwt(random, 1),
    "pem": _pem,
    "pem-crlf": lambda random, _: _pem(random, 8, "PRIVATE KEY", "\r\n"),
    "pem-json": lambda random, _: _pem(random, 8, "PRIVATE KEY", "\\n"),
    "pem-quoted": lambda random, _: _pem(random, 8, "EC PRIVATE KEY", "\n> "),
    "pem-cut": lambda random, _: _pem(random, 8).rsplit("\n", 1)[0],
    "openssh": lambda random, _: _pem(random, 7, "OPENSSH PRIVATE KEY"),
    "pgp": lambda random, _: _pem(random, 9, "PGP PRIVATE KEY BLOCK").replace(
        "-----\n", "-----\nVersion: GnuPG v2\n\n", 1
    ),
    "putty": _putty,
    "pem-base64": lambda random, _: base64.b64encode(_pem(random, 8, "PRIVATE KEY").encode()).decode(),
}


def _key(random: Random) -> tuple[str, str]:
    rule = random.choice(("github-token", "stripe-key", "npm-token", "anthropic-key", "google-api-key", "slack-token"))
    return rule, draw(TEMPLATES[rule][0], random)


def _cut_by(separator: str, random: Random) -> Planted:
    rule, key = _key(random)
    place = random.randrange(2, len(key) - 2)
    text = f"It is {key[:place]}{separator}{key[place:]} now."
    return Planted(rule, text, ((6, 6 + len(key) + len(separator)),))


def _zero_width(random: Random) -> Planted:
    return _cut_by(random.choice("\u200b\u200d\u2060\ufeff\u00ad\u202e"), random)


def _wide(random: Random) -> Planted:
    rule, key = _key(random)
    text = "鍵：" + "".join(chr(ord(c) + 0xFEE0) if c.isalnum() or c in "-_" else c for c in key)
    return Planted(rule, text, ((2, len(text)),))


def _alike(random: Random) -> Planted:
    rule, key = _key(random)
    text = key.replace("a", "а").replace("o", "о").replace("p", "р").replace("c", "с")
    return Planted(rule, f"key {text} end", ((4, 4 + len(text)),))


def _wrapped(random: Random) -> Planted:
    rule, key = "anthropic-key", draw(TEMPLATES["anthropic-key"][0], random)
    text = f"key:\n  {key[:76]}\n  {key[76:]}\n"
    return Planted(rule, text, ((7, len(text) - 1),))


def _decomposed(random: Random) -> Planted:
    cue, value = "contrasen\u0303a: ", _chosen(random, 0)
    return Planted("password", cue + value, ((len(cue), len(cue + value)),))


def _glued(random: Random) -> Planted:
    first, second = draw("ghp_{b62:36}", random), draw("glpat-{b62:20}", random)
    return Planted(
        "gitlab-token", f"{first}:{second}", ((0, len(first)), (len(first) + 1, len(first) + 1 + len(second)))
    )


_DISGUISES = (_zero_width, _wide, _alike, _wrapped, _decomposed, _glued)
