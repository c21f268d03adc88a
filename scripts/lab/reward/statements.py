"""Rules that a prompt or a README states in words: "only the last tag counts".

They are taken for declared, below a contract: where the reward does something else, the author has
promised one thing and pays another. English only; a contract says it for every language.

    stated("Only the last <answer> tag counts. Decimals are allowed.")
    # {"counts": Statement("last", "the last <answer> tag counts"), "decimal": ...}
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from lab.answers.articles import ARTICLE
from lab.answers.close_collections import ANY_ORDER
from lab.answers.forms import ANOTHER_ORDER, INLINE_FLAG, WITHOUT_ANCHORS

MOST = 20_000
"""Characters of a README that are read."""
COUNTED = (
    r"(?:\bcounts?\b|is (?:what )?(?:used|read|graded|scored|taken|considered|compared)"
    r"|will be (?:used|read|graded|scored|taken|considered))"
)
NOT_COUNTED = (
    r"(?:(?:is|are|will) (?:not|never) (?:be )?(?:graded|read|scored|counted|considered|looked at)"
    r"|does not count|do not count|doesn't count|(?:is|are) (?:ignored|stripped|removed|discarded))"
)
ANSWERS = r"(?:one|tag|answer|number|line|box|block|slot|value|label|letter|guess)s?"

IN_ONE_PLACE = r" (?:between|inside|within|in) (?:the|one|its|a|the same) (?:\w+ )?" + ANSWERS
"""A second number between the tags says how one place is read, and not how several are."""


@dataclass(frozen=True)
class Statement:
    value: str
    words: str
    """The sentence that states it."""


LAST_SIDE = "last side"
"""Of an equation in the answer's place: what is behind the sign counts."""
WRITTEN_SO = (
    r"\b(?:notation|written|accepted|allowed|understood|numbers?:|powers? of ten)[^\n]{0,160}?"
    r"\d ?[×x·*] ?"
)
"""What is said of how a number may be written, up to the sign before a power."""
RULES: tuple[tuple[str, str, str], ...] = (
    ("counts", "last", rf"\blast\b[^.?!\n]{{0,40}}{COUNTED}"),
    ("counts", "last", r"(?:only|just) (?:read|use|grade|count|compare)s? the last"),
    ("counts", "last", rf"\blast {ANSWERS} (?:replaces|wins)"),
    ("counts", "last",
     r"\b(?:earlier|previous|preceding) (?:ones?|tags?|answers?|numbers?|lines?|box(?:es)?|blocks?)"
     rf" {NOT_COUNTED}"),
    ("counts", "first", rf"\bfirst\b[^.?!\n]{{0,40}}{COUNTED}"),
    ("counts", "first", r"(?:only|just) (?:read|use|grade|count|compare)s? the first"),
    ("counts", "only",
     r"(?:more than one|two or more|several|multiple) (?:[`'\"]?</?\w+>[`'\"]? )?"
     r"(?:answers?|tags?|boxes|box|blocks?|slots?|answer lines?|of (?:them|these|those))"
     r"[^.?!\n]{0,30}"
     r"(?:wrong|refused|invalid|not accepted|rejected"
     r"|(?:scores?|earns?|returns?|gets?|receives?) (?:a )?"
     r"(?:0|zero|nothing|no (?:reward|credit)))"),
    ("counts", "only", rf"\b(?:no|never) {ANSWERS} twice"
     rf"|\ba second (?:\w+ )?{ANSWERS}(?!{IN_ONE_PLACE})[^.?!\n]{{0,60}}"
     r"(?:wrong|refused|invalid|void|loses?|not accepted|\b0(?:\.0)?\b|nothing)"),
    ("counts", "any",
     r"\benough (?:that|if|when) (?:any |at least )?one (?:of (?:them|these|those) )?(?:is|was)\b"
     r"|\b(?:the best|any one|one) of (?:them|these|those|the candidates) (?:counts|is enough)"),
    ("thinking", "ignored",
     rf"(?:reasoning|thinking|thoughts?|</?think>)[^.?!\n]{{0,60}}{NOT_COUNTED}"),
    ("thinking", "ignored",
     r"only the (?:answer|text|part|final answer) after the (?:reasoning|thinking)"),
    ("thinking", "ignored", r"after (?:the |its )?(?:reasoning|thinking)[^.?!\n]{0,20} counts"),
    ("tools", "required",
     r"(?:without|not)(?: first| having)? (?:a lookup|looking|looked|using|used|calling|called"
     r"|running|run|searching|searched)[^.?!\n]{0,60}"
     r"(?:not count|scores? 0|scores? nothing|earns? (?:0|nothing)|not paid|no credit|no reward)"),
    ("tools", "required",
     r"(?:that (?:was|were) not looked up|not looked up)[^.?!\n]{0,40}"
     r"(?:0|nothing|not count|no credit)"),
    ("tools", "required",
     r"\b(?:you )?must (?:first )?(?:call|use|query|consult) (?:the|at least)"),
    ("tools", "required", r"\b(?:tool|lookup|search)(?: call| use)? is (?:required|mandatory)"),
    ("partial", "graded",
     r"partial (?:credit|reward|score)|half (?:a |the )?(?:point|credit|reward)|quarter (?:of a )?"
     r"(?:point|credit)|in proportion|proportional|share of|fraction of (?:the )?"
     r"|\b(?:one|a|the) (?:step|level|grade|rung|notch|band)s? (?:\w+ ){0,2}"
     r"(?:off|away|above|below)\b"
     r"|\bneighbou?ring (?:step|level|grade|band|class|label)"
     r"|\bF1\b|Jaccard|overlap|graded on|(?:credit|reward|score) is graded|graded (?:credit|reward)"
     r"|(?:falls?|decreas\w+|drops?|declines?) (?:off )?linear|linearly|one point (?:per|for each)"
     r"|near miss"),
    ("length", "shorter",
     r"\b(?:long|longer|lengthy|length)\b[^.;?!\n]{0,40}"
     r"(?:earns? less|costs?|penal|reduc|lower|deduct|minus)"),
    ("decimal", "accepted",
     r"\bor (?:as )?(?:a |an )?(?:equivalent |equal )?decimal"
     r"|decimals? (?:number )?(?:is|are|may be|also) (?:also )?(?:allowed|accepted|fine|ok)"
     r"|fraction or (?:as )?(?:a )?decimal"
     r"|decimal or (?:as )?(?:a )?fraction|either (?:a |as a )?(?:fraction|decimal)"),
    ("thousands separator", "refused",
     r"(?<!or )\b(?:no|without|never|not) (?:a |any |use )?(?:thousands?|digit)[ -](?:grouping )?"
     r"separators?|\bno (?:thousands )?commas (?:in|inside) (?:the |a )?numbers?"),
    ("thousands separator", "accepted",
     r"thousands?[ -]separators?[^.?!\n]{0,60}(?:not matter|ignored|allowed|accepted|fine|ok)"
     r"|(?:with or without|ignor\w+) (?:thousands|commas)"),
    ("case", "ignored",
     r"case[- ]insensitive"
     r"|(?<!lower)(?<!upper)case[^.?!\n]{0,30} (?:does not|doesn't|do not) matter"
     r"|upper or lower case|ignor\w+ case"
     r"|(?:without regard to|regardless of|irrespective of) (?:upper or lower )?case"),
    ("case", "strict", r"case[- ]sensitive|exact case|(?:upper|lower)[- ]case only"
     r"|\b(?:is|are|in) (?:a )?capital letters?\b"),
    (ANOTHER_ORDER, "accepted", rf"{ANY_ORDER.pattern}|\bcompared as (?:a )?sets?\b"),
    (WITHOUT_ANCHORS, "accepted",
     r"(?<!not )(?<!not re\.)\bfull_?match\b|(?:anchors?|\^ and \$|\^\.\.\.\$)[^.?!\n]{0,30}"
     r"(?:not (?:needed|necessary|required)|unnecessary|optional|implied|implicit)"
     r"|(?:no|not need|n't need) (?:\w+ ){0,2}(?:anchors?\b|\^ (?:and|or) \$)"
     r"|\banchored (?:implicitly|automatically)"
     r"|(?:tried|tested|matched|applied|checked|compared) (?:on|against|to|with) "
     r"(?:the|each|every|a) (?:whole|entire|full|complete) (?:string|text|line|word|input)"),
    ("unit", "accepted",
     r"units? (?:is|are|may be) (?:also )?(?:allowed|optional|accepted|ignored|fine)"
     r"|with or without (?:the |a )?units?"),
    ("trailing zero", "refused",
     r"\b(?:more than (?:one|two|three|four|\d) decimals?\b[^.?!\n]{0,80}"
     r"(?:wrong|refused|invalid|not accepted|rejected|(?:earns?|scores?) (?:0|nothing))"
     r"|(?:at most|exactly|(?:no|not) more than) (?:one|two|three|four|\d) decimals?\b"
     r"|(?:right|exact|correct) to the (?:cent|penny)\b)"),
    (INLINE_FLAG, "refused", r"\b(?:no|without|not)\s+inline\s+flags?\b"),
    (INLINE_FLAG, "accepted",
     r"\binline\s+flags?\b|\bflags? (?:can|may) be given inline|\bexcept inline ones\b"),
    (LAST_SIDE, "read",
     r"\bequals? signs?\b[^\n]{0,80}?\b(?:after|behind|follows|right of) (?:the last one|the last"
     r"|it)\b[^.?!\n]{0,20}(?:counts?|read|used|taken|compared)"
     r"|\b(?:after|follows|behind|right of)\b[^.?!\n]{0,24}[`'\"“]?=[`'\"”]?(?: is| are|\W*$|[.,;])"
     r"|\b(?:part|side|what (?:is|stands)) left of the (?:first |last )?(?:equals sign|[`'\"]=)"
     r"[^.?!\n]{0,30}(?:not read|ignored|dropped|cut)"),
    (ARTICLE, "accepted",
     r"\b(?:articles?|artikel|art[ií]culos?|articol[oi]|artigos?|lidwoord(?:en)?)\b"
     r"[^?!\n]{0,160}?(?:\bmay\b|optional|ignored|dropped|removed|stripped|left out|not matter"
     r"|in front|\b(?:is|are|means?) the same|dürfen|darf|egal|weggelassen|keine rolle"
     r"|ignorier|ignor[eé]|facultati|opcional|facoltativ|puede|peut|pu[oò] |genegeerd|\bmag\b)"),
    ("power of ten", "accepted", rf"{WRITTEN_SO}10\^\{{?[-−]?\d"),
    ("superscript power", "accepted", rf"{WRITTEN_SO}10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]"),
    ("behind a helper", "accepted",
     r"\bhelper(?: function)?s?\b[^.?!\n]{0,80}\b(?:may|allowed|welcome|fine|ok|permitted)\b"
     r"|\b(?:may|can) (?:use|define|have|add|write) [^.?!\n]{0,40}\bhelper"),
    ("tolerance", "given", r"within \d|\btol[eé]ran[czt]|\btolleranza|±|up to \d+(?:\.\d+)? ?%"
     r"|rounded? to|relative (?:error|difference)|\d ?% off|допуск|погрешност|許容|誤差|误差"),
    ("around", "ignored",
     r"(?:text|words?|anything|everything|what(?:ever)?) (?:stands |comes |is )?"
     r"(?:around|after|before|behind|beside)[^.?!\n]{0,60}"
     r"(?:ignored|fine|allowed|not matter|n't matter|not count|not read|dropped|accepted)"
     r"|(?:may|can|could) (?:stand|be|appear|come|occur) anywhere in (?:the|your|a) "
     r"(?:reply|answer|response|text|message)"
     r"|(?:reply|answer|response|text|message) (?:only )?(?:has to|must|need only) contain"),
)  # fmt: skip
OF_THINKING = re.compile(r"</?think|reasoning", re.IGNORECASE)
"""A sentence about what follows the last end of thinking says nothing of several answers."""
OUTSIDE = re.compile(r"\boutside (?:of )?(?:the |any |all )?\W*(?:think|reason)", re.IGNORECASE)
SCOPED = re.compile(
    r"\b(?:in|for|bei|für|dans|pour|en|para|per|nelle?|bij|voor) "
    r"(?!(?:the|an?|your|each|every) (?:\w+ )?(?:answers?|repl(?:y|ies)|tags?|slots?|case)\b)"
    r"[\w -]{2,40},(?: (?:the|an?))? ?\Z",
    re.IGNORECASE,
)
"""What holds for some of the answers only: `in Italian dates, the article in front`."""
ORDER_KEPT = re.compile(
    r"\bin the (?:expected|right|correct|given|same|stated|proper|asked) order\b"
    r"|\bin the order (?:given|stated|asked)\b|\border (?:counts|matters)\b",
    re.IGNORECASE,
)
DENIED = re.compile(
    r"(?:\b(?:no|not|nor|neither|need|whatever)\b|n't\b)[^.;:,\n]*\Z", re.IGNORECASE
)
NOT_THAT = re.compile(r"(?:n't|not) counte?d?\b", re.IGNORECASE)
_COMPILED = [(name, value, re.compile(rule, re.IGNORECASE)) for name, value, rule in RULES]


