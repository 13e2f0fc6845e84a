"""French, Italian, Spanish and Indonesian words of time, and the cues of past and future.

Each row has the words of one idea; accents and apostrophes may be written in any way.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import TypeVar

from perdure.when.calendar import Part
from perdure.when.tense import Cues

K = TypeVar("K")

WEEKDAYS: Mapping[int, str] = dict(enumerate((
    "lundi|lunedì|lunes|senin", "mardi|martedì|martes|selasa", "mercredi|mercoledì|miércoles|rabu", "jeudi|giovedì|jueves|kamis",
    "vendredi|venerdì|viernes|jum'?at", "samedi|sabato|sábado|sabtu", "dimanche|domenica|domingo|hari minggu|ahad",
), 0))  # fmt: skip
MONTHS: Mapping[int, str] = dict(enumerate((
    "janvier|gennaio|enero|januari", "février|febbraio|febrero|februari|pebruari", "mars|marzo|maret", "avril|aprile|abril|april",
    "mai|maggio|mayo|mei", "juin|giugno|junio|juni", "juillet|luglio|julio|juli", "août|agosto|agustus",
    "septembre|settembre|septiembre|setiembre|september", "octobre|ottobre|octubre|oktober",
    "novembre|noviembre|november|nopember", "décembre|dicembre|diciembre|desember",
), 1))  # fmt: skip
UNITS = {
    "day": "jours?|giorn[oi]|días?|hari", "weekend": "week-?ends?|fine ?settimana|fin(?:es)? de semana|finde|akhir pekan|akhir minggu",
    "week": "semaines?|settiman[ae]|semanas?|minggu|pekan", "month": "mois|mes[ei]|mes(?:es)?|bulan",
    "year": "ans?|années?|ann[oi]|años?|tahun", "decade": "décennies?|decenni[oi]?|décadas?|dekade",
}  # fmt: skip
SEASONS = {
    "spring": "printemps|primavera|musim semi", "summer": "été|estate|verano|musim panas",
    "autumn": "automne|autunno|otoño|musim gugur", "winter": "hiver|inverno|invierno|musim dingin",
}  # fmt: skip
_COUNTS = (
    "un|une|uno|una|se|satu", "deux|due|dos|dua", "trois|tre|tres|tiga", "quatre|quattro|cuatro|empat", "cinq|cinque|cinco|lima",
    "six|sei|seis|enam", "sept|sette|siete|tujuh", "huit|otto|ocho|delapan", "neuf|nove|nueve|sembilan", "dix|dieci|diez|sepuluh",
    "onze|undici|once|sebelas", "douze|dodici|doce|dua belas", "treize|tredici|trece", "quatorze|quattordici|catorce",
    "quinze|quindici|quince|lima belas", "seize|sedici|dieciséis", "dix-sept|diciassette|diecisiete",
    "dix-huit|diciotto|dieciocho", "dix-neuf|diciannove|diecinueve", "vingt|venti|veinte|dua puluh",
)  # fmt: skip
_TENS = {30: "trente|trenta|treinta|tiga puluh", 40: "quarante|quaranta|cuarenta", 50: "cinquante|cinquanta|cincuenta"}
COUNTS = {**dict(enumerate(_COUNTS, 1)), **_TENS}
FEW = {
    5: "quelques|qualche|alcun[ie]|unos|unas|algunos|algunas|poch[ie]|pocos|pocas|beberapa|deux ou trois|due o tre|dos o tres",
    8: "plusieurs|divers[ie]|varios|varias|parecchi", 3: "un paio di|un par de",
}  # fmt: skip
SIDES = {
    -1: "derni[eè]re?|pass\\xe9e?|scors[oa]|passat[oa]|pasad[oa]|que pasó|(?:yang )?lalu|kemarin|kmrn",
    1: "prochaine?|prossim[oa]|ventur[oa]|che viene|próxim[oa]|que viene|entrante|(?:yang akan )?datang|depan|mendatang",
    0: "ci|ini|en cours|in corso",
}  # fmt: skip
SIDES_BEFORE = {
    -1: "scors[oa]|passat[oa]|pasad[oa]", 1: "prochaine?|prossim[oa]|próxim[oa]",
    0: "ce|cet|cette|quest[oae]|quest'|est[ea]|questi",
}  # fmt: skip
PORTIONS: dict[Part, str] = {
    "beginning": "début|inizio|inizi|principios?|comienzos?|inicios?|awal", "end": "fin|fine|final|finales|fines|akhir",
    "middle": "milieu|mi|metà|mediados|mitad|pertengahan",
}  # fmt: skip
FEASTS = {
    "christmas": "noël|natale|navidad|navidades|hari natal|natal", "christmas eve": "réveillon de noël|vigilia di natale|nochebuena|malam natal",
    "new year": "jour de l'an|nouvel an|capodanno|año nuevo|tahun baru", "new year eve": "saint-sylvestre|san silvestro|nochevieja|malam tahun baru",
    "easter": "pâques|pasqua|pascua|paskah", "valentine": "saint-valentin|san valentino|san valentín|hari valentine",
    "ferragosto": "ferragosto", "halloween": "halloween",
}  # fmt: skip
# the days next to today, longest first where one begins another
DAYS = {
    -3: "avant-avant-hier|tre giorni fa",
    -2: "avant-hier|l'altro ?ieri|altro ?ieri|avantieri|anteayer|antes de ayer|antier|kemarin lusa|kemarin dulu",
    -1: "hier|ieri|ayer|anoche|kemarin|tadi malam|semalam",
    0: "aujourd'hui|ce soir|ce matin|cet après-midi|cette nuit|oggi|stasera|stamattina|stamani|stanotte|questa (?:sera|mattina|notte)|"
    "questo pomeriggio|hoy|esta (?:noche|mañana|tarde)|hari ini|(?:malam|pagi|siang|sore) ini|(?:tadi|nanti) (?:pagi|siang|sore|malam)",
    1: "demain|domani|(?<!la )(?<!esta )(?<!cada )(?<!una )mañana|besok", 2: "après-demain|dopo ?domani|pasado mañana|besok lusa|lusa",
}  # fmt: skip
PART_OF_DAY = (
    "(?:(?:au |in | de| di| en)? ?(?:matin|soir|après-midi|midi|mattina|sera|pomeriggio|notte|pagi|siang|sore|malam)"
    "| (?:por|de|en) la (?:mañana|tarde|noche)| a mediodía)"
)


def loose(source: str) -> str:
    """Return a pattern's source whose letters match with and without their accents, and any apostrophe."""
    out: list[str] = []
    is_class = False  # within brackets already
    for char in unicodedata.normalize("NFC", source):
        is_class = char == "[" or (is_class and char != "]")
        plain = unicodedata.normalize("NFD", char)[0]
        forms = "'’" if char == "'" else char if plain in (char, "n") else char + plain
        out.append(forms if len(forms) == 1 or is_class else f"[{forms}]")
    return "".join(out)


