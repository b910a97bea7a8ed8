"""Ordinary notes for the secret rules: nothing in them is a secret, much looks like one.

`@KEY` stands for the two words of a key block, so that no other scanner takes this file for a key.
"""

from __future__ import annotations

import base64
import hashlib
from random import Random

_WRITTEN = r"""
The token budget of a capsule is 2000 tokens by default.
Secret Santa is on the 18th, limit 20 euros.
Anna prefers a password manager over a notebook.
We chose 1Password as our password manager in March.
The password is the name of my dog.
My password is something I should change more often.
The password is not written down anywhere.
Password: see the safe in the kitchen.
Passwords: never reuse them, rotate after a leak.
The password policy asks for at least 12 characters.
Password policy: min. 14 characters, one digit, one sign.
Password length: 8-64 characters.
Password rotation: every 90 days.
Password reset link expires after 24 hours.
Password last changed: 2024-11-03
password: required, string, at least 8 characters
Password field has id=login-form-2 and name=user_pass.
The password for the lab is on the whiteboard.
The password was changed on 2023-05-01.
Passport: renew before 2027-03-01.
Boarding pass: LH1234 seat 14C.
Ski pass: 6 days, 340 CHF.
He forgot his passphrase and lost the archive.
A passphrase of four random words is easier to remember than a short password.
passphrase: should be long
password protected PDF, ask Boris for it
Password hashing: argon2id with 64 MB.
password_hash TEXT NOT NULL
ALTER TABLE users ADD COLUMN password_hash varchar(255);
The secret of good bread is time.
secret: it is the butter
Secrets are refused before they touch the disk.
The secret garden opens at nine.
The key to the shed hangs behind the door.
Key: A minor, 92 bpm.
Key results: retention 40 %, churn below 3 %.
API key rotation is planned for Q3.
The API key lives in the keyring, never in TOML.
An API key is needed for the weather page.
api_key: str = field(default="")
Public key: ssh-ed25519 is what we use.
primary key (id), foreign key (owner)
sort key: created_at descending
Cache key = sha256(text) + model name.
The token ring network of 1994 is still in the cellar.
Tokens: 1,245 in, 310 out.
max_tokens=4096, temperature=0.2
prompt tokens: 12034
token_count: 18234
token type: bearer
tokenizer: cl100k_base
The tokenizer splits CJK text into bigrams.
Token economics were discussed on page 12.
stop token: <|endoftext|>
pad_token="[PAD]", eos_token="</s>"
refresh tokens expire after 14 days
The bearer of good news got a coffee.
Bearer tokens go into the Authorization header.
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer YOUR_API_TOKEN_GOES_HERE_1234
Authorization: Basic <base64 of user:password>
Basic authentication is off since May.
Basic understanding of statistics is enough.
curl -H "Authorization: Bearer ${TOKEN}" https://api.acme.dev/v1/notes
curl -u "$USER:$PASSWORD" https://api.acme.dev
curl -u <user>:<password> https://api.acme.dev
export API_KEY=<your key>
export OPENAI_API_KEY=sk-...
export OPENAI_API_KEY="your-api-key-here"
OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN }}
GITHUB_TOKEN=ghp_****************************
password: ${DB_PASSWORD}
password: {{ vault_db_password }}
password: "{{ lookup('env', 'DB_PASSWORD') }}"
password: <redacted>
password: ********
password: xxxxxxxx
password: changeme
password: "your-password"
password: example
password = os.environ["DB_PASSWORD"]
password = get_password()
password = getpass.getpass("Password: ")
password = config.database.password
password=password
password: str
password: Optional[str] = None
password: string;
password: z.string().min(8)
const password = process.env.DB_PASSWORD;
const { token } = await login(user, password);
let token = tokens[i];
token = self._next_token()
if password == other: raise ValueError
if (password !== confirmation) return;
connect(host=host, user=user, password=password)
def login(user: str, password: str) -> Session: ...
self.secret = secret
secret = Secret.from_file(path)
secretName: my-app-tls
secretKeyRef:\n  name: db-credentials\n  key: password
imagePullSecrets:\n- name: registry-credentials
token = request.headers.get("X-Token")
api_key=settings.api_key
api_key = load_key("weather")
aws_access_key_id = <your key id>
aws_secret_access_key = <your secret key>
AWS_PROFILE=staging terraform plan
arn:aws:iam::123456789012:role/deploy
arn:aws:s3:::acme-backups/2024/05
postgres://user:password@localhost:5432/app
postgres://postgres:postgres@localhost/app_test
postgresql://app:${DB_PASSWORD}@db.internal/app
mysql://root:root@127.0.0.1/test
redis://localhost:6379/0
https://user:pass@example.com is how a URL carries credentials.
https://<user>:<token>@git.acme.dev/x.git
git clone ssh://git@git.acme.dev:2222/team/x.git
git@github.com:acme/notes.git
http://localhost:8080/@fs/app/main.ts
https://medium.com/@anna/how-we-sleep-7f3c2b1a9d8e
https://www.youtube.com/watch?v=dQw4w9WgXcQ
https://docs.google.com/document/d/1aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789abcdefg/edit
https://open.spotify.com/track/6rqhFgbbKwnb9MLmUQDhG6?si=7a1b2c3d4e5f6a7b
https://maps.app.goo.gl/8sKdj3hYtqPz5Wxn7
https://x.com/anna/status/1734567890123456789
https://arxiv.org/abs/2310.06825v3
https://acme.slack.com/archives/C024BE91L/p1700000000123456
https://hooks.slack.com/services/T000/B000/XXX
https://discord.com/channels/123456789012345678/123456789012345679
mailto:anna@acme.dev
Call Anna: +49 170 1234567 or 030/1234567.
IBAN DE89 3704 0044 0532 0130 00
The flight is LH 2024, booking X7K2PQ.
Order number: 4411-2207-9981
Tracking number: 1Z999AA10123456784
Invoice INV-2024-00817 is paid.
Meter reading 004817 on 2024-01-01.
Serial: C02XK0AAJGH5
The IMEI is 356938035643809.
ISBN 978-3-16-148410-0
DOI 10.1145/3292500.3330701
Version 1.24.3-rc.2+build.7f3c2b1
node v20.11.1, npm 10.2.4, pnpm 9.1.0
Room 4.12, code of the course CS-224N
Chess: 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6
Colours: #1a2b3c, #ffcc00, rgb(26, 43, 60), #0f172acc
.btn-primary{color:#fff;background:#2563eb}
MAC 3c:22:fb:1a:9d:8e, IP 10.0.0.17
IPv6 2001:0db8:85a3:0000:0000:8a2e:0370:7334
C:\Users\anna\AppData\Local\Temp\notes-7f3c2b1a.txt
/usr/lib/python3.11/site-packages/cryptography/hazmat/primitives/keywrap.py
~/.ssh/id_ed25519.pub is the one to copy
-----BEGIN @KEY-----\n...\n-----END @KEY-----
A PEM file begins with -----BEGIN RSA @KEY----- and ends likewise.
JWTs begin with eyJ because that is {" in base64.
The header {"alg":"HS256","typ":"JWT"} is not secret.
sk-learn is the short name of scikit-learn
sk-ip-navigation and sk-toggle are class names
The ghp_ prefix was introduced in 2021.
AKIA marks long-lived keys, ASIA temporary ones.
hf_hub_download and hf_transfer speed up downloads
hf_hub_download_with_progress_and_retries is too long a name
npm_config_registry and npm_package_version are set by npm
npm_lifecycle_event is the script's name
pip install pypi-simple
secret_manager_client_with_default_credentials
pat-a-cake and pat-down
SG.com is a domain; SG. Smith is a person
xoxo, Anna
The glc_ prefix is of Grafana Cloud.
shpat_ stands for Shopify private app token.
do_v1_migration ran twice
dp.state.dynamic is a field
sl.no. 14 of the list
A recovery phrase has twelve or twenty-four words; write it on paper and keep it at home.
The seed phrase is in the safe, the backup is with my parents in Bergen, nobody else knows.
Mnemonic: my very educated mother just served us nine pizzas
mnemonic is the name of an older project with many tools for remembering words long since gone from use today
Seed: 42, folds: 5, epochs: 30
seed: 1337
Random seed 20240501 was used for all figures.
Anna's PIN cushion is red.
The door opens with a key card.
two-factor codes come by SMS
2FA is on for all accounts; backup codes are printed.
The OAuth flow needs a client id and a client secret.
client_id: 1234567890-abc.apps.googleusercontent.com
CSRF token is checked on every form.
csrf_token: {{ csrf_token() }}
nextPageToken: CAUQAA
continuation_token is opaque
We discussed access tokens, refresh tokens and id tokens.
The word "token" has nine meanings in our docs.
Credentials: to be handed over on Monday.
Credential stuffing was in the news.
My credentials are a degree in law and ten years in court.
Private key material never leaves the module.
The private key is on the smart card.
Keys: piano has 88, organ 61.
License: MIT; see LICENSE for the text.
The cipher is AES-256-GCM with a 96-bit nonce.
SHA-256 and BLAKE2b are fine, MD5 is not.
Diffie and Hellman published in 1976.
Anna said: "pass the salt".
pass: 14, fail: 2, skipped: 1
passes: 3
PASS: test_login (0.12s)
Pass rate: 97.4%
compass: N32E
pwd prints the working directory
$ pwd\n/home/anna/projects/mnemic
PWD=/home/anna/projects OLDPWD=/tmp
mdp stands for Markov decision process
MDP: states, actions, rewards
clave: ritmo de la salsa
La clave es la paciencia.
palabra clave: rendimiento2024
El token cuesta dos euros.
La contraseña es el nombre de mi perro.
contraseña: obligatoria
He olvidado mi contraseña otra vez.
Le mot de passe est affiché à l'entrée.
mot de passe oublié
Mot de passe : au moins huit caractères
Das Passwort ist der Name meines Hundes.
Passwort: vergessen
Passwort ändern: Einstellungen, Sicherheit.
Das Passwort liegt im Tresor.
Wir brauchen einen Passwort-Manager für die Familie.
Kennwort: siehe Umschlag
Der Schlüssel zum Keller hängt am Brett.
Schlüsselwörter: Gedächtnis, Suche
Das Geheimnis: lange kneten.
O segredo: paciência e sal.
senha: esquecida
A senha é o nome do meu cachorro.
hasło: patrz koperta
Hasło jest w sejfie.
Wachtwoord vergeten, vraag Jan.
şifre: zorunlu alan
Parola: unde o scriem?
parola d'ordine: pazienza
Пароль — имя моей собаки.
Пароль: обязательное поле, не короче восьми знаков.
Пароль от вайфая написан на роутере.
Забыл пароль от почты, надо восстановить.
Пароль меняли 12.03.2024.
Менеджер паролей: выбрали Bitwarden.
Секрет хорошего борща — терпение.
Ключ от подвала висит у двери.
Токены считаем по таблице, бюджет 2000.
Токен: маркер в тексте.
Тайный Санта в пятницу, подарок до 1000 рублей.
Позвони Ане: +7 912 345-67-89.
Код заказа 44-1207, забрать до 18:00.
Кодовое слово обсудим при встрече.
ключ API хранится в связке ключей
パスワードは犬の名前です。
パスワードを忘れたので再設定した。
パスワード管理アプリを選ぶ。
パスワード：必須
パスワードは8文字以上で設定してください。
パスワードの変更は90日ごと。
暗証番号は覚えている。
暗証番号を変更した。
トークン数は1200です。
トークン：文字列の単位
秘密の庭は九時に開く。
鍵は玄関の下にある。
APIキーは環境変数に置く。
キーボードはHHKB Professional2を使う。
電話番号は03-1234-5678です。
密码是我的狗的名字。
密码：必填
密码忘了，明天重置。
密码管理器我们选了Bitwarden。
密码长度至少12位。
密码已于2024-03-01修改。
令牌桶算法限制每秒100次。
密钥放在保险箱里。
口令：芝麻开门
电话是13812345678。
身份证放在抽屉里。
비밀번호를 잊어버렸다.
비밀번호: 필수
비밀번호는 강아지 이름이다.
كلمة المرور في الخزنة.
पासवर्ड बदलना है।
รหัสผ่านอยู่ในตู้เซฟ
| field | type |\n|---|---|\n| password | string |
| password | varchar(255) | not null |
| token | required |
## Password\n\nUse the manager.
# Secrets\n\nNever commit them.
- [ ] change the wifi password\n- [ ] call the bank
- [x] rotate tokens\n- [ ] write down the procedure
password:\n  type: string\n  minLength: 8
"password": {"type": "string", "minLength": 8}
"secret": false, "token": null
"token": "<token>", "api_key": "<api key>"
{"usage": {"prompt_tokens": 812, "completion_tokens": 97}}
<input type="password" name="password" placeholder="Password">
<label for="password">Password:</label>
<PasswordField value={password} onChange={setPassword} />
[the password page](https://acme.dev/docs/password)
[[password-policy]] and [[secrets/rotation]]
![key](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk)
WEP, WPA2 and WPA3 differ in how keys are agreed.
wifi: network "Blaubeere", the code is on the router
The alarm code is known to Anna and Boris only.
Use `pass insert mail/anna` to store it.
gpg --export-secret-keys --armor anna
ssh-keygen -t ed25519 -C anna@laptop
openssl rand -hex 32
mysql -u root -p
psql -U app -W
use --password to be asked for it
options such as --username and --password are documented
docker login --password-stdin
kubectl get secret db -o yaml
vault kv get secret/app
op://vault/item/password
sops -d secrets.enc.yaml
CREATE USER app IDENTIFIED BY '<password>';
Server=db;Database=shop;Trusted_Connection=True
Server=db;User Id=app;Password=<password>;
username, password = auth.split(":")
user, _, password = pair.partition(":")
The user's password attribute is write-only: user.password = value
Model trained with seed 7, learning rate 3e-4, 12 layers
TGATTACAGATTACACCGGTTAACCGGTATATGCGCGATTACA
MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVV
Lorem ipsum dolor sit amet, consectetur adipiscing elit
supercalifragilisticexpialidocious
Donaudampfschifffahrtsgesellschaftskapitän
kubernetes.io/service-account-token is a type
projects/acme-prod/locations/europe-west1/keyRings/main/cryptoKeys/notes
com.acme.notes.security.PasswordEncoderFactory
org.springframework.security.crypto.password.PasswordEncoder
passwordEncoder.matches(raw, encoded)
PASSWORD_MIN_LENGTH=12
PASSWORD_RESET_TIMEOUT=86400
TOKEN_TTL=3600
SECRET_FILE=/run/secrets/db
API_KEY_HEADER=X-Api-Key
ACCESS_TOKEN_URL=https://auth.acme.dev/oauth/token
SESSION_COOKIE_NAME=sessionid
KEY_ROTATION_DAYS=30
"""