def stated(*texts: str) -> dict[str, Statement]:
    """The statements of texts by what they speak of; the first that is found counts."""
    found: dict[str, Statement] = {}
    for text in (re.sub(r"(?<!\n)\n(?!\n)", " ", text) for text in texts):
        for name, value, rule in _COMPILED:
            for match in rule.finditer(text[:MOST]) if name not in found else ():
                said = _sentence(text, match.start(), match.end())
                thinking = OF_THINKING.search(said) and not OUTSIDE.search(said)
                unsaid = name == "counts" and (thinking or NOT_THAT.search(match[0]))
                some = name == ARTICLE and SCOPED.search(text[: match.start()][-60:])
                if not (unsaid or some):
                    found[name] = Statement(value, said)
                    break
    if ANOTHER_ORDER in found and any(map(_keeps_order, texts)):
        del found[ANOTHER_ORDER]  # free for some of the answers only, or for a part of each
    return found


def _keeps_order(text: str) -> bool:
    """Whether a text says of something that its order counts."""
    found = ORDER_KEPT.finditer(text[:MOST])
    return any(not DENIED.search(text[max(0, one.start() - 40) : one.start()]) for one in found)


def _sentence(text: str, start: int, end: int) -> str:
    left = max(text.rfind(mark, 0, start) for mark in (". ", "\n", "? ", "! ")) + 1
    stops = [i for mark in (". ", ".\n", "\n") if (i := text.find(mark, end)) >= 0]
    return " ".join(text[left : min(stops, default=len(text))].split())


