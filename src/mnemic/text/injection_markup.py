"""What speaks to a machine in a text: role tags, calls of tools, orders hidden in Markdown and HTML, leaking links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mnemic.text.injection_hidden import Found

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLACED = r"(?:user|conversation|chat|memor|secret|password|token|prompt|messages?|context|data|history|insert|key|api)"
_SHELL = r"(?:sudo\s{1,3}(?:-\w\s{1,3})?)?(?:ba|z|da|k)?sh\b"

_TAGS: Final = (
    (("<|",), r"<\|[a-z_]{3,30}\|>", "holds a role tag of a chat format"),
    (("inst]",), r"\[/?inst\]", "holds a role tag of a chat format"),
    (("sys>>",), r"<</?sys>>", "holds a role tag of a chat format"),
    (("_of_turn>",), r"<(?:start|end)_of_turn>", "holds a role tag of a chat format"),
    (
        ("system", "assistant", "instructions"),
        r"</?(?:system|assistant|system[_-]prompt|system[_-]message|system[_-]instructions?|instructions)>",
        "holds a tag that opens or closes a role",
    ),
    (("###",), r"(?:^|\n)#{2,4} ?(?:system|instructions?|response|assistant|human) ?:", "holds a heading of a prompt"),
    (
        ("system prompt", "system message", "system instruction"),
        (
            r"(?:^|\n)#{1,4} ?system (?:prompt|message|instructions?) ?:?\s{0,3}\n\s{0,4}you (?:are|must|have|will|"
            r"obey)\b"
        ),
        "holds a heading of a prompt",
    ),
    (
        ("role: system", "role:system"),
        r"(?:^|\n)[ \t-]{0,6}role: ?system\s{0,3}\n\s{0,6}content:",
        "plays a message of the system",
    ),
    (
        ("assistant:",),
        r"(?:^|\n)(?:human|user): ?[^\n]{1,300}\n{1,3}assistant:\s{0,5}$",
        "leaves the assistant's line open",
    ),
    (("[system",), r"\[system (?:override|message|prompt|note|notice|update)\]", "plays a message of the system"),
    (("](#",), r"\[(?:system|assistant)\]\(#", "holds a link that plays a role"),
    (
        ("begin", "start", "end"),
        r"\b(?:begin|start|end)(?: of)? (?:new )?system (?:message|prompt|instructions)\b",
        "holds the frame of a system message",
    ),
    (
        ("system:", "system :"),
        (
            r"(?:^|\n)[ \t>*_]{0,4}system[*_]{0,2} ?:[^\n]{0,200}?\b(?:you|must|operator|obey|ignore|policy|"
            r"authority|assistant|"
            r"user|rules?|instructions?|limits?)\b"
        ),
        "holds a line that plays the system",
    ),
    (
        ("assistant:",),
        (
            r"(?:^|\n)(?:human|user):[^\n]{0,200}\n{1,3}assistant:[^\n]{0,80}?\b(?:i will (?:now )?(?:share|send|"
            r"reveal|obey|comply|"
            r"do|delete)|passwords?|secrets?|token|here is the)\b"
        ),
        "holds a conversation that never was",
    ),
)
_CLOSERS: Final = re.compile(
    r"<(/?)(memory|memories|context|document|documents|tool_result|user_input|untrusted|retrieved)>"
)
_CALLS: Final = (
    (
        ('"name"', '"tool"', '"function"'),
        (
            r'"(?:name|tool|function)"\s{0,5}:\s{0,5}"[\w.-]{1,60}"\s{0,5},\s{0,5}"(?:arguments|input|parameters)"\s{0,5}:\s{0,5}[{"]'
            r'(?!\s{0,5}"type"\s{0,5}:\s{0,5}"object")'
        ),
        "holds the call of a tool",
    ),
    (("tool_call", "function_call"), r'"(?:tool_calls?|function_call)"\s{0,5}:', "holds the call of a tool"),
    (
        ("<tool", "<function", "<invoke", "</tool", "</function", "<antml"),
        r"</?(?:tool_calls?|tool_use|function_calls?|function_results?|invoke|antml:\w{1,20})\b[^>\n]{0,100}>",
        "holds the call of a tool",
    ),
    (
        ("memory_",),
        (
            r"\bmemory_(?:forget|write|read|search|review|"
            r"context)\s{0,3}\(\s{0,3}\{?\s{0,3}[\"']?\w{1,30}[\"']?\s{0,3}[=:]\s{0,3}[\"']"
        ),
        "holds the call of a tool",
    ),
    (
        ("action_input",),
        r"\"action\"\s{0,5}:\s{0,5}\"[\w.-]{1,60}\"\s{0,5},\s{0,5}\"action_input\"",
        "holds the call of a tool",
    ),
    (("action input:",), r"(?:^|\n)action: ?[\w.-]{1,60}\s{0,3}\naction input:", "holds the call of a tool"),
    (("tool_code", "call_tool("), r"```tool_code\b|\bcall_tool\(\s{0,3}[\"']", "holds the call of a tool"),
    (("functions.",), r"\bfunctions\.\w{1,40}\(", "holds the call of a tool"),
    (
        ("curl", "wget"),
        (
            rf"\b(?:agent|assistant|ai|llm|please|now|you must)\b[^\n]{{0,40}}?\b(?:run|"
            rf"execute)\b[^\n]{{0,20}}?\b(?:curl|wget)\b[^|\n]{{0,300}}\|\s{{0,3}}{_SHELL}"
        ),
        "has a program fetched and run",
    ),
    (
        ("curl", "| nc ", "wget"),
        (
            r"(?:\.ssh/|id_rsa|id_ed25519|\.aws/credentials|\.env\b|/etc/shadow|\bprintenv|\benv)[^\n|"
            r"]{0,60}\|\s{0,3}(?:curl|nc|wget)\b"
        ),
        "sends secrets of the machine away",
    ),
    (
        ("curl",),
        (
            r"\bcurl\b[^\n|]{0,200}?(?:-d|--data[\w-]{0,10}|-t|-f)\s{0,3}['\"]?(?:\w{1,20}=)?@[^\n|]{0,40}(?:\.ssh/|"
            r"id_rsa|credentials|\.env\b|shadow|passw)"
        ),
        "sends secrets of the machine away",
    ),
)
_LINKS: Final = (
    (
        ("![",),
        r"!\[[^\[\]\n]{0,200}\]\(\s{0,3}<?https?://[^)\s]{0,300}(?:[{\[]{1,2}|[$%]\{?[a-z_]|<)[^)\n]{0,80}\)",
        "has a picture loaded whose address is to carry something away",
    ),
    (
        ("http",),
        (
            rf"https?://[^\s)]{{0,300}}?[?&][\w-]{{1,30}}=(?:[{{\[<$]{{1,2}}|%7b)\s{{0,2}}"
            rf"(?:the )?(?:\w{{1,15}}[ _-])?{_PLACED}"
        ),
        "holds an address that is to carry something away",
    ),
    (
        ("http",),
        (
            r"https?://[^\s)]{0,300}?[?&][\w-]{1,30}=(?:base64_)?(?:[a-z0-9]{1,12}_){0,3}(?:of_)?(?:chat|"
            r"conversation|memories|prompt|passwords?)\b"
        ),
        "holds an address that is to carry something away",
    ),
    (
        ("data:text/html", "javascript:"),
        r"(?:\]\(|(?:src|href)\s{0,3}=\s{0,3}[\"']?)\s{0,3}(?:data:text/html|javascript:)",
        "holds a link that runs a program",
    ),
)
_HIDES: Final = (
    r"display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|opacity\s{0,3}:\s{0,3}0(?![.\d])|"
    r"font-size\s{0,3}:\s{0,3}[01](?![.\d])|"
    r"color\s{0,3}:\s{0,3}(?:white|#fff|transparent)|(?:left|top|text-indent)\s{0,3}:\s{0,3}-\d{3,5}|\shidden\b|"
    r"(?:height|width|max-height)\s{0,3}:\s{0,3}0(?![.\d])|\ssize\s{0,2}=\s{0,2}[\"']?0\b"
)
_CONTAINERS: Final = (
    (("<!--",), r"<!--((?:(?!-->).){0,2000})", "in an HTML comment"),
    (
        ("style", "hidden", "size"),
        rf"<\w{{1,20}}\b[^<>]{{0,200}}(?:{_HIDES})[^<>]{{0,200}}>([^<]{{0,1000}})",
        "in an element that is not shown",
    ),
    (
        ("alt=", "title=", "alt =", "aria-label"),
        r"\b(?:alt|title|aria-label)\s{0,2}=\s{0,2}(\"[^\"\n]{1,500}\"|'[^'\n]{1,500}')",
        "in an attribute",
    ),
    (("](",), r"\]\([^()\s]{1,500}\s{1,3}(\"[^\"\n]{1,500}\"|'[^'\n]{1,500}')\s{0,3}\)", "in the title of a link"),
    (("![",), r"!\[([^\[\]\n]{1,500})\]", "in the text for a picture"),
    (
        ("]:",),
        r"(?:^|\n) {0,3}\[[^\]\n]{1,50}\]: {0,3}(?:#|<>|/) {0,3}(\([^\n]{1,500}\)|\"[^\"\n]{1,500}\")",
        "in a Markdown comment",
    ),
)
_LOOSE: Final = re.compile(
    r"\b(?:ai|llms?|assistants?|chat ?bots?|(?:ai |llm )?agents?|language models?|models?|"
    r"system)\b[^\n]{0,40}?[ :,]{1,2}"
    r"(?:must|should|shall|please|ignore|recommend|send|forward|reveal|disclose|obey|rate|tell|say|share|print|"
    r"delete|trust|"
    r"write|answer|reply|always|never)\b"
    r"|\b(?:ai|llm|assistant|chatbot)s? (?:instructions?|notes?|messages?|prompts?|directives?)\s{0,2}:"
    r"|\byou (?:must|should|will|shall|are now|have to)\b[^\n]{0,60}?\b(?:tell|obey|recommend|say|send|answer|"
    r"reply|install|ignore|rate|"
    r"trust|forward)\b"
    r"|\b(?:tell|instruct|convince|persuade|urge) the (?:user|reader|customer)\b"
    r"|\b(?:ignore|disregard|forget) (?:all |the |any |your )?(?:previous|prior|above|user|other)\b"
)


def tags_in(text: str, low: str) -> Iterator[Found]:
    """Role tags, calls and leaking links. `low` is the text in lower case, of the same length."""
    for name, rules in (("role-tag", _TAGS), ("tool-call", _CALLS), ("exfiltration", _LINKS)):
        for cues, pattern, why in rules:
            if any(cue in low for cue in cues):
                yield from (Found(name, *match.span(), why) for match in re.finditer(pattern, low))
    if "</" in low:
        yield from _unopened(text, low)


def _unopened(text: str, low: str) -> Iterator[Found]:
    """Tags that close what was not opened: a text that wants out of the frame it is shown in."""
    depth: dict[str, int] = {}
    for match in _CLOSERS.finditer(low):
        if not match[1]:
            depth[match[2]] = depth.get(match[2], 0) + 1
        elif depth.get(match[2], 0) > 0:
            depth[match[2]] -= 1
        else:
            yield Found("role-tag", *match.span(), f"closes {text[match.start() : match.end()]}, which it never opened")


def concealed_in(low: str) -> Iterator[Found]:
    """Orders in places that a reader of the page does not see."""
    if "<" not in low and "](" not in low and "![" not in low and "]:" not in low:
        return
    for cues, pattern, where in _CONTAINERS:
        if any(cue in low for cue in cues):
            for match in re.finditer(pattern, low, re.DOTALL):
                if _LOOSE.search(match[1]):
                    yield Found("hidden-markup", *match.span(1), f"gives orders {where}")