_SENTENCES = (
    "Deployed {} to staging, all green.",
    "Bisected to {}.",
    "The image is {}.",
    "Ошибка в сборке {}, откатили.",
    "コミット{}で直った。",
    "提交{}引入了这个问题。",
    "Der Fehler steckt in {}.",
    "see {}",
    "| {} | ok |",
    "`{}`",
    "Trace {} took 4.2 s",
)


def ordinary_notes(seed: int = 2026) -> list[str]:
    """The written notes and as many machine-made identifiers as people paste into theirs."""
    random = Random(seed)
    written = [line.replace("\\n", "\n").replace("@KEY", "PRIVATE" + " KEY") for line in _WRITTEN.strip().splitlines()]
    made = [random.choice(_SENTENCES).format(make(random)) for make in _IDENTIFIERS for _ in range(8)]
    return written + made + [_lock_file(random), _minified(random), _picture(random), _log(random)]


def _hex(random: Random, size: int) -> str:
    return random.randbytes(size // 2).hex()


def _text(random: Random, alphabet: str, size: int) -> str:
    return "".join(random.choices(alphabet, k=size))


def _uuid(random: Random) -> str:
    value = _hex(random, 32)
    return "-".join((value[:8], value[8:12], value[12:16], value[16:20], value[20:]))


_LOW = "abcdefghijklmnopqrstuvwxyz0123456789"
_MIXED = _LOW + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_IDENTIFIERS = (
    lambda r: _hex(r, 40),
    lambda r: _hex(r, 40)[:7],
    _uuid,
    lambda r: "sha256:" + _hex(r, 64),
    lambda r: hashlib.md5(r.randbytes(8), usedforsecurity=False).hexdigest(),
    lambda r: "sha512-" + base64.b64encode(r.randbytes(64)).decode(),
    lambda r: "01" + _text(r, "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24),
    lambda r: "projects/notes/runs/" + _text(r, _LOW, 8),
    lambda r: "ObjectId(" + _hex(r, 24) + ")",
    lambda r: "msg_" + _text(r, _MIXED, 24),
    lambda r: "cus_" + _text(r, _MIXED, 14),
    lambda r: "toolu_" + _text(r, _MIXED, 22),
    lambda r: "pk_live_" + _text(r, _MIXED, 24),
    lambda r: "AC" + _hex(r, 32),
    lambda r: "age1" + _text(r, "023456789acdefghjklmnpqrstuvwxyz", 58),
    lambda r: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + _text(r, _MIXED, 43) + " anna@laptop",
    lambda r: "0x" + _hex(r, 40),
    lambda r: "bc1q" + _text(r, "023456789acdefghjklmnpqrstuvwxyz", 38),
    lambda r: "https://cdn.acme.dev/app." + _hex(r, 16) + ".js?v=" + _text(r, _LOW, 10),
    lambda r: 'etag W/"' + _hex(r, 32) + '"',
    lambda r: "traceparent 00-" + _hex(r, 32) + "-" + _hex(r, 16) + "-01",
    lambda r: "pod/api-" + _text(r, _LOW, 10) + "-" + _text(r, _LOW, 5),
    lambda r: "urn:uuid:" + _uuid(r),
    lambda r: "nonce-" + base64.b64encode(r.randbytes(16)).decode(),
)


def _lock_file(random: Random) -> str:
    rows = (f'    "integrity": "sha512-{base64.b64encode(random.randbytes(64)).decode()}",' for _ in range(30))
    return "{\n" + "\n".join(rows) + "\n}"


def _minified(random: Random) -> str:
    names = (
        f"function {_text(random, 'abcdefgh', 2)}(t,e){{return t.{_text(random, _MIXED, 6)}[e]||{{}}}}"
        for _ in range(60)
    )
    return ";".join(names)


def _picture(random: Random) -> str:
    return f"![](data:image/png;base64,{base64.b64encode(random.randbytes(6000)).decode()})"


def _log(random: Random) -> str:
    return "\n".join(
        f"12:{i:02}:07 INFO request={_uuid(random)} user=anna bytes={random.randrange(9999)}" for i in range(50)
    )
