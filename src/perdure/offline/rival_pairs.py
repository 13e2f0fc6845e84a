"""Pairs of wordings that cannot both hold: what a memory says, and what replaces or ends it.  Data, read by `offline.rivals`.

"U" is the speaker.  Groups are named by a letter and perhaps a digit: of "x" and "k" both must name the same (the memory
anywhere, if its wording has none), of "v" both must name something, and not the same.
"""

from __future__ import annotations

from typing import Final

from perdure.offline.wordings import JOB

_N: Final = r"(?-i:(?!U\b)[A-Z][\w'-]*(?<!'s)(?: [A-Z][\w'-]*)*)"
_WORD: Final = r"(?!U\b)[\w'-]+"
_LATELY: Final = r"(?:now|these days|nowadays|from here on|from now on|going forward|instead)"
_PET: Final = r"\b(?:cats?|kitten|dogs?|puppy|hamster|rabbit|bunny|guinea pigs?|gerbils?|parrot|budgie|cockatiel|canary|goldfish|tortoise|turtle|snake|lizard|gecko|ferrets?|rats?|horse|pony|hens?|chickens?|goats?|ducks?)\b"
_STAFF: Final = r"(?:cleaner|gardener|nanny|babysitter|childminder|au pair|housekeeper|tutor|personal trainer|dog walker|driver|cook|bookkeeper|accountant|carer)"
_CLINIC: Final = r"(?:dentist|doctor|gp|optician|physio|hospital|vet|garage|clinic|hairdresser|barber|hygienist|midwife|chiropractor|podiatrist)"
_ROLE: Final = (
    r"(?P<x>captain|chair|president|secretar|treasurer|leader|governor|trustee|mayor|editor|organiser|organizer)"
)
_SCHOOL: Final = (
    rf"{_N} (?:Primary|School|Academy|Secondary|College|High|Nursery|Grammar|Infants|Juniors|Kindergarten|Middle)"
)
_HEIGHT: Final = r"(?P<v>\d ?(?:'|foot|ft|feet) ?\d{1,2})(?! in (?:heels|shoes|boots|U's))"
_SIGN: Final = r"(?P<v>aries|taurus|gemini|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces)"
_CLOCK: Final = r"(?P<v>\d{1,2}[:.]\d\d)"
_RIDE: Final = r"(?P<k>train|bus|ferry|tram|coach|flight)"
_POSITION: Final = r"(?P<v>goalkeeper|keeper|striker|defender|midfielder|winger|centre[- ]back|full[- ]back|left[- ]back|right[- ]back|hooker|prop|fly[- ]half|scrum[- ]half|pitcher|catcher|point guard|setter|goal attack|goal shooter|wing attack)"
_CAR: Final = r"(?:car|audi|bmw|ford|fiesta|focus|fiat|honda|hyundai|kia|mazda|mercedes|mini|nissan|micra|opel|vauxhall|corsa|astra|peugeot|renault|clio|seat|skoda|subaru|suzuki|tesla|toyota|yaris|volvo|volkswagen|vw|golf|polo|citro[eë]n|dacia|jeep|lexus|hatchback|estate|saloon|suv)"
PROVIDERS: Final = (
    r"ee|o2|vodafone|three|giff ?gaff|lebara|voxi|smarty|tesco mobile|sky mobile|id mobile|spusu|verizon|t-mobile|at&t|mint mobile|cricket|telekom|orange|telstra|optus|bell|rogers|telus",
    r"barclays|lloyds|hsbc|natwest|santander|monzo|starling|nationwide|halifax|revolut|tsb|first direct|metro bank|chase|wells fargo|citibank|bank of america|ing|n26|bbva|commerzbank|rbs",
    r"octopus|british gas|edf|e\.?on|ovo|scottish ?power|bulb|utilita|sse|so energy|good energy|ecotricity",
    r"aviva|admiral|churchill|direct line|axa|allianz|lv=?|hastings|esure|geico|progressive|state farm",
    r"bt|sky|virgin(?: media)?|talktalk|plusnet|zen|hyperoptic|comcast|xfinity|spectrum|community fibre",
)  # fmt: skip


