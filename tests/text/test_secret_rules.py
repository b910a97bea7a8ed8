"""The secret rules against their labelled corpus, near misses, disguises and hostile input."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from secrets_corpus import NEAR_MISSES, TEMPLATES, Planted, draw, ordinary_notes, planted_notes, sample

from mnemic.text.secret_rules import RULES, SecretFinding, find_secrets, redact

if TYPE_CHECKING:
    from collections.abc import Iterator

PLANTED = planted_notes()
ORDINARY = ordinary_notes()


def covered(note: Planted, findings: tuple[SecretFinding, ...]) -> bool:
    return all(any(f.start <= start and end <= f.end for f in findings) for start, end in note.spans)


def strangers(note: Planted, findings: tuple[SecretFinding, ...]) -> list[SecretFinding]:
    """Findings that touch nothing planted."""
    return [f for f in findings if not any(f.start < end and start < f.end for start, end in note.spans)]


def test_the_corpus_is_large_enough_to_measure_with() -> None:
    assert len(PLANTED) >= 250
    assert len(set(ORDINARY)) >= 400
    assert len([rule for rule in TEMPLATES if rule in RULES]) >= 40


def test_at_least_995_of_1000_planted_secrets_are_found() -> None:
    """Fresh draws: ten of each template, with another seed than the one in the other tests."""
    notes = planted_notes(seed=99, rounds=10)

    missed = [(note.rule, note.text) for note in notes if not covered(note, find_secrets(note.text))]

    assert len(missed) <= 0.005 * len(notes), missed


def test_at_least_99_of_100_findings_are_secrets() -> None:
    right = sum(covered(note, find_secrets(note.text)) for note in PLANTED)
    wrong = [(note.text, f.rule) for note in PLANTED for f in strangers(note, find_secrets(note.text))]
    wrong += [(text, f.rule) for text in ORDINARY for f in find_secrets(text)]

    assert right / (right + len(wrong)) >= 0.99, wrong


def test_every_rule_has_a_template_in_the_corpus() -> None:
    assert set(TEMPLATES) == set(RULES)


@pytest.mark.parametrize(("rule", "template"), [(rule, t) for rule, ts in TEMPLATES.items() for t in ts])
def test_every_rule_finds_its_own(rule: str, template: str) -> None:
    note = sample(rule, template, Random(1))

    found = find_secrets(note.text)

    assert covered(note, found)
    assert rule in {f.rule for f in found}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_every_rule_passes_what_nearly_has_its_form(rule: str) -> None:
    """An identifier, a public key, a sketch; for the rest, a key cut off after its prefix."""
    random = Random(2)
    texts = [draw(template, random) for template in NEAR_MISSES.get(rule, ())]
    if not texts:
        note = sample(rule, TEMPLATES[rule][0], random)
        start, end = note.spans[-1]
        texts.append(note.text[: start + min((end - start) // 3, 18)])

    assert [(text, f.rule) for text in texts for f in find_secrets(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "my password is hunter2",
        "Password: hunter2",
        "Das Passwort ist Sonne2024!",
        "пароль: Ромашка77",
        "パスワードはsakura2024です",
        "密码：Abc12345",
        "contrasen\u0303a: Gato2024",
        "le mot de passe est Soleil2024",
        "passphrase: correct horse battery staple",
        "PIN: 4821",
        "Password for 10.0.0.3 is Abcd1234",
        "wifi password: sunflower",
    ],
)
def test_named_passwords_are_found_in_many_languages(text: str) -> None:
    value = redact(text, find_secrets(text))

    assert "[redacted: pass" in value


@pytest.mark.parametrize(
    "text",
    [
        "the password is the name of my dog",
        "пароль — имя моей собаки",
        "パスワードは犬の名前です",
        "密码是我的狗的名字",
    ],
)
def test_a_remark_about_a_password_is_not_one(text: str) -> None:
    """Words cannot be told from a secret made of words; what is said in prose passes."""
    assert find_secrets(text) == ()


def test_a_finding_tells_what_and_where_but_never_the_value() -> None:
    note = sample("github-token", "ghp_{b62:36}", Random(3))

    (finding,) = find_secrets(f"use {note.text}!")

    assert (finding.rule, finding.start, finding.end) == ("github-token", 4, 44)
    assert finding.name == "GitHub token"
    assert finding.certainty > 0.9
    assert note.text[6:] not in repr(finding)


def test_redaction_keeps_the_text_around_and_names_the_rule() -> None:
    key = draw("sk_live_{b62:24}", Random(4))

    assert redact(f"a {key} b", find_secrets(f"a {key} b")) == "a [redacted: stripe-key] b"


def test_a_secret_uncovered_by_redacting_its_neighbour_is_found_too() -> None:
    """Glued to a first key the second one does not begin at a boundary; the marker gives it one."""
    random = Random(5)
    text = (
        draw("sk_live_{b62:24}", random)
        + "\n"
        + draw("AKIA{up:16}xprv{b58:107}", random)
        + draw("dapi{hex:32}", random)
    )

    assert find_secrets(redact(text, find_secrets(text))) == ()


@pytest.mark.parametrize("wrong", [(5, 5), (8, 4), (0, 99), (-1, 4)])
def test_findings_of_another_text_are_refused(wrong: tuple[int, int]) -> None:
    finding = SecretFinding("jwt", "signed JSON web token", *wrong, certainty=0.9)

    with pytest.raises(ValueError, match=r"overlaps|not in the text"):
        redact("a short text", [finding])


KEYS = st.builds(
    lambda seed, rule: draw(TEMPLATES[rule][0], Random(seed)),
    st.integers(0, 2**32),
    st.sampled_from(
        [
            "github-token",
            "anthropic-key",
            "stripe-key",
            "google-api-key",
            "npm-token",
            "slack-token",
            "sendgrid-key",
            "vault-token",
        ]
    ),
)
EDGES = st.sampled_from([" ", "\n", '"', "：", "「", "`", ",", "\t", "(", "\u200b ", "я ", "鍵"])


@given(before=st.text(max_size=200), left=EDGES, key=KEYS, right=EDGES, after=st.text(max_size=200))
def test_a_key_is_found_in_any_surroundings(before: str, left: str, key: str, right: str, after: str) -> None:
    # What follows at once may belong to the key: a line end with more of it, letters for its look-alikes.
    text = f"{before}{left}{key}{right} {after}"
    start = len(before + left)

    found = find_secrets(text)

    assert any(f.start <= start and start + len(key) <= f.end for f in found)


NOISE = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.sampled_from([note.text for note in PLANTED]),
        st.sampled_from(ORDINARY),
        st.sampled_from(
            [
                "password: ",
                "[redacted: jwt]",
                "[redacted: ",
                "Bearer ",
                "\u200b",
                "а",
                "：",
                "\n",
                "://a:",
                "@",
                "aws key ",
            ]
        ),
    ),
    max_size=6,
).map("".join)


@given(NOISE)
@example("password: ab[redacted: password]cd2")
@example("İpassword: hunter2")
def test_findings_are_ordered_apart_and_inside_the_text(text: str) -> None:
    found = find_secrets(text)

    edges = [edge for f in found for edge in (f.start, f.end)]
    assert edges == sorted(edges)
    assert all(0 <= f.start < f.end <= len(text) and 0 < f.certainty <= 1 for f in found)


@given(NOISE)
def test_a_redacted_text_holds_no_secret(text: str) -> None:
    clean = redact(text, find_secrets(text))

    assert find_secrets(clean) == ()
    assert redact(clean, find_secrets(clean)) == clean


@given(st.text(alphabet=st.characters(codec="ascii", categories=["Ll", "Zs"]), max_size=400))
def test_small_letters_without_a_word_for_a_secret_are_never_one(text: str) -> None:
    assume(
        not any(
            cue in text for cue in ("pass", "pw", "psw", "seed", "mnemonic", "has", "senha", "key", "token", "secret")
        )
    )

    assert find_secrets(text) == ()


HOSTILE = (
    "password ",
    "password: ",
    "passwordpassword",
    "://a:b",
    "://a:",
    "eyJ",
    "eyJa.",
    "-----BEGIN " + "PRIVATE KEY-----",
    "sk-",
    "xoxb-",
    "Bearer ",
    "aws key ",
    "heroku token ",
    "AKIA",
    "-----BEGIN ",
    "Private-Lines: 9\n",
    "seed phrase ",
    "word ",
    "a",
    "A1",
    "\u200b",
    "e\u0301",
    "аa",
    "\n",
    "abcdefgh1\nabcdef2",
    "LS0tLS1CRUdJTi",
    "basic ",
    "host=a ",
    "server=;password=",
    "curl -u a:",
    "user a password ",
    "\\n",
    "(",
    "a.b:",
    "[redacted: jwt]",
    "key: ",
    "パスワード",
    "пароль ",
    "MTA.",
    ":AA",
    "1:AA",
    "SG.",
    "-us",
    "=",
    '"kty""d":"',
    "token ",
)


def test_hostile_text_of_a_megabyte_takes_time_that_grows_with_its_length() -> None:
    """All patterns at once, in one process that is killed after 60 seconds; quadratic rules need hours for this."""
    program = (
        "import sys\nfrom mnemic.text.secret_rules import find_secrets\n"
        "for piece in eval(sys.argv[1]):\n    find_secrets(piece * (100_000 // len(piece)))\n"
        "find_secrets('password: a sk- Bearer ://a:b eyJ '.ljust(1_000_000, 'x'))\n"
    )

    done = subprocess.run([sys.executable, "-c", program, repr(HOSTILE)], timeout=60, check=False)

    assert done.returncode == 0


def lines_about_rules() -> Iterator[str]:
    page = Path(__file__).parents[2] / "docs/reference/secrets.md"
    rules = page.read_text("utf-8").partition("## Rules")[2]
    yield from (line for line in rules.splitlines() if line.startswith("| `"))


def test_the_reference_page_lists_every_rule_with_its_name() -> None:
    listed = {line.split("|")[1].strip(" `"): line.split("|")[2].strip() for line in lines_about_rules()}

    assert listed == RULES