TOLERATED = re.compile(
    r"(?:tolerance|Toleranz|tol[eé]ranc\w+|tolleranza|within|±|\+/-|off by (?:at most|up to)"
    r"|relative error(?: of)?)[^\d\n]{0,15}(?P<a>\d+(?:[.,]\d+)?) ?(?:%|percent\b|Prozent)"
    r"|(?P<b>\d+(?:[.,]\d+)?) ?(?:%|percent|Prozent) (?:relative )?"
    r"(?:tolerance|Toleranz|margin)"
    r"|(?:at most|up to|(?:no|not) more than) (?P<c>\d+(?:[.,]\d+)?) ?(?:%|percent) off\b",
    re.IGNORECASE,
)
BESIDES = re.compile(r"\babs\w*|\bat least|\bor\b|\bwhichever|\bmin", re.IGNORECASE)
"""Words of a sentence with a tolerance that name another one besides."""


def tolerance_of(*texts: str) -> float | None:
    """The share by which a number may be off, where the texts state one and no other besides."""
    found = {}
    for text in texts:
        for match in TOLERATED.finditer(text[:MOST]):
            if BESIDES.search(_sentence(text, match.start(), match.end())):
                return None
            found[float((match["a"] or match["b"] or match["c"]).replace(",", "."))] = True
    share = next(iter(found), 0.0) / 100
    return share if len(found) == 1 and 0 < share <= 0.2 else None


