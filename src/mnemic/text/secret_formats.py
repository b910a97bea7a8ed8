"""The table of vendors' key formats, and how one of them is looked for.

A format with a prefix of its own is looked up by that prefix alone. One without (32 hexadecimal digits are anything)
needs the vendor's name and a word for "key" before it in the same line. Patterns hold no nested repetition, and an
open-ended one only at their end, possessive: time grows with the length of the text.
"""

from __future__ import annotations

import base64
import binascii
import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from mnemic.text.secret_checks import is_filler, looks_random
from mnemic.text.secret_views import Hit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_END = r"(?![A-Za-z0-9])"
_WORD, _URLSAFE, _BASE64, _HEX = "[A-Za-z0-9]", "[A-Za-z0-9_-]", "[A-Za-z0-9+/]", "[a-f0-9]"
_UUID = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"


class Format(NamedTuple):
    """One vendor's key: its rule id and name, the literals one of which every such key holds, and the pattern.

    `prefixed` formats begin with one of their literals; the others are searched for where a literal occurs at all.
    Group 1 of the pattern, if it has one, is the secret part. `check` judges that part after the pattern matched.
    """

    rule: str
    name: str
    literals: tuple[str, ...]
    pattern: str
    prefixed: bool = True
    check: Callable[[str], bool] | None = None


class CuedFormat(NamedTuple):
    """A vendor's key without a prefix: found after one of the lowercase `cues` and a word for key or token."""

    rule: str
    name: str
    cues: tuple[str, ...]
    pattern: str


def _snowflake(value: str) -> bool:
    """Whether the first part of a Discord token is a user's number in base64."""
    head = value.split(".", 1)[0]
    try:
        return base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)).isdigit()
    except (binascii.Error, ValueError):
        return False


def _f(rule: str, name: str, literals: str, tail: str, check: Callable[[str], bool] | None = None) -> Format:
    """A format whose key is one of the literals followed by `tail`."""
    found = tuple(literals.split())
    return Format(rule, name, found, f"(?:{'|'.join(map(re.escape, found))}){tail}", check=check)


