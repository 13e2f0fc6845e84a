"""The plainest sentences of other languages that fill or end a slot: home, name, allergy, what one likes.

A sentence must be one of these from its first word to its last, so that a wish, a memory or somebody else is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

_X = r"(?P<value>[^\s,.;:!?。，、！？\d][^,.;:!?。，、！？]{0,24}?)"
_JA = r"(?P<value>[^\s、。はがをも]{1,12}?)"
_KO = r"(?P<value>[^\s,.]{1,12}?)"
_ZH = r"(?P<value>[^\s,.;:!?。，、！？的了想]{1,12}?)"


@dataclass(frozen=True, slots=True)
class Saying:
    """A whole sentence, the slot it speaks of, and how: it fills it, changes it, or ends it."""

    source: str
    attribute: str
    is_change: bool = False
    is_end: bool = False


def _is(attribute: str, *sources: str) -> tuple[Saying, ...]:
    return tuple(Saying(source, attribute) for source in sources)


def _becomes(attribute: str, *sources: str) -> tuple[Saying, ...]:
    return tuple(Saying(source, attribute, is_change=True) for source in sources)


def _ends(attribute: str, *sources: str) -> tuple[Saying, ...]:
    return tuple(Saying(source, attribute, is_end=True) for source in sources)


SAYINGS: Final = (
    *_is(
        "lives_in",
        rf"我(?:现在|目前|一直)?住在{_ZH}",
        rf"(?:私は|僕は|今は?)?{_JA}に住んでいます",
        rf"(?:저는|나는) ?(?:지금 )?{_KO}에 ?살(?:아요|고 있어요|고 있습니다|아|고 있다)",
        rf"j['’ ]?(?:habite|vis)(?: maintenant| actuellement)? (?:à|en|au|aux) {_X}|je vis(?: maintenant| actuellement)? (?:à|en|au|aux) {_X.replace('value', 'other')}",
        rf"(?:io )?(?:ora |adesso )?(?:vivo|abito)(?: ora| adesso)? (?:a|in|ad) {_X}",
        rf"(?:saya|aku) (?:sekarang )?tinggal di {_X}",
        rf"(?:yo )?(?:ahora )?vivo(?: ahora)? en {_X}",
    ),
    *_becomes(
        "lives_in",
        rf"我(?:最近|刚刚?|已经|上个?月|去年)?搬到了?{_ZH}了?",
        rf"(?:私は|僕は|先月|先週|最近)?{_JA}に引っ越し(?:ました|た)",
        rf"(?:저는|나는)? ?(?:최근에? |지난달에? )?{_KO}(?:으)?로 이사(?:했어요|했습니다|갔어요|왔어요|했다)",
        rf"j['’ ]?ai déménagé (?:à|en|au) {_X}|je me suis installée? (?:à|en|au) {_X.replace('value', 'other')}",
        rf"(?:io )?mi sono trasferit[oa] (?:a|in|ad) {_X}",
        rf"(?:saya|aku) (?:baru saja |sudah |baru )?pindah ke {_X}",
        rf"(?:yo )?me (?:he mudado|mudé|he trasladado|trasladé) a {_X}",
    ),
    *_ends(
        "lives_in",
        rf"我(?:已经)?(?:不再?住在{_ZH}了?)",
        rf"もう{_JA}に?は?住んでいません",
        rf"(?:저는|나는) ?(?:이제 |더 이상 ){_KO}에 ?살지 않(?:아요|습니다|는다)",
        rf"je n['’ ]?(?:habite|vis) plus (?:à|en|au) {_X}|je ne vis plus (?:à|en|au) {_X.replace('value', 'other')}",
        rf"(?:io )?non (?:vivo|abito) più (?:a|in|ad) {_X}",
        rf"(?:saya|aku) (?:tidak lagi|sudah tidak) tinggal di {_X}",
        rf"(?:yo )?ya no vivo en {_X}",
    ),
    *_is(
        "name",
        rf"我(?:叫|的名字(?:是|叫)){_ZH}",
        rf"(?:私の|僕の)名前は{_JA}です",
        rf"(?:제|내) 이름은 {_KO}(?:입니다|이에요|예요|이야)",
        rf"je m['’ ]?appelle {_X}|mon (?:nom|prénom) est {_X.replace('value', 'other')}",
        rf"(?:io )?mi chiamo {_X}|il mio nome è {_X.replace('value', 'other')}",
        rf"nama (?:saya|aku) (?:adalah )?{_X}",
        rf"(?:yo )?me llamo {_X}|mi nombre es {_X.replace('value', 'other')}",
    ),
    *_is(
        "allergic_to",
        rf"我对{_ZH}过敏",
        rf"(?:私は|僕は)?{_JA}アレルギー(?:です|があります)",
        rf"(?:저는|나는) ?{_KO} ?알레르기가 있(?:어요|습니다|다)",
        rf"je suis allergique (?:à la |à l['’]|aux? |à ){_X}",
        rf"(?:io )?sono allergic[oa] (?:all['’]|a(?:i|gli|lle|lla|l|llo)? ){_X}",
        rf"(?:saya|aku) alergi(?: terhadap)? {_X}",
        rf"(?:yo )?soy alérgic[oa] (?:al |a (?:la |las |los )?){_X}",
    ),
    *_ends(
        "allergic_to",
        rf"我(?:已经)?对{_ZH}(?:不再?过敏了?)",
        rf"もう{_JA}アレルギーでは?(?:ありません|ない)",
        rf"(?:저는|나는) ?(?:이제 |더 이상 ){_KO} ?알레르기가 없(?:어요|습니다|다)",
        rf"je ne suis (?:plus|pas) allergique (?:à la |à l['’]|aux? |à ){_X}",
        rf"(?:io )?non sono (?:più )?allergic[oa] (?:all['’]|a(?:i|gli|lle|lla|l|llo)? ){_X}",
        rf"(?:saya|aku) (?:tidak|sudah tidak|tidak lagi) alergi(?: terhadap)? {_X}",
        rf"(?:yo )?(?:ya )?no soy alérgic[oa] (?:al |a (?:la |las |los )?){_X}",
    ),
)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{source})[.。!！~]*", re.IGNORECASE)


def find(text: str) -> tuple[Saying, str] | None:
    """Return the saying that a sentence is, and its value; a speaker before a colon is passed over.

    >>> said = find("user: Je n'habite plus à Nantes.")
    >>> said and (said[0].attribute, said[0].is_end, said[1])
    ('lives_in', True, 'Nantes')
    """
    plain = re.sub(r"^[^:：\"]{1,40}[:：] ", "", text.strip())
    if len(plain) > 60:  # chosen: the plainest sentences are short
        return None
    for saying in SAYINGS:
        match = _compiled(saying.source).fullmatch(plain)
        if match:
            return saying, match["value"] or match.groupdict().get("other") or ""
    return None