RANGE = re.compile(
    r"(?:^|(?<=[.!?:|*] )|(?<=\*\*)|\b(?:the|every|each|all|one|total|final) )rewards?\b\**"
    r"(?:,? (?:is|are|lies?|ranges?|stays?|always|a|one|number|value|`\w{1,30}`))*,?"
    r" (?:between|from|in|within) [`\[(]*(?P<low>[-−]?\d(?:\.\d+)?) ?"
    r"(?:to|and|,|…|–|-) ?(?P<high>\d{1,3}(?:\.\d+)?)(?!\d|[.,]\d| ?%)",
    re.IGNORECASE | re.MULTILINE,
)
"""Of the whole reward, and not of one called by a name: `The format reward is from 0 to 0.2`."""


def range_of(text: str) -> tuple[float, float] | None:
    """From where to where every reward is said to lie, where a text says it once."""
    found = RANGE.finditer(text[:MOST].replace("−", "-"))
    ends = {(float(match["low"]), float(match["high"])) for match in found}
    low, high = ends.pop() if len(ends) == 1 else (0.0, 0.0)
    return (low, high) if low < high else None


WORD_LIMIT = re.compile(
    r"(?:at most|(?:no|not) more than|more than|up to|max(?:imum)?(?: of)?|(?:fewer|less) than"
    r"|within|under|over|exceed(?:s|ing)?|longer than|\d ?(?:-|–|to|and)) ?(?P<a>\d+) words\b"
    r"|\b(?P<b>\d+) words? (?:at most|or (?:fewer|less)|max)",
    re.IGNORECASE,
)
COUNTED_WORDS = re.compile(
    r"(?<!\d)(\d+) (?:palavras|palabras|parole|mots|w[öo]rter[n]?|woorden|ord|sanaa|słów|slov|слов"
    r"|szó|szavas|từ|kelime|kata|शब्द(?:ों)?|λέξεις|كلمة)\b",
    re.IGNORECASE,
)
"""A number of words in another language: the phrase around it is not read."""
LEAST_LIMIT = 20
"""Words of a reply: a limit below is one of a name, or of a title."""


def most_words(*texts: str) -> int | None:
    """How many words a reply may have: the least limit that the texts state; None without one."""
    found = [int(m["a"] or m["b"]) for text in texts for m in WORD_LIMIT.finditer(text[:MOST])]
    found += [int(count) for text in texts for count in COUNTED_WORDS.findall(text[:MOST])]
    return min((most for most in found if most >= LEAST_LIMIT), default=None)


def readme_of(path: Path) -> str:
    """The README of an environment's folder or package; "" without one."""
    folder = path if path.is_dir() else path.parent
    for place in (folder, *sorted(p for p in folder.glob("*/") if (p / "__init__.py").is_file())):
        for name in ("README.md", "readme.md", "README.rst", "README.txt", "README"):
            file = place / name
            if file.is_file():
                try:
                    return file.read_text(encoding="utf-8", errors="replace")[:MOST]
                except OSError:
                    return ""
    return ""