def either(rows: Mapping[K, str]) -> str:
    """Return a pattern of all the words of some rows."""
    return "|".join(rows.values())


def key_of(word: str, rows: Mapping[K, str]) -> K:
    """Return the key of the row that a word stands in.

    >>> key_of("Agosto", MONTHS), key_of("miercoles", WEEKDAYS)
    (8, 2)
    """
    return next(key for key, row in rows.items() if _row(row).fullmatch(word))


@cache
def _row(row: str) -> re.Pattern[str]:
    return re.compile(loose(row), re.IGNORECASE)


@cache
def cues() -> Cues:
    """Return the cues of the four languages together, compiled at first use."""
    future = (
        r"\b(?:vais|vas|va|allons|allez|vont|voy|vamos|van|sto per|stiamo per) (?:à |a )?\w+(?:er|ir|re|oir|ar)\b"
        r"|\b\w+(?:erai|erons|eront|era|irai|ira|irons|iront|rò|rà|remo|ranno|aré|eré|iré|ará|erá|irá|dré|drá|remos|rán)\b"
        r"|\b(?:dois|doit|devons|faut|prévue?s?|rendez-vous|pars|part|partons|partent|reviens|revient|commence|arrive|arrivent)\b"
        r"|\b(?:devo|deve|dobbiamo|parto|partiamo|arriva|arrivano|torno|torna|comincio|inizia|previst[oa]|appuntamento|scade)\b"
        r"|\b(?:tengo|tiene|tenemos|debo|hay que|quiero|llega|llegan|salgo|salimos|empiezo|empieza|vuelvo|viajo|prevista?|cita|vence)\b"
        r"|\b(?:j'ai|nous avons|on a|ho|abbiamo|c'è|il y a) (?:un|une|una|uno|rendez-vous|rdv)\b"
        r"|\b(?:akan|mau|nanti|bakal|ingin|hendak|rencananya|berencana|harus|ada|jadwal|berangkat)\b"
    )
    past = (
        r"\b(?:ai|as|a|avons|avez|ont|suis|es|est|sommes|êtes|sont|ho|hai|ha|abbiamo|avete|hanno|sono|sei|è|siamo|siete|he|has|hemos|han) "
        r"(?:\w+ )?\w*(?:[éiu]e?s?|is|it|ert|fait|vu|at[oaie]|ut[oaie]|it[oaie]|s[oaie]|tt[oaie]|rt[oaie]|st[oaie]|ado|ido|cho)\b"
        r"|\b(?:étais|était|étaient|étions|avais|avait|avions|\w{2,}(?:aient|ait|ais)|era|erano|eravamo|\w+(?:[aei]v[ao]|[aei]vano|[aei]vamo))\b"
        r"|\b\w+(?:[éó]|aste|iste|imos|amos|aron|ieron|aba|aban|ábamos|ía|ían)\b"
        r"|\b(?:fui|fue|fuimos|fueron|hice|hizo|tuve|tuvo|estuve|estuvo|vine|vino|puse|dije|dijo|vi|vio|di|dio)\b"
        r"|\b(?:sudah|telah|tadi|kemarin|sempat|pernah|dulu|barusan|baru saja)\b"
    )
    recurring = (
        r"\b(?:chaque|tous les|toutes les|toujours|d'habitude|souvent|jamais|ogni|tutti i|tutte le|sempre|di solito|spesso|mai|cada|"
        r"todos los|todas las|siempre|suel[eo]|a menudo|nunca|setiap|tiap|selalu|biasanya|sering|anniversaire|compleanno|cumpleaños|"
        r"ulang tahun|née?|nat[oa]|nací|nació|nacid[oa]|lahir)\b"
    )
    return Cues(
        re.compile(future.replace("'", "['’]"), re.IGNORECASE),
        re.compile(past.replace("'", "['’]"), re.IGNORECASE),
        re.compile(loose(recurring), re.IGNORECASE),
        before=re.compile(loose(rf"(?:{_MOVED}|{_BY})$"), re.IGNORECASE),
    )


_MOVED = (
    r"\b(?:report|décal|repouss|déplac|avanc|fix|rinvi|spost|posticip|anticip|rimand|fissat|aplaz|pospu|pospo|mov|traslad|atras|"
    r"retras|adelant)\w*(?: \w+)?? (?:à|au|aux|pour|a|al|per|para|hasta)(?: le| la| il| el)? "
    r"|\b(?:diundur|ditunda|dipindah|dimajukan|mundur|dijadwalkan)\w*(?: \w+)?? (?:ke|sampai|menjadi|pada)(?: hari)? "
)
_BY = (
    r"\b(?:avant|d'ici|d'ici à|pour|entro|prima di|per|antes de|para|sebelum|paling lambat|untuk)(?: le| la| il| el| hari)? "
    r"|\b(?:antes del|prima del) "
)