def _provider(names: str) -> tuple[str, str]:
    turned = (
        r"(?:gone over|went over|switched|moved|ported|changed|transferred|jumped ship|defected|gone)(?: [\w' ]+?)?"
    )
    return (
        rf"^U\+?(?:'s)? .*?\b(?:on|with|at|is|uses?) (?P<v>{names})\b",
        (
            rf"\b{turned} to (?P<v>{names})\b|\b(?:everything|salary|all|direct debits|bills)[^.;]{{0,30}} (?:comes?|goes|come|go) (?:out of|into|through) (?P<v2>{names})\b"
            rf"|\bU\+? (?:is with|uses|banks with|is on) (?P<v3>{names}) {_LATELY}\b|\b(?P<v4>{names}) is U's (?:bank|network|provider|supplier) {_LATELY}\b"
        ),
    )


# Over: the memory, the statement.
OVER: Final[tuple[tuple[str, str], ...]] = (
    (_PET, rf"\b(?<!'s )(?P<x>{_WORD}) (?:has )?(?:died|passed away|was put (?:down|to sleep)|had to be put (?:down|to sleep)|had to be put to sleep|went over the rainbow bridge)\b(?! (?:down|laughing))"),
    (_PET, rf"^U\+? (?:sadly |finally )?lost (?P<x>{_WORD})(?= (?:on|in the night|last|this|yesterday|today)\b|,)(?!.*\b(?:found|back|turned up|again|game|match)\b)"),
    (r"\bU\b.*\b(?:together|(?:boy|girl)friend|partner|husband|wife|fianc[ée]e?|married|engaged|dating|going out|an item|relationship)\b",
     rf"\b(?:U and (?P<x>{_N})|(?P<x2>{_N}) and U) (?:has |have )?(?:recently |finally |just |sadly )*(?:split(?: up)?|broke up|broken up|parted|separated|got divorced|divorced|called it (?:a day|quits))(?=$|[,.;!]| (?:in|on|last|this|after|over|yesterday|weeks|months|for good|a (?:week|month|year|few|while))\b)"),
    (r"\b(?:lodger|tenant|flatmate|housemate|roommate|lives? with U|shares? .* with|U\+? lives? with)\b", rf"(?<!'s )\b(?P<x>{_WORD}) (?:has |have )?(?:just |finally )?moved out\b(?! of the way)"),
    (rf"^U\+? (?:has|have|employs?|uses?)(?: got)? an? (?:\w+ )?(?P<x>{_STAFF})\b", rf"\b(?:let (?:U's|their|the) (?P<x>{_STAFF}) go|(?:fired|sacked|dismissed|parted ways with) (?:U's|their|the) (?P<x2>{_STAFF}))\b"),
    (r"^U\+? \w+s\b", r"\bU's (?:time|days|stint|spell) (?:at|in|with|on) (?:the |an? )?(?P<x>[^,.;]+?) (?:is|are|has|have) (?:now )?(?:come to an end|over|done|finished|ended)\b"),
    (r"^U\+? \w+s\b", r"\blast (?:day|shift) (?:at|with) (?:the |U's )?(?P<x>[^,.;]+?) (?:was|today|yesterday|done|is done|on \d)\b"),
    (r"\b(?:pay(?:s|ing)|repay(?:s|ing)|owes|has)\b.*\b(?:loan|mortgage|debt|finance|overdraft|credit card)\b", r"\b(?:last|final) (?:instal?ment|payment|repayment) (?:on|of|for|towards) (?:the |U's )?(?P<x>[\w ]+?) (?:went|is|was|has|left|done|made|paid)\b|\b(?:paid|cleared|paid off) (?:the last of |off )(?:the |U's )?(?P<x2>[\w ]+?)(?=$|[,.!]| (?:today|yesterday|on|at last|last)\b)"),
    (r"\bsupports\b", r"\b(?:dropped|ended|removed|discontinued) support for (?P<x>[^,.;]+)"),
    (r"\b(?:training|registered|signed up|entered|running|preparing|taking part|competing|riding)\b", r"\b(?:pulled out|withdrew|withdrawn|dropped out) (?:of|from) (?:the )?(?P<x>[\w ]+)"),
    (r"^U\+? (?:is|has|have) ", r"^(?:U's |the )?(?P<x>(?:\w+ )?(?:leave|sabbatical|lease|tenancy|probation|placement|apprenticeship|secondment|notice period)) (?:is|has) (?:now |finally )?(?:up|over|done|finished|run out|ended|come to an end)\b"),
    (rf"^U is (?:an? |the )?{_ROLE}", rf"\b{_ROLE}\w*.*\bU has stepped down|\bU (?:has )?(?:stepped|stood) down as {_ROLE.replace('<x>', '<x2>')}"),
    (r"^U keeps? |^U\+? (?:has|have) ", r"\b(?:fox|mink|badger|hawk|dog|cat) (?:has )?(?:got|killed|took|ate|had) (?:all )?(?:of )?(?:the|U's) (?P<x>hens|chickens|ducks|rabbits|guinea pigs|geese)\b"),
)  # fmt: skip