FORMATS: tuple[Format, ...] = (
    # Source hosts and package registries.
    _f("github-token", "GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9_]{36,}+"),
    _f("github-fine-grained-token", "GitHub fine-grained token", "github_pat_", "[A-Za-z0-9_]{36,}+"),
    _f("gitlab-token", "GitLab token",
       "glpat- gldt- glrt- glptt- glcbt- glft- glsoat- glagent- gloas- glimt- glffct- glwt- GR1348941",
       r"[A-Za-z0-9_-]{20,}+(?:\.[a-z0-9]{2,12}){0,2}"),
    _f("bitbucket-token", "Bitbucket app password", "ATBB", f"{_WORD}{{28,40}}{_END}"),
    _f("npm-token", "npm token", "npm_", f"{_WORD}{{36}}{_END}"),
    _f("pypi-token", "PyPI token", "pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw", f"{_URLSAFE}{{50,}}+"),
    _f("rubygems-token", "RubyGems key", "rubygems_", f"{_HEX}{{48}}{_END}"),
    _f("crates-token", "crates.io token", "cio", f"{_WORD}{{32}}{_END}", check=looks_random),
    _f("nuget-key", "NuGet key", "oy2", f"[a-z0-9]{{43}}{_END}"),
    _f("clojars-token", "Clojars token", "CLOJARS_", f"[a-z0-9]{{60}}{_END}"),
    _f("docker-token", "Docker access token", "dckr_pat_ dckr_oat_", f"{_URLSAFE}{{27,}}+"),
    _f("artifactory-key", "Artifactory key", "AKCp cmVmdGtu", f"{_WORD}{{56,80}}{_END}"),
    _f("buildkite-token", "Buildkite token", "bkua_", f"{_HEX}{{40}}{_END}"),
    _f("circleci-token", "CircleCI token", "CCIPAT_ CCIPRJ_", f"{_WORD}{{22}}_{_HEX}{{40}}{_END}"),
    # Clouds and hosting.
    _f("aws-access-key", "AWS access key id", "AKIA ASIA ABIA ACCA", f"[A-Z0-9]{{16}}{_END}"),
    _f("google-api-key", "Google API key", "AIza", f"{_URLSAFE}{{35}}(?![A-Za-z0-9_-])"),
    _f("google-oauth-secret", "Google OAuth client secret", "GOCSPX-", f"{_URLSAFE}{{24,}}+"),
    _f("google-oauth-token", "Google OAuth token", "ya29. 1//0", f"{_URLSAFE}{{38,}}+"),
    Format("azure-client-secret", "Azure client secret", ("Q~",),
           r"[A-Za-z0-9_.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])", prefixed=False),
    Format("azure-storage-key", "Azure account key", ("AccountKey=", "SharedAccessKey=", "accountKey="),
           r"(?:AccountKey|SharedAccessKey|accountKey)=([A-Za-z0-9+/]{43,86}={1,2})", prefixed=False),
    Format("azure-sas", "Azure shared access signature", ("sig=",),
           r"[?&;]sig=([A-Za-z0-9%+/]{40,200}(?:%3D|=){0,2})", prefixed=False),
    _f("alibaba-key", "Alibaba Cloud access key id", "LTAI", f"{_WORD}{{16,24}}{_END}"),
    _f("tencent-key", "Tencent Cloud secret id", "AKID", f"{_WORD}{{32}}{_END}"),
    _f("yandex-token", "Yandex Cloud key or token", "AQVN y0_ t1.9eu", "[A-Za-z0-9_.-]{35,}+"),
    _f("digitalocean-token", "DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", f"{_HEX}{{64}}{_END}"),
    _f("heroku-token", "Heroku token", "HRKU-", f"{_URLSAFE}{{36,}}+"),
    _f("fly-token", "Fly.io token", "fm1r_ fm1a_ fm2_ fo1_", "[A-Za-z0-9_+/=-]{40,}+"),
    _f("vercel-token", "Vercel token", "vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_", "[A-Za-z0-9_]{24,}+"),
    _f("supabase-key", "Supabase secret key", "sbp_ sb_secret_", "[A-Za-z0-9_-]{20,}+"),
    _f("cloudflare-origin-key", "Cloudflare origin CA key", "v1.0-", f"{_HEX}{{24}}-{_HEX}{{100,}}+"),
    _f("planetscale-token", "PlanetScale token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "[A-Za-z0-9_.-]{32,}+"),
    _f("render-key", "Render key", "rnd_", f"{_WORD}{{28,}}+"),
    _f("neon-key", "Neon key", "napi_", f"{_WORD}{{40,}}+"),
    _f("pulumi-token", "Pulumi token", "pul-", f"{_HEX}{{40}}{_END}"),
    _f("tailscale-key", "Tailscale key", "tskey-", f"[a-z]{{3,12}}-{_WORD}{{8,24}}-{_WORD}{{16,}}+"),
    Format("terraform-token", "Terraform Cloud token", (".atlasv1.",),
           rf"{_WORD}{{14}}\.atlasv1\.{_URLSAFE}{{60,}}+", prefixed=False),
    _f("vault-token", "HashiCorp Vault token", "hvs. hvb. hvr.", f"{_URLSAFE}{{24,}}+"),
    _f("doppler-token", "Doppler token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
       rf"(?:[a-z0-9_-]{{2,35}}\.)?{_WORD}{{40,44}}{_END}"),
    _f("onepassword-token", "1Password service account token", "ops_eyJ", f"{_URLSAFE}{{100,}}+"),
    _f("age-key", "age secret key", "AGE-SECRET-KEY-1", f"[0-9A-Z]{{58}}{_END}"),
    _f("databricks-token", "Databricks token", "dapi", rf"{_HEX}{{32}}(?:-\d)?{_END}"),
    _f("confluent-secret", "Confluent secret", "cflt", f"{_BASE64}{{60,64}}(?![A-Za-z0-9+/])"),
    # Language models.
    _f("anthropic-key", "Anthropic key", "sk-ant-", rf"[a-z]{{3,8}}\d\d-{_URLSAFE}{{32,}}+"),
    _f("openrouter-key", "OpenRouter key", "sk-or-v1-", f"{_HEX}{{64}}{_END}"),
    _f("openai-key", "OpenAI project key", "sk-proj- sk-svcacct- sk-admin- sk-None-", f"{_URLSAFE}{{20,}}+"),
    _f("sk-key", "API key of the form sk-…", "sk-", f"{_WORD}{{20,}}+", check=lambda v: looks_random(v[3:])),
    _f("huggingface-token", "Hugging Face token", "hf_ api_org_", f"{_WORD}{{30,}}+", check=looks_random),
    _f("groq-key", "Groq key", "gsk_", f"{_WORD}{{40,}}+"),
    _f("perplexity-key", "Perplexity key", "pplx-", f"{_WORD}{{40,}}+"),
    _f("replicate-token", "Replicate token", "r8_", f"{_WORD}{{37}}{_END}"),
    _f("xai-key", "xAI key", "xai-", f"{_WORD}{{70,}}+"),
    _f("langsmith-key", "LangSmith key", "lsv2_pt_ lsv2_sk_", f"{_HEX}{{32}}_{_HEX}{{10}}{_END}"),
    _f("pinecone-key", "Pinecone key", "pcsk_", "[A-Za-z0-9_]{50,}+"),
    _f("tavily-key", "Tavily key", "tvly-", f"(?:dev-|prod-)?{_WORD}{{28,}}+"),
    _f("nvidia-key", "NVIDIA key", "nvapi-", f"{_URLSAFE}{{60,}}+"),
    _f("elevenlabs-key", "ElevenLabs key", "sk_", f"{_HEX}{{48}}{_END}"),
    # Chat, mail, telephone.
    _f("slack-token", "Slack token", "xoxb- xoxp- xoxa- xoxo- xoxs- xoxr- xoxe- xoxe. xoxc- xoxd- xapp-",
       r"[A-Za-z0-9%_.-]{24,}+", check=lambda v: any(c.isdigit() for c in v)),
    _f("slack-webhook", "Slack webhook", "https://hooks.slack.com/",
       f"(?:services|workflows|triggers)/[A-Z0-9]{{8,12}}/[A-Z0-9]{{8,20}}/{_WORD}{{16,}}+"),
    Format("teams-webhook", "Microsoft Teams webhook", (".webhook.office.com/webhookb2/",),
           rf"https://[a-z0-9-]{{1,60}}\.webhook\.office\.com/webhookb2/{_UUID}@{_UUID}"
           rf"/IncomingWebhook/{_HEX}{{32}}/{_UUID}",
           prefixed=False),
    Format("discord-token", "Discord bot token", ("MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"),
           rf"[MNO][DTjz][A-Za-z0-9_-]{{21,27}}\.{_URLSAFE}{{6}}\.{_URLSAFE}{{27,40}}(?![A-Za-z0-9_-])",
           prefixed=False, check=_snowflake),
    Format("discord-webhook", "Discord webhook", ("/api/webhooks/",),
           rf"https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/\d{{17,20}}/{_URLSAFE}{{60,}}+",
           prefixed=False),
    Format("telegram-token", "Telegram bot token", (":AA",), rf"\d{{8,10}}:AA{_URLSAFE}{{33}}(?![A-Za-z0-9_-])",
           prefixed=False),
    _f("sendgrid-key", "SendGrid key", "SG.", rf"{_URLSAFE}{{22}}\.{_URLSAFE}{{43}}(?![A-Za-z0-9_-])"),
    _f("twilio-key", "Twilio API key", "SK", f"{_HEX}{{32}}{_END}"),
    _f("mailgun-key", "Mailgun key", "key-", f"{_HEX}{{32}}{_END}"),
    Format("mailchimp-key", "Mailchimp key", ("-us",), rf"{_HEX}{{32}}-us\d{{1,2}}{_END}", prefixed=False),
    _f("brevo-key", "Brevo key", "xkeysib- xsmtpsib-", f"{_HEX}{{64}}-{_WORD}{{16}}{_END}"),
    # Money and shops.
    _f("stripe-key", "Stripe key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_", f"{_WORD}{{16,}}+"),
    _f("stripe-webhook-secret", "Stripe webhook secret", "whsec_", "[A-Za-z0-9+/=]{32,}+"),
    Format("square-token", "Square token", ("sq0atp-", "sq0csp-", "EAAA"),
           rf"sq0(?:atp|csp)-{_URLSAFE}{{22,}}+|EAAA{_URLSAFE}{{60,}}+", check=looks_random),
    _f("shopify-token", "Shopify token", "shpat_ shpca_ shppa_ shpss_ shpua_", f"[a-fA-F0-9]{{32}}{_END}"),
    _f("shippo-token", "Shippo token", "shippo_live_ shippo_test_", f"{_HEX}{{40}}{_END}"),
    _f("easypost-key", "EasyPost key", "EZAK EZTK", f"{_WORD}{{54}}{_END}"),
    _f("flutterwave-key", "Flutterwave key", "FLWSECK-", f"{_WORD}{{16,}}+(?:-X)?"),
    _f("plaid-token", "Plaid token", "access-sandbox- access-production- access-development-", f"{_UUID}{_END}"),
    _f("braintree-token", "Braintree token", "access_token$",
       rf"(?:production|sandbox)\$[a-z0-9]{{16}}\${_HEX}{{32}}{_END}"),
    _f("wallet-key", "cryptocurrency wallet key", "xprv yprv zprv", f"[1-9A-HJ-NP-Za-km-z]{{107,108}}{_END}"),
    # Offices and tools.
    _f("linear-key", "Linear key", "lin_api_ lin_oauth_", f"{_WORD}{{32,}}+"),
    _f("notion-token", "Notion token", "ntn_ secret_", f"{_WORD}{{43,50}}{_END}"),
    _f("airtable-token", "Airtable token", "pat", rf"{_WORD}{{14}}\.{_HEX}{{64}}{_END}"),
    _f("postman-key", "Postman key", "PMAK-", f"{_HEX}{{24}}-{_HEX}{{34}}{_END}"),
    _f("atlassian-token", "Atlassian token", "ATATT3x ATCTT3x", "[A-Za-z0-9_=-]{60,}+"),
    _f("dropbox-token", "Dropbox token", "sl.", r"(?:u\.)?[A-Za-z0-9_-]{120,}+"),
    _f("figma-token", "Figma token", "figd_ figo_ figu_", f"{_URLSAFE}{{36,}}+"),
    _f("hubspot-token", "HubSpot token", "pat-na1- pat-na2- pat-eu1- pat-ap1-", f"{_UUID}{_END}"),
    _f("contentful-token", "Contentful token", "CFPAT-", f"{_URLSAFE}{{43}}(?![A-Za-z0-9_-])"),
    _f("sourcegraph-token", "Sourcegraph token", "sgp_", f"(?:{_HEX}{{16}}_|local_)?{_HEX}{{40}}{_END}"),
    _f("typeform-token", "Typeform token", "tfp_", "[A-Za-z0-9_.-]{44,}+"),
    _f("trello-token", "Trello token", "ATTA", f"{_HEX}{{64}}{_END}"),
    _f("prefect-key", "Prefect key", "pnu_ pnb_", f"{_WORD}{{36}}{_END}"),
    _f("readme-key", "ReadMe key", "rdme_", f"[a-z0-9]{{70}}{_END}"),
    _f("adafruit-key", "Adafruit IO key", "aio_", f"{_WORD}{{28}}{_END}"),
    _f("facebook-token", "Facebook token", "EAA", f"{_WORD}{{80,}}+"),
    # Watching and measuring.
    _f("grafana-token", "Grafana token", "glsa_ glc_", "[A-Za-z0-9+/=_]{32,}+"),
    _f("sentry-token", "Sentry token", "sntrys_ sntryu_ sntrya_", "[A-Za-z0-9+/=_]{40,}+"),
    _f("newrelic-key", "New Relic key", "NRAK- NRII- NRIQ- NRRA-", f"{_URLSAFE}{{26,}}+"),
    Format("newrelic-license", "New Relic license key", ("NRAL",), rf"{_HEX}{{32,40}}NRAL{_END}", prefixed=False),
    _f("dynatrace-token", "Dynatrace token", "dt0c01. dt0s01. dt0s16.", rf"[A-Z0-9]{{24}}\.[A-Z0-9]{{64}}{_END}"),
    _f("datadog-app-key", "Datadog application key", "ddapp_", f"{_WORD}{{34,40}}{_END}"),
)  # fmt: skip

CUED_FORMATS: tuple[CuedFormat, ...] = (
    CuedFormat(
        "aws-secret-key",
        "AWS secret key",
        ("aws", "secretaccesskey", "secret_access_key"),
        "(?![a-f0-9]{40})[A-Za-z0-9+/]{40}",
    ),
    CuedFormat(
        "datadog-key",
        "Datadog key",
        ("datadog", "dd_api", "dd_app", "dd-api", "dd-app"),
        f"{_HEX}{{32}}(?:{_HEX}{{8}})?",
    ),
    CuedFormat("cloudflare-token", "Cloudflare token", ("cloudflare", "cf_api"), f"{_HEX}{{37}}|[A-Za-z0-9_-]{{40}}"),
    CuedFormat("twilio-auth-token", "Twilio auth token", ("twilio",), f"{_HEX}{{32}}"),
    CuedFormat("heroku-key", "Heroku key", ("heroku",), _UUID),
    CuedFormat("confluent-key", "Confluent key", ("confluent",), f"{_BASE64}{{64}}|[A-Z0-9]{{16}}"),
    CuedFormat("algolia-key", "Algolia key", ("algolia",), f"{_HEX}{{32}}"),
    CuedFormat("azure-openai-key", "Azure key", ("azure", "ocp-apim"), f"{_HEX}{{32}}|{_WORD}{{84}}"),
    CuedFormat("fastly-token", "Fastly token", ("fastly",), f"{_URLSAFE}{{32}}"),
    CuedFormat("okta-token", "Okta token", ("okta",), f"00{_URLSAFE}{{40}}"),
    CuedFormat("vercel-key", "Vercel token", ("vercel",), f"{_WORD}{{24}}"),
    CuedFormat("airtable-key", "Airtable key", ("airtable",), f"key{_WORD}{{14}}"),
    CuedFormat("mistral-key", "Mistral key", ("mistral",), f"{_WORD}{{32}}"),
    CuedFormat("cohere-key", "Cohere key", ("cohere", "co_api"), f"{_WORD}{{40}}"),
    CuedFormat("deepl-key", "DeepL key", ("deepl",), f"{_UUID}(?::fx)?"),
)

_ANSI = re.compile(r"\x1b\[[0-9;]{0,12}m$")
_NEAR = 120  # characters after the vendor's name in which its key is looked for


def formats_in(text: str, low: str) -> Iterator[Hit]:
    """Every match of a vendor's format. `low` is `text` in lower case, of the same length."""
    for form in FORMATS:
        for literal in form.literals:
            if literal in text:
                if form.prefixed:
                    yield from _prefixed(form, literal, text)
                else:
                    yield from _free(form, text)
                    break
    for cued in CUED_FORMATS:
        for cue in cued.cues:
            if cue in low:
                yield from _cued(cued, cue, text, low)
    yield from _aws_pair(text)


def _prefixed(form: Format, literal: str, text: str) -> Iterator[Hit]:
    start = text.find(literal)
    while start >= 0:
        found = _compiled(form.pattern).match(text, start) if _begins(text, start) else None
        if found and _holds(form, found[0], text[start + len(literal) : found.end()]):
            yield Hit(start, found.end(), form.rule, 0.99)
        start = text.find(literal, found.end() if found else start + 1)


def _free(form: Format, text: str) -> Iterator[Hit]:
    for found in _compiled(form.pattern).finditer(text):
        group = found.re.groups
        if (group or _begins(text, found.start())) and _holds(form, found[group], found[group]):
            yield Hit(*found.span(group), form.rule, 0.97)


def _holds(form: Format, whole: str, drawn: str) -> bool:
    return not is_filler(drawn) and (form.check is None or form.check(whole))


def _begins(text: str, start: int) -> bool:
    r"""Whether a token can begin here: after no letter or digit but those of an escape (`\n`, `%3D`, ANSI colour)."""
    before = text[start - 1 : start]
    if not (before.isascii() and before.isalnum()):
        return True
    return (
        text[max(start - 2, 0) : start] in {"\\n", "\\r", "\\t"}
        or text[max(start - 3, 0) : start - 2] == "%"
        or _ANSI.search(text[max(start - 16, 0) : start]) is not None
    )


def _cued(form: CuedFormat, cue: str, text: str, low: str) -> Iterator[Hit]:
    pattern = _compiled(
        rf"(?i:[^\n]{{0,40}}?(?:key|token|secret|auth|pass|ключ|токен|キー|トークン|密钥|schlüssel)[^\n]{{0,24}}?)"
        rf"(?<![A-Za-z0-9_+/-])({form.pattern})(?![A-Za-z0-9_+/-])"
    )
    start = low.find(cue)
    while start >= 0:
        found = pattern.match(text, start, start + len(cue) + _NEAR)
        if found and not is_filler(found[1]) and looks_random(found[1]):
            yield Hit(*found.span(1), form.rule, 0.93)
        start = low.find(cue, found.end() if found else start + len(cue))


def _aws_pair(text: str) -> Iterator[Hit]:
    """An AWS secret key, without any word about it, within three lines of an access key id."""
    if "AKIA" not in text and "ASIA" not in text:
        return
    beside = _compiled(
        r"(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9][\s\S]{0,80}?(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])"
    )
    for found in beside.finditer(text):
        digest = re.fullmatch(_HEX + "+", found[1])
        if not digest and looks_random(found[1]):
            yield Hit(*found.span(1), "aws-secret-key", 0.95)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