# Otherwise: the memory, the statement.
OTHERWISE: Final[tuple[tuple[str, str], ...]] = (
    *(_provider(names) for names in PROVIDERS),
    (rf"\b(?P<x>{_N}) is in (?P<k>year|grade|form|class) (?P<v>\w+)", rf"\b(?P<x>{_N})(?: has| is)?(?: just| now)? (?:started|starts|gone (?:up )?(?:in)?to|moved (?:up )?(?:in)?to|went (?:up )?(?:in)?to|in) (?P<k>year|grade|form|class) (?P<v>\w+)"),
    (rf"\b(?P<x>{_N}) (?:goes to|attends|is at) (?P<v>{_SCHOOL})", rf"\b(?P<x>{_N}) (?:has )?(?:just )?(?:started|starts|moved) (?:at|to) (?P<v>{_SCHOOL})"),
    (r"^U's (?:monthly )?rent is \D{0,12}(?P<v>\d[\d,.]*)", r"\b(?:landlord|landlady|letting agent|agency|agent|council|housing association)s? (?:has |have )?(?:just )?(?:put|bumped|upped|raised|pushed|moved) (?:U\+?|the rent|it)(?: up| down)? to [£$€]?(?P<v>\d[\d,.]*)"),
    (r"^U's (?:salary|pay|wages?) is \D{0,12}(?P<v>\d[\d,.]*)", r"\b(?:boss|work|company|manager|HR|they) (?:has |have )?(?:just )?(?:put|bumped|raised|moved) (?:U|U's pay|U's salary|it)(?: up)? to [£$€]?(?P<v>\d[\d,.]*)"),
    (rf"^U's (?P<x>{_CLINIC})(?:'s)? (?:appointment|visit|check-?up|slot|booking) is (?:on |at |for )?(?P<v>.+)", rf"\b(?P<x>{_CLINIC})\b.*?\b(?:pushed|moved|put|shifted|bumped|rescheduled) U(?: back| forward)? to (?P<v>[^,.;]+)"),
    (rf"^U (?:takes?|gets?|catches) the {_CLOCK} {_RIDE}\b", rf"\b(?:it is|U takes?|U gets?|U catches|U is on) the {_CLOCK} {_RIDE} (?:for U|{_LATELY})\b"),
    (rf"\b(?P<x>\w+) insurance is with (?P<v>{_N})", rf"\b(?:renewed|insured|took out) (?:the |U's )?(?P<x>car|home|house|pet|travel)(?: insurance)? with (?P<v>{_N})"),
    (rf"^(?:U's )?(?:favou?rite )?team is (?P<v>{_N})|^U supports? (?P<v2>{_N})", rf"^U supports? (?P<v>{_N}) {_LATELY}\b|\b(?P<v2>{_N}), they are U's team {_LATELY}\b|\b(?P<v3>{_N}) (?:is|are) U's team {_LATELY}\b"),
    (rf"^U\+? drives? an? |^U\+? (?:owns?|has|have) an? (?:[\w-]+ ){{0,3}}(?P<k>{_CAR})\b", r"^U\+? (?:finally |just )?(?:picked up|collected|took delivery of|got) (?:the|U's) new (?:car|motor|wheels)\b.*\b(?:traded|old one|old car|part[- ]ex)"),
    (rf"^U's (?:surname|last name|family name)(?: is|'s) (?P<v>{_N})", rf"\b(?:taken|took) (?:[\w']+ )*?(?:sur|last |family )?name\b.*?\b(?:it|U|U's name)(?: is|'s)(?: now)? (?:Mrs |Mr |Ms |Dr )?(?P<v>{_N})"),
    (rf"^U (?:is|works? as) an? (?P<v>{JOB})\b", rf"^(?:U's |the )?first (?:day|week|month|shift) (?:as|working as|being) an? (?P<v>{JOB})\b"),
    (r"^U (?:is|works? as) a freelance", r"^U (?:has )?(?:gave up|given up|quit|stopped) freelancing\b|\bU (?:has )?(?:went|gone) (?:in-house|permanent)\b"),
    (rf"^U\+? (?:lives?|is based|are based) in (?P<v>{_N})", rf"\b(?P<v>{_N}) is (?:so |much |a lot |way |far )*\w+ compared (?:to|with) (?:the|U's) old (?:place|house|flat|home|town|city)\b"),
    (r"^U's e-?mail(?: address)? is (?P<v>\S+@\S+)", r"(?P<v>[\w.+-]+@[\w.-]+\w)\b.*\b(?:new (?:e-?mail|address)|going forward|from now on|from here on)\b"),
    (r"^U's (?P<x>[\w ]+?) (?:runs on|is on|uses|is hosted on|is running on) (?P<v>.+)", rf"^(?:U's |the )?(?P<x>[\w ]+?) (?:is on|runs on|uses|is hosted on|is running on) (?P<v>{_N}(?: [\d.]+)?) (?:as of|{_LATELY})\b"),
    (r"^U has (?:very |really )?long (?:\w+ )?hair\b", r"^U (?:has )?(?:chopped it all off|shaved U's head|cut (?:it all|U's hair) (?:off|short))|\bU has an? (?:pixie|buzz) cut now\b"),
    (r"^U\+? (?:lives?|shares? (?:an?|the) \w+) with ", r"^(?:U is )?living (?:on U's own|alone) (?:now|at last|again)\b|^U lives (?:alone|on U's own) (?:now|at last|again|these days)\b"),
    (r"^U eats? (?:\w+ )?meat\b", r"^U is (?:now )?(?:an? )?(?:vegan|vegetarian) (?:since|now|these days)\b"),
    (r"^U is on (?:the )?(?P<v>night|day|late|early)s?(?: shift)?\b|^U works? (?P<v2>nights|days|lates|earlies)\b", rf"\bU works? (?P<v>days|nights|lates|earlies) (?:starting|from|{_LATELY})\b|\bU is on (?P<v2>days|nights|lates|earlies) (?:starting|from|{_LATELY})\b"),
    (r"\bbedtime is (?:around |about |at )?(?P<v>[\w:]+)", r"\bU (?:has )?(?:switched to|started|now) (?:going|goes) to bed at (?P<v>[\w:]+)"),
    (rf"^U's (?:line )?(?:manager|boss|supervisor) is (?P<v>{_N})", rf"\bU (?:now )?reports? to (?P<v>{_N})(?: now| these days)?\b"),
    (rf"^U's (?:GP|doctor|dentist|consultant|therapist) is (?P<v>{_N})", rf"\b(?:assigned|moved|transferred|switched) U to (?P<v>Dr {_N})"),
    (r"\b(?:gym|works out|swims?|trains?|runs?|jogs?|exercises?)\b.*\b(?P<v>mornings?|evenings?|afternoons?|lunchtimes?)\b", r"\bU (?:only|now) (?:works out|swims?|trains?|runs?|jogs?|exercises?|goes to the gym) in the (?P<v>mornings?|evenings?|afternoons?)\b"),
    (r"^U takes? U's (?P<x>coffee|tea) (?P<v>with .+|black|white)", rf"\bit is (?P<v>black|white|unsweetened|sugarless|decaf) (?P<x>coffee|tea) for U {_LATELY}"),
    (r"^U (?:is studying|is reading|studies) (?P<v>[\w ]+?)(?: at\b.*)?$", r"\b(?:swapped|switched|changed) U's (?:degree|major|course) to (?P<v>\w+(?: (?!marine|and|because)\w+)?)"),
    (rf"^U plays? {_POSITION}\b", rf"\bU is an? {_POSITION} now\b"),
)  # fmt: skip

# Never so: the memory, the statement; the last only in a statement that says that something was wrong.
WRONG: Final[tuple[tuple[str, str], ...]] = (
    (rf"^U is {_HEIGHT}", rf"\bU is {_HEIGHT}"),
    (rf"^U is an? {_SIGN}\b", rf"\bU is an? {_SIGN}\b"),
    (rf"(?P<x>{_WORD}) (?:is|comes|came|was) from (?P<v>{_N})", rf"(?P<x>{_WORD})(?:'s| is| comes| came| was) from (?P<v>{_N})"),
    (rf"\b(?P<x>{_N}) is (?:studying|doing|reading) (?P<v>[\w ]+)", rf"\bwrong about (?P<x>{_N}), (?:he|she|they) (?:is|are) (?:studying|doing|reading) (?P<v>\w+)"),
)  # fmt: skip
