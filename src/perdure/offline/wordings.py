"""The table of slots and of the wordings that fill or end them: data, read by `offline.slots`.

A wording is matched where the predicate of a clause begins ("<live>" stands for live, lives and living; "{P}" for a
place, "{N}" for a name, "{T}" for a thing, "{S}" for the subject).  What it gives is written "slot=group": the slot is
filled with what the group holds ("value" where none is named); "-slot" ends that value, "-slot=*" whatever fills the
slot, "-slot:a|b" the values a and b.  "any" stands for every slot whose value can be switched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from perdure.offline.clauses import NAME

Rule = Literal["single", "marked", "many"]

# single: another value replaces the old one; marked: only in words of a change or a correction; many: never.
RULES: Final[dict[str, Rule]] = {
    "lives_in": "single", "works_at": "single", "job_title": "single", "studies_at": "marked", "age": "single", "name": "single",
    "goes_by": "single", "partner": "single", "coupled": "single", "uncoupled": "many", "jobless": "single", "birth_year": "single", "raised_in": "single", "diet": "single", "birthday": "single",
    "birthplace": "single", "date_of": "marked", "count_of": "single", "favourite": "single", "detail": "single", "relation": "single", "thing": "marked",
    "prefers": "many", "likes": "many", "dislikes": "many", "allergic_to": "many", "owns": "many", "has": "many", "speaks": "many",
    "eats": "many", "uses": "many", "weight": "single", "height": "single", "dose_of": "single", "signed_up_for": "many", "eats_only": "many", "studies": "many",
}  # fmt: skip
FIXED: Final = frozenset(
    ("birthday", "birth_year", "birthplace", "name", "blood_type", "mother_tongue", "native_language")
)  # only ever corrected
ONCE: Final = frozenset(  # what has one date: another one replaces it in plain words too
    f"date_of_{what}"
    for what in "wedding graduation funeral viva christening baptism due_date baby_shower surgery operation".split()
)
ALONG: Final = {"works_at": "job_title", "job_title": "works_at", "partner": "coupled"}  # what ends along with a slot
SETTLED: Final = frozenset(  # what "switched from X" does not end
    "lives_in likes dislikes prefers partner coupled uncoupled allergic_to speaks name goes_by age birthday birthplace".split()
)

_PLACE = r"(?:the )?(?P<value>[A-ZÀ-Þ][\w'.-]*(?:[ -](?:(?:de|la|of|the|du|di|upon|am|and) )?[A-ZÀ-Þ][\w'.-]*)*(?:, [A-ZÀ-Þ][\w.]*(?: [A-ZÀ-Þ]\w*)*)?)"
_STOP = (
    r"and|but|because|since|so|when|while|with|on|in|at|for|as|to|which|that|who|any|yesterday|today|tomorrow|last|next|this|from|named|called|every|than|most|right|"
    r"very|too|again|or|of mine|where|after|before|by|during|ago|daily|twice|if|until|though|although|over|more|better|rather|not|is|are|was|now"
)
THING: Final = rf"(?P<value>[\w'+#&.-]*[\w+#](?: (?!(?:{_STOP})\b)[\w'+#&.-]*[\w+#]){{0,4}})"
MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)(?!\w)"
)
_DAY = r"(?:the )?\d{1,2}(?:st|nd|rd|th)?"
DATE: Final = (
    rf"(?:(?:\w+day,? )?(?:{_DAY}(?: of)? {MONTH}(?:,? \d{{4}})?|{MONTH} {_DAY}(?:,? \d{{4}})?|{MONTH}(?: \d{{4}})?"
    r"|\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th))|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)"
)
CLOCK: Final = r"(?:\d{1,2}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o'clock)|\d{1,2}:\d\d|noon|midnight)"
_DIETS = r"(?P<value>vegan|vegetarian|veggie|pescatarian|pescetarian|flexitarian|omnivore|carnivore|meat[- ]eater)"
_REGIMES = r"(?P<value>keto|paleo|low[- ]carb)"  # one at a time, and some hold beside a diet
_RULES_OF_EATING = r"(?P<value>kosher|halal|gluten[- ]free|dairy[- ]free|lactose[- ]free|sugar[- ]free)"
_EATING = r"(?:<eat>|started eating|began eating|went back to eating|is back to eating|is back on|returned to eating|is eating)"
_BECOMES = r"(?:(?:is |are )?(?:became|become|becoming|went|go|going|gone|turned|switched to|went back to|started)(?: being| eating)?)"
MEATS: Final = "meat chicken beef pork steak bacon burgers lamb turkey ham".split()
FISHES: Final = "fish seafood salmon tuna sushi".split()
DAIRY: Final = "dairy eggs cheese milk honey butter".split()
JOB: Final = (
    r"(?:(?!(?:not|former|ex|retired|aspiring|wannabe|would-be|future|big|good|great|bad|terrible)\b)[\w-]+ ){0,3}?(?:CEO|CFO|CTO|COO|VP|GP|PM|DJ|accountant|agent|broker|bricklayer|brewer|caregiver|caretaker|courier|copywriter|decorator|diplomat|dispatcher|entrepreneur|executive|foreman|handyman|housekeeper|inspector|investigator|landscaper|locksmith|magician|mailman|mason|miner|minister|monk|nun|planner|podiatrist|postman|priest|policeman|policewoman|publicist|rabbi|ranger|rapper|referee|roofer|sculptor|stylist|teller|underwriter|vicar|\w+ologist|actor|actress|analyst|architect|artist|assistant|attorney|author|baker|banker|barber|barista|bartender|biologist|bookkeeper|builder|butcher|"
    r"carpenter|cashier|ceo|cfo|chef|chemist|cleaner|clerk|coach|composer|comedian|conductor|consultant|contractor|cook|counsell?or|cto|curator|dancer|dentist|"
    r"designer|developer|dietitian|director|doctor|driver|economist|editor|electrician|engineer|farmer|firefighter|flight attendant|fisherman|florist|freelancer|gardener|geologist|guide|"
    r"hairdresser|historian|illustrator|instructor|intern|interpreter|investor|janitor|journalist|judge|jeweller|laborer|lawyer|lead|lecturer|librarian|lifeguard|linguist|machinist|manager|marketer|"
    r"mathematician|mechanic|midwife|model|musician|nanny|notary|novelist|nurse|nutritionist|optician|optometrist|painter|paralegal|paramedic|pastor|pharmacist|photographer|"
    r"physician|physicist|physiotherapist|pilot|plumber|poet|police officer|officer|politician|postdoc|principal|producer|professor|programmer|psychiatrist|psychologist|realtor|"
    r"receptionist|recruiter|reporter|representative|researcher|sailor|salesperson|salesman|saleswoman|scientist|secretary|security guard|singer|social worker|soldier|sommelier|specialist|statistician|"
    r"strategist|student|supervisor|surgeon|surveyor|tailor|teacher|technician|therapist|tour guide|trader|trainer|translator|truck driver|tutor|vet|veterinarian|waiter|waitress|web developer|welder|writer|zookeeper)"
)
_RELATIVE = r"(?P<relation>husband|wife|partner|girlfriend|boyfriend|fianc[ée]e?|spouse|doctor|dentist|manager|boss|landlord|therapist|employer|hairdresser|accountant|lawyer|vet|mechanic|coach|trainer|physio|gp|roommate|flatmate)"
_PLAIN = (
    r"(?P<relation>phone number|mobile number|number|e-?mail(?: address)?|address|blood type|height|weight|salary|rent|budget|hometown|job title|mother tongue|native language|pronouns|"
    r"time zone|timezone|last name|surname|family name|maiden name|nickname|username|handle|shoe size|dress size|major|license plate|wi-?fi password)"
)
_BELONGING = r"(?P<relation>phone|car|bike|laptop|computer|tablet|camera|editor|ide|browser|bank|gym|school|university|college|insurer|internet provider|phone provider|carrier|email provider|password manager|os|operating system|search engine|note-taking app|streaming service|supermarket|airline|instrument|team|church)"
_COUNTED = r"(?P<noun>kids?|child|children|sons?|daughters?|brothers?|sisters?|siblings?|grandchildren|grandkids|grandsons?|granddaughters?|nieces|nephews|cats?|dogs?|pets?|chickens?|horses?|cars?|bikes?|bicycles?|motorcycles?|guitars?|tattoos?|houses|properties|jobs|roommates?|flatmates?|housemates?|cousins|aunts|uncles|employees|monitors)"
_COUNT = r"(?P<value>no|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3})"
_OWN = r"(?:{S}'s (?:own )?|the |his |her |their |my |our |both |all )"
_OVER = r"(?:broke up with|split up with|split up from|split with|split from|separated from|divorced|left|dumped|is divorced from|got divorced from|parted ways with|called it quits with|broke it off with|ended things with|ended it with|broke off (?:the|her|his|their|{S}'s) engagement (?:with|to)|called off (?:the|her|his|their|{S}'s) engagement (?:with|to)|called off the wedding with|finali[sz]ed (?:the|her|his|their|{S}'s) divorce from|is over)"
_LOVE = r"(?:husband|wife|partner|girlfriend|boyfriend|fianc[ée]e?|spouse)"
_OVER_EACH_OTHER = r"(?:broke up|broke it off|split up|split|separated|got divorced|is divorced|are divorced|divorced|got a divorce|parted ways|called it quits|called off (?:the|their|{S}'s) (?:engagement|wedding)|filed for divorce|broke things off|ended things|ended it|(?:is|are) (?:through|done|getting (?:a divorce|divorced)))"
_PARTED = "-partner; -coupled=*"
_GONE = r"(?:died|passed away|was put (?:down|to sleep)|is dead|is gone|is deceased|was run over|got run over|ran away(?! from)|flew away|escaped)"


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to say that a slot is filled or ends, and what marks it.

    change: the wording itself speaks of a change ("moved to").  weak: it replaces another value only in words of a
    change (a nurse may be a writer, too).  event: what it tells is worth keeping when it has ended the old ("retired").
    part: it leaves the rest of its group as it was ("promoted to" keeps the employer).  whole: matched against the
    clause with its subject.  own: of the speaker alone.  strict: nothing but a time may follow ("gave up coffee for
    Lent" ends nothing).  denial: read only where it is denied ("is no longer at Bosch").
    until: it ends on the day that the statement names, be that to come.
    """

    source: str
    gives: str
    marks: frozenset[str]


def _w(source: str, gives: str, marks: str = "") -> Wording:
    return Wording(source, gives, frozenset(marks.split()))


_YEARS = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_P, _N, _T, _J = _PLACE, rf"(?P<value>{NAME})", THING, rf"(?P<job>{JOB})"
_X = THING.replace("?P<value>", "?:")
_SORT = (
    r"(?: (?:hospital|clinic|surgery|school|college|university|library|museum|theatre|theater|bakery|caf[eé]|restaurant|bar|pub|hotel|bank|"
    r"council|airport|station|zoo|gallery|studio|brewery|bookshop|bookstore|garage|salon|gym|church|labs?|academy|institute|nursery|bookies|law firm))?"
)
_AT = rf"(?:the )?(?P<place>{NAME}{_SORT})"
_FIRM = rf"(?:the )?(?P<value>{NAME}{_SORT})"
DOSE: Final = r"(?:\d[\d.,]* ?(?:mg|mcg|µg|g|ml|milligrams?|micrograms?|units?|IU)(?: (?:once|twice|three times) (?:a|per) day| (?:a|per|every) (?:day|night|week)| daily| nightly)?)"
_DRUG = r"(?P<what>[a-zA-Z][a-z-]{3,}(?! (?:test|level|count)))"
_PUT_UP = r"(?:upped|increased|raised|doubled|bumped|put|moved|took|brought|reduced|lowered|cut|dropped|decreased|halved|switched|changed|tapered)"
_NEW = r"(?:new |current |present |latest )?"

WORDINGS: Final[tuple[Wording, ...]] = (
    # home
    _w(rf" (?:is )?(?:<live>|<reside>|has lived|have lived)(?: together| alone| full[- ]time)?(?: (?:on|at|with|by|near|in)(?: [a-z'-]+){{1,5}}?)? in {_P}", "lives_in"),
    _w(rf" (?:moved|relocated|emigrated|transferred)(?: back| over| house| home)* from (?:the )?(?P<before>[A-ZÀ-Þ][\w ]*?) to {_P}", "lives_in; -lives_in=before; -any=before", "weak"),
    _w(rf" (?:is|are) (?:based|settled|located) (?:out of|in) {_P}", "lives_in"),
    _w(rf" (?:ended up moving|moved|relocated|emigrated|immigrated|transferred|moved house|moved home)(?: back| over| out| down| up| in \d{{4}}| together| across the country| overseas| abroad| permanently)* to {_P}", "lives_in", "change"),
    _w(rf" (?:settled(?: down)?|resettled|put down roots|ended up living|<make> (?:{_OWN})?(?:new )?home|set up home) in {_P}", "lives_in", "change"),
    _w(rf" <call> {_P} home\b", "lives_in"),
    _w(rf" (?:made|has made) {_P} (?:{{S}}'s|his|her|their) (?:new |permanent )?home\b", "lives_in", "change"),
    _w(rf"'s (?:new )(?:home|house|flat|apartment|place|home base|base|home town|hometown|home city|city)(?: is|'s) (?:in )?{_P}", "lives_in", "change"),
    _w(rf"'s (?:home|house|flat|apartment|home base)(?: is|'s) in {_P}", "lives_in"),
    _w(rf"'s (?:new )?(?:home )?address(?: is|'s) in {_P}", "lives_in"),
    _w(rf"^{_P}(?: is|'s) (?:{{S}}'s (?:new )?home|where {{S}} <live>|home)\b(?: these days| now| base)*", "lives_in", "whole change"),
    _w(rf" (?:moved|relocated) (?:away |out )?(?:from|of) {_P}(?! to\b)", "-lives_in"),
    _w(r" <live> there(?P<value>)", "lives_in"),
    _w(rf" (?:is|are) (?:at|with) {_N}", "works_at", "denial"),
    _w(r" <work> there(?P<value>)", "works_at"),
    # work
    _w(rf" (?:is )?(?:<work>|<teach>) as (?:an? |the )?{_J} (?:at|for|with) {_AT}", "job_title=job; works_at=place"),
    _w(rf" (?:is )?(?:<work>|has worked|is employed|is an employee)(?: as (?:an? |the )?[\w ]+?)?(?: full[- ]time| remotely)? (?:at|for|by|of) (?:an? [\w -]{{2,25}}? (?:called|named) )?{_FIRM}", "works_at"),
    _w(rf" (?:started|began)(?: working| work| to work| an?(?: new)? (?:job|position|role)| {{S}}'s new (?:job|position|role)| as (?:an? )?[\w ]+?)* (?:at|for|with) {_FIRM}", "works_at", "change"),
    _w(rf" (?:got|took|found|landed|has|have|started) (?:an? |the |{{S}}'s )?(?:new |great |dream )*(?:job|position|role)(?: as (?:an? )?[\w ]+?)? (?:at|with) {_FIRM}", "works_at", "change"),
    _w(rf" (?:was|were|is|are|got) (?:re)?hired (?:by|at|on by) {_FIRM}", "works_at", "change"),
    _w(rf" (?:switched|changed|moved) (?:jobs|employers|companies)(?: from {NAME})? to {_FIRM}", "works_at", "change"),
    _w(rf" joined (?=[A-ZÀ-Þ][\w.& -]* as an? |the [A-ZÀ-Þ]\w+ team){_P}", "works_at", "change"),
    _w(rf"'s (?:new )(?:employer|company|workplace|job)(?: is|'s) (?:at |with )?{_N}", "works_at", "change"),
    _w(rf"'s (?:current )?(?:employer|workplace)(?: is|'s) (?:at |with )?{_N}", "works_at"),
    _w(rf" (?:is|are) (?:an? |the )?{_J} (?:at|for|with|of) {_AT}", "job_title=job; works_at=place", "weak"),
    _w(rf" (?:quit|left|resigned from|(?:was|were|got|is|are) (?:laid off|fired|let go|sacked) (?:from|by)|retired from|departed|handed in (?:{{S}}'s|his|her|their) notice at|got out of) (?:{{S}}'s |the |an? |his |her |their )?(?:old )?(?:job |position |role )?(?:at |with )?{_FIRM}(?! (?:at|early|late|around|without|with|alone)\b)", "-works_at"),
    _w(rf"'s (?:very )?last (?:working )?day (?:of work )?(?:at|with|in) {_N} (?:is|was) (?:on )?{DATE}", "-works_at", "event until"),
    _w(rf"^{DATE} (?:is|was) {{S}}'s (?:very )?last (?:working )?day (?:at|with|in) {_N}", "-works_at", "whole event until"),
    _w(rf" (?:is|are) (?:leaving|finishing at|finishing up at) {_N} on {DATE}", "-works_at", "event until"),
    _w(rf" (?:quit|lost|left|resigned from|gave up|walked away from) {_OWN}?(?:old |day )?(?:job|position|work|role|career|post) as (?:an? |the )?{_T}", "-job_title"),
    _w(rf" (?:quit|lost|left|resigned from) {_OWN}(?:old |day )?(?:job|position) (?:at|in|with) (?:an? |the )(?P<place>[a-z][\w -]*)", "-any=place"),
    _w(rf" (?:stepped down|stood down|resigned|retired) (?:from (?:being|work) )?as (?:an? |the )?{_J}(?: (?:of|at) {NAME})?", "-job_title=job", "event"),
    _w(rf" (?:quit|lost|left|resigned from|gave up|walked out of|handed in {_OWN}notice at) {_OWN}(?:old |day )?(?:job|position)(?P<value>)", "-works_at=*; -job_title=*"),
    _w(r" (?:retired|has retired|went into retirement|took early retirement|has gone into retirement)(?: from [\w ]+?)?(?P<value>)", "-works_at=*; -job_title:*", "event"),
    _w(r" (?:is|are|became) (?P<value>unemployed|out of work|out of a job|between jobs|jobless|retired)", "jobless; -works_at=*; -job_title=*"),
    _w(r" (?:was|were|is|got) (?:laid off|fired|let go|made redundant|sacked)(?P<value>)", "-works_at=*; -job_title=*", "event"),
    _w(rf"^(?P<value>{NAME}) (?:let {{S}} go|fired {{S}}|laid off {{S}}|laid {{S}} off|sacked {{S}}|dismissed {{S}})", "-works_at", "whole event"),
    _w(rf"^(?P<value>{NAME}) (?:re)?hired {{S}}", "works_at", "whole change"),
    _w(rf" (?:got|was|is|were|has been) (?:promoted|moved up)(?: from [\w -]+?)? to (?:an? |the )?{_T}", "job_title", "change part"),
    _w(rf" (?:is|are|got) (?:a |the )?{_J}", "job_title=job", "weak"),
    _w(rf" (?:is )?<work> as (?:an? |the )?{_T}", "job_title"),
    _w(rf" (?:became|become|is becoming|turned|retrained as|requalified as|trained as|qualified as|started (?:out |working |work |a new job |a job )?as|switched (?:careers )?to(?: being)?|changed careers to(?: become)?|took (?:a job|over|a position) as|got a (?:new )?job as|landed a job as|found (?:a job|work) as) (?:an? |the )?{_J}", "job_title=job", "change"),
    _w(rf"'s (?:new )(?:job|job title|position|role|profession|occupation|title)(?: is|'s) (?:as )?(?:an? |the |being an? )?{_J}", "job_title=job", "change"),
    _w(rf"'s (?:job|position|profession|occupation)(?: is|'s) (?:as )?(?:an? |the )?{_J}", "job_title=job"),
    # study
    _w(rf" (?:is )?(?:<study>|<attend>)(?: [a-z ]{{1,30}}?)?(?: at)? {_N}", "studies_at"),
    _w(rf" dropped out(?: of (?:college|uni|university|(?:[a-z]+ )?school|(?:the|{{S}}'s) [\w ]+?|{NAME}))?(?P<value>)", "-studies_at=*; -job_title:student; -studies=*", "event"),
    _w(r" (?:graduated(?: from [\w ]+?)?|(?:finished|completed|got|earned|received|defended) (?:{S}'s |the |his |her |their |an? )?(?:[\w']+ )??(?:degree|studies|phd|PhD|master's|masters|bachelor's|bachelors|thesis|dissertation|diploma|mba|MBA)(?: in [\w ]+?)?)(?P<value>)", "-studies_at=*; -job_title:student; -studies=*; -pursuing=*", "event"),
    _w(rf" (?:is )?(?:<study>|<major> in|majoring in|getting a degree in|doing a degree in|doing a PhD in) {_T}", "studies"),
    _w(r" (?:is )?(?:<do>|<pursue>|<work> on|<finish>|<get>) (?:{S}'s |an? )?(?P<value>(?:[\w']+ )??(?:degree|phd|PhD|master's|masters|bachelor's|mba|MBA|thesis|dissertation))", "pursuing"),
    # who
    _w(rf" (?:is|are) (?P<value>\d{{1,3}}|{_YEARS})(?: years old| years of age| year old|(?= now\b|[,.!;]|$))", "age"),
    _w(r" (?:turned|has turned|hit) (?P<value>\d{1,3})", "age", "change"),
    _w(r" celebrated (?:{S}'s|his|her|their) (?P<value>\d{1,3})(?:st|nd|rd|th) birthday", "age", "change"),
    _w(rf" changed (?:{{S}}'s|his|her|their) (?:first |full |legal )?name (?:from {NAME} )?to {_N}", "name", "change"),
    _w(rf"'s (?:full |real |first |actual |legal |correct )?name(?: is|'s) {_N}", "name"),
    _w(rf" (?:is|are) (?:called|named) {_N}", "name"),
    _w(rf" (?:<go> by|<prefer> to be called|<prefer> to go by) {_N}", "goes_by"),
    _w(r" is (?P<value>(?!\w+(?:an|ish|ese|ic|i)\b|(?:French|Dutch|Greek|Czech|Swiss|Welsh|Muslim|Buddhist|Hindu|Sikh|Jew|Aries|Taurus|Leo|Virgo|Libra|Scorpio|Pisces|Mormon|Aquarius|Catholic|Protestant|Baptist|Democrat|Christian|Black|White)\b)[A-ZÀ-Þ][a-zà-ÿ]+(?: [A-ZÀ-Þ][a-zà-ÿ]+)?)", "name", "weak own"),
    _w(rf"'s (?:actual |real )?birthday(?: is|'s) (?:on )?(?:the )?(?P<value>{DATE})", "birthday"),
    _w(rf" (?:was|were) born on (?P<value>{DATE})", "birthday"),
    _w(rf" (?:was|were) born(?: and raised)?(?: in \d{{4}})? in {_P}", "birthplace"),
    _w(r" (?:was|were) born in (?P<value>(?:19|20)\d\d)", "birth_year"),
    _w(rf" grew up in {_P}", "raised_in"),
    # couples
    _w(rf" (?:has|have) an? (?:husband|wife)(?:,? (?:named |called )?(?P<name>{NAME}))?(?P<value>)", "coupled:married; -uncoupled=*; partner=name"),
    _w(rf" (?:has|have|got|found|met) an? (?:new )?{_LOVE}(?:,? (?:named |called )?(?P<name>{NAME}))?(?P<value>)", "coupled:in a relationship; -uncoupled=*; partner=name"),
    _w(rf" &(?P<value>{NAME}) (?:is|are|got) (?:back )?(?:together|a couple|dating|an item)", "partner; coupled:in a relationship; -uncoupled=*"),
    _w(rf" (?:is|are|got) (?:re)?married to {_N}", "partner; coupled:married; -uncoupled=*"),
    _w(rf" (?:is|are|got) engaged to {_N}", "partner; coupled:engaged; -uncoupled=*"),
    _w(rf" (?:married|remarried) {_N}", "partner; coupled:married; -uncoupled=*", "change"),
    _w(rf" (?:(?:is|are) dating|(?:is|are) going out with|(?:is|are) in a relationship with|<date>) {_N}", "partner; coupled:in a relationship; -uncoupled=*"),
    _w(rf" (?:started dating|began dating|started seeing|started going out with|got together with|moved on with) {_N}", "partner; coupled:in a relationship; -uncoupled=*", "change"),
    _w(rf" (?:(?:is|are) (?:dating|seeing)|started (?:dating|seeing)|met) (?:an? (?:guy|girl|man|woman|boy)|someone|somebody) (?:named|called) {_N}", "partner; coupled:in a relationship; -uncoupled=*", "weak"),
    _w(rf" &(?P<value>{NAME}) (?:is|are|got|tied) (?:re)?(?:married|the knot)", "partner; coupled:married; -uncoupled=*", "change"),
    _w(rf" &(?P<value>{NAME}) (?:is|are|got) engaged", "partner; coupled:engaged; -uncoupled=*", "change"),
    _w(r" remarried(?P<value>)", "coupled:married; -uncoupled=*", "change"),
    _w(r" (?:is|are|got) (?:re)?(?P<value>married|engaged)(?! (?:to|before|once|twice|three)\b)", "coupled; -uncoupled=*"),
    _w(r" (?:(?:is|are) in a relationship|(?:is|are|has been|have been) (?:seeing|dating) (?:someone|somebody))(?P<value>)", "coupled:in a relationship; -uncoupled=*"),
    _w(r" (?:is|are|got|became) (?:newly |legally )?(?P<value>single|divorced|widowed|separated)(?: again)?", "uncoupled; -coupled=*; -partner=*"),
    _w(rf" {_OVER} {_N}", _PARTED, "event"),
    _w(rf" {_OVER} (?:{{S}}'s|his|her|their) (?:now-ex-|ex-)?{_LOVE}(?: {NAME})?(?P<value>)", "-partner=*; -coupled=*", "event"),
    _w(rf" &(?P<value>{NAME}) {_OVER_EACH_OTHER}", _PARTED, "event"),
    _w(rf" &[\w' ]+?'s {_LOVE} {_OVER_EACH_OTHER}(?P<value>)", "-partner=*; -coupled=*", "event"),
    _w(r" (?:got divorced|got a divorce|went through a divorce|got separated)(?P<value>)", "-partner=*; -coupled=*", "event"),
    _w(rf"'s {_LOVE} (?:{NAME} )?(?:died|passed away|left (?:{{S}}|him|her|them)|broke up with (?:{{S}}|him|her|them)|dumped (?:{{S}}|him|her|them))(?P<value>)", "-partner=*; -coupled=*", "event"),
    _w(rf"'s (?:marriage|relationship|engagement)(?: (?:with|to) {NAME})? (?:ended|is over|fell apart|was called off)(?P<value>)", "-partner=*; -coupled=*", "event"),
    _w(rf"^(?P<value>{NAME}) (?:left|dumped|divorced|broke up with|split up with) {{S}}(?! (?:alone|a |an |the |in |at |with |to ))", _PARTED, "whole event"),
    # food
    _w(rf" {_BECOMES} (?:an? |the )?(?:strict |strictly |fully )?{_DIETS}(?: diet| food)?", "diet", "change"),
    _w(rf" (?:(?:is|are|being|<keep>|<stay>)|<follow>|<eat>|<cook>) (?:an? |the )?(?:strict |strictly |mostly |fully )?{_DIETS}(?: diet| food)?", "diet"),
    _w(rf" {_BECOMES} (?:an? |the )?(?:strict |strictly )?{_REGIMES}(?: diet| food)?", "diet", "weak change"),
    _w(rf" (?:(?:is|are|being|<keep>)|<follow>|<eat>|<do>|<be> on) (?:an? |the )?(?:strict |strictly )?{_REGIMES}(?: diet| food)?", "diet", "weak"),
    _w(rf" (?:(?:is|are|being|became|become|becoming|went|go|going|gone|turned|<keep>)|<follow>|<eat>|<do>|<be> on) (?:an? |the )?(?:strict |strictly )?{_RULES_OF_EATING}(?: diet| food)?", "eats_only"),
    _w(rf" {_EATING} (?:some |a lot of |lots of |plenty of )?(?P<value>{'|'.join(MEATS)})(?: and \w+)?(?: again)?", "eats; !diet:vegan|vegetarian|veggie|pescatarian|pescetarian"),
    _w(rf" {_EATING} (?:some |a lot of |lots of |plenty of )?(?P<value>{'|'.join(FISHES)})(?: and \w+)?(?: again)?", "eats; !diet:vegan|vegetarian|veggie"),
    _w(rf" (?:<drink>|{_EATING}) (?:some |a lot of |lots of |plenty of )?(?P<value>{'|'.join(DAIRY)})(?: and \w+)?(?: again)?", "eats; !diet:vegan"),
    _w(r" (?:quit|gave up|dropped|abandoned|stopped|is done with) (?:being )?(?:an? |the |{S}'s )?(?P<value>vegan|vegetarian|pescatarian|flexitarian)(?:ism)?(?: diet| lifestyle| thing)?", "-diet"),
    _w(rf" (?:is|are)(?: \w+ly)? (?:allergic|intolerant) to {_T}", "allergic_to"),
    _w(r" (?:has|have|having|developed) an? (?:\w+ )??(?P<value>[\w-]+) (?:allergy|intolerance)", "allergic_to"),
    _w(r" (?:outgrew|got over|grew out of|lost|is over) (?:{S}'s|the|his|her|their) (?P<value>[\w -]+?) allergy", "-allergic_to"),
    _w(r"'s (?P<value>[\w -]+?) allergy (?:is gone|went away|disappeared|has gone|is cured|vanished|turned out to be (?:wrong|nothing|a misdiagnosis|false))", "-allergic_to"),
    # taste
    _w(rf" (?:<prefer>|<like>|<love>|<enjoy>) (?P<a>{_X}) (?:to|over|more than|better than|rather than|than) (?P<b>{_X})", "prefers={a} over {b}; -prefers={b} over {a}"),
    _w(rf" <prefer> {_T}", "prefers"),
    _w(rf" (?:<like>|<love>|<enjoy>|<adore>|(?:is|are) into|(?:is|are) fond of|(?:is|are) an? (?:\w+ )?fan of|(?:is|are) (?:crazy|mad|nuts) about|developed a taste for|(?:has |have )?(?:came|come|grew|grown|learned|learnt) to (?:love|like|enjoy)|fell in love with) (?!to\b){_T}", "likes; -dislikes"),
    _w(rf" (?:<dislike>|<hate>|<detest>|<loathe>|(?:cannot|could not) stand|cannot bear|(?:has |have )?(?:came|come|grew|grown) to (?:hate|dislike|loathe)) (?!to\b){_T}", "dislikes; -likes"),
    _w(rf"'s (?:new |current |all-time |absolute |present )*favou?rite (?P<relation>[a-z]+(?: [a-z]+){{0,2}}?)(?: is|'s| became| has become) (?:an? |the )?{_T}", "favourite"),
    _w(rf"^{_T} (?:is|became|has become) {{S}}'s (?:new |current |absolute )?favou?rite (?P<relation>[a-z]+(?: [a-z]+)?)", "favourite", "whole"),
    # doses
    _w(rf" (?:<take>|<be> on|started(?: on| taking)?|was put on|was prescribed|went (?:back )?on(?:to)?|<inject>) (?:{{S}}'s )?(?P<value>{DOSE}) (?:of )?{_DRUG}", "dose_of"),
    _w(rf" (?:<take>|<be> on|was put on|was prescribed) {_DRUG},? (?P<value>{DOSE})", "dose_of"),
    _w(rf"'s {_DRUG}(?: dose| dosage)? (?:is|was|went|has gone|has been|got)(?: put)?(?: {_PUT_UP})?(?: up| down| back)*(?: from [\w. ]+?)?(?: to| at)? (?P<value>{DOSE})", "dose_of", "change"),
    _w(rf"^[^,;]{{0,40}}?\b{_PUT_UP} {{S}}(?:'s)?(?: dose| dosage)?(?: up| down| back)*(?: from [\w. ]+?)? to (?P<value>{DOSE}) (?:of )?{_DRUG}", "dose_of", "whole change"),
    _w(rf"^[^,;]{{0,40}}?\b{_PUT_UP} (?:{{S}}'s |the )(?:(?:dose|dosage) of )?{_DRUG}(?: dose| dosage)?(?: up| down| back)*(?: from [\w. ]+?)? to (?P<value>{DOSE})", "dose_of", "whole change"),
    # races and courses
    _w(rf" (?:signed up for|signed up to|registered for|entered|enrolled (?:in|on|for)|got (?:a place|a spot|in) (?:in|on|for)) (?:the |an? |{{S}}'s )?{_T}", "signed_up_for"),
    _w(rf" (?:pulled out of|dropped out of|withdrew from|backed out of|bailed on|is out of|deferred) (?:the |{{S}}'s )?{_T}", "-signed_up_for; -any", "event"),
    # appointments
    _w(rf"'s (?P<what>[a-z][\w '-]{{2,40}}?) (?:(?:is|was|got|has been)(?: now)? )?(?:re-?scheduled|moved|postponed|pushed(?: back| out)?|delayed|brought forward|changed|put off|shifted|switched)(?: from [\w :]+?)? (?:to|for|until|till) (?P<value>{DATE}(?: at {CLOCK})?|{CLOCK})", "date_of", "change"),
    _w(rf" (?:moved|re-?scheduled|postponed|pushed(?: back)?|delayed|changed|shifted|switched) (?:{{S}}'s|the|his|her|their) (?P<what>(?!user's)[a-z][\w '-]{{2,40}}?)(?: from [\w :]+?)? (?:to|until|till|for) (?P<value>{DATE}(?: at {CLOCK})?|{CLOCK})", "date_of", "change"),
    _w(rf"'s (?!birthday)(?:new |next |upcoming )?(?P<what>[a-z][\w '-]{{2,40}}?) (?:is|will be|takes place|starts|begins|leaves|departs|arrives|lands|ends|is due|is scheduled|is set) (?:on |at |for |in )?(?P<value>{DATE}(?: at {CLOCK})?|{CLOCK})", "date_of"),
    _w(r"'s (?P<what>[a-z][\w '-]{2,40}?) (?:is|was|got|were|has been) (?:cancelled|canceled|called off|scrapped)(?P<value>)", "-date_of=*", "event"),
    _w(r" (?:cancelled|canceled|called off) (?:{S}'s|the|his|her|their) (?P<what>(?!user's)[a-z][\w '-]{2,40}?)(?P<value>)", "-date_of=*; -owns=what; -has=what; -any=what", "event"),
    # particulars
    _w(rf"'s {_NEW}{_RELATIVE}(?: is|'s) (?:called |named )?(?P<value>(?:Dr\.? )?[A-ZÀ-Þ][\w'-]*(?: [A-ZÀ-Þ][\w'-]*)?)", "relation"),
    _w(rf" (?:has|have|got) a new {_PLAIN}(?:,|:| -|, it is)? (?P<value>[^,;!?]+?)(?=$|[,;!?])", "detail", "change"),
    _w(rf"'s favou?rite (?P<relation>[a-z]+(?: [a-z]+){{0,2}}?) (?:used to be|was) {_T}", "-favourite"),
    _w(rf" (?:has|have|got|found) a new {_RELATIVE}(?:,| named| called|:) (?P<value>{NAME})", "relation", "change"),
    _w(r" <weigh> (?P<value>[\d.,]+ ?(?:kg|kilos|pounds|lbs|stone))", "weight"),
    _w(r" (?:is|are) (?P<value>[\d.,]+ ?(?:cm|m|meters|metres|feet|ft)(?: \d+)?) tall", "height"),
    _w(rf" (?:changed|switched|updated) (?:{{S}}'s|his|her|their|the) {_PLAIN}(?: from [^,;]+?)? to (?P<value>[^,;!?]+?)(?=$|[,;!?]|\.(?:\s|$))", "detail", "change"),
    _w(rf"'s {_PLAIN} (?:went up|went down|increased|decreased|rose|dropped|fell|grew|jumped|was raised|was lowered|was cut|is up|is down|changed|was changed)(?: from [^,;]+?)? to (?P<value>[^,;!?]+?)(?=$|[,;!?]|\.(?:\s|$))", "detail", "change"),
    _w(rf"'s (?:new ){_PLAIN}(?: is|'s) (?P<value>[^,;!?]+?)(?=$|[,;!?]|\.(?:\s|$))", "detail", "change"),
    _w(rf"'s (?:current |correct |actual )?{_PLAIN}(?: is|'s|: ?) ?(?P<value>[^,;!?]+?)(?=$|[,;!?]|\.(?:\s|$))", "detail"),
    _w(rf"'s (?:new ){_BELONGING}(?: is|'s) (?:an? |the )?(?P<value>(?:[a-z]+ )??[a-z]?[A-ZÀ-Þ][\w+-]*(?: [\w+-]+)?)", "thing", "change"),
    _w(rf"'s {_BELONGING}(?: is|'s) (?:an? |the )?(?P<value>(?:[a-z]+ )??[a-z]?[A-ZÀ-Þ][\w+-]*(?: [\w+-]+)?)", "thing"),
    _w(rf" (?:has|have|having|got|is raising|are raising|owns?|raises?) {_COUNT} {_COUNTED}", "count_of"),
    # switching
    _w(rf" (?:traded|swapped|exchanged) (?:{_OWN})?(?P<old>{NAME}) for (?P<new>{NAME})", "-lives_in=old; -any=old", "change"),
    _w(rf" (?:switched|moved|migrated|converted|changed|transitioned|upgraded|downgraded|swapped|jumped|defected|shifted|crossed over) (?:over |ship |back |{_OWN}[a-z]+ )?from (?:{_OWN}|an? |being an? )?(?P<old>{_X}) (?:over )?to (?:an? |the |being an? )?(?P<new>{_X})", "-any=old; uses=new", "change"),
    _w(rf" (?:switched|migrated|converted|changed|upgraded|downgraded|moved|went) (?:over )?to (?:an? |the )?(?P<new>{_X}) from (?:{_OWN}|an? )?(?P<old>{_X})", "-any=old; uses=new", "change"),
    _w(rf" (?:traded(?: in)?|replaced|swapped(?: out)?|exchanged|ditched|left|dumped|upgraded) (?!an? )(?:{_OWN})?(?:old )?(?P<old>{_X}) (?:for|with|in favou?r of|to) (?:an? |the |some )?(?:new |used )?(?P<new>{_X})", "-any=old; owns=new", "change"),
    _w(rf" sold (?!an? |some )(?:{_OWN})?(?:old )?(?P<old>{_X}) (?:for|to) (?:an? |the |some )?(?:{_X})", "-any=old", "change"),
    _w(rf" (?:<use>|<take>|<drink>|<eat>|<play>|<drive>|<ride>|<read>|<study>|<do>|<have>) (?:an? |the )?(?P<new>{_X}) (?:instead of|rather than|in place of|not) (?:an? |the |{{S}}'s )?(?P<old>{_X})", "-any=old; uses=new", "change"),
    _w(rf"(?=.* (?:instead of|rather than|in place of) ) (?:is |has been |have been )?[a-z]+(?:s|ing)\b(?!.*\b(?:today|tonight|this)\b)[\w' ]{{0,40}}? (?:instead of|rather than|in place of) (?:being )?(?:an? |the |{{S}}'s )?(?P<old>{_X})", "-any=old", "change strict"),
    # belongings
    _w(rf" (?:sold|gave away|got rid of|donated|threw (?:away|out)|returned|sent back|lost|scrapped|rehomed|pawned|totall?ed|crashed|recycled|parted with|gifted|traded in|had to put down|put down) {_OWN}?(?:old |last )?{_T}", "-owns; -has; -uses"),
    _w(rf" (?:owns?|owning|has|have|having|drives?) (?:the|an?|that|any) (?:new |used |pet )?{_T}(?: (?:named|called) (?P<name>[A-ZÀ-Þ]\w+))?", "owns"),
    _w(rf"'s (?P<value>[A-Za-z][\w -]{{1,25}}?)(?:,? (?P<name>[A-ZÀ-Þ]\w+),?)? (?:{_GONE}|(?:was|got) (?:stolen|totall?ed|destroyed|wrecked|sold|scrapped|written off))", "-owns; -has; -uses", "event"),
    _w(r"^(?P<value>[A-ZÀ-Þ]\w+)(?:, [\w' ]+,)? (?:died|passed away|was put (?:down|to sleep)|ran away)", "-owns", "whole event strict"),
    _w(rf" (?:owns?|bought|got|adopted|has|have|drives?|driving|rides?) (?:an?|two|three|some) (?:new |used |pet )?{_T}(?: (?:named|called) (?P<name>[A-ZÀ-Þ]\w+))?", "owns"),
    _w(r" <speak>(?: fluent)? (?P<value>[A-ZÀ-Þ][a-z]+)", "speaks"),
    _w(rf" (?:is )?(?:<use>|<rely> on) (?:an? |the )?{_T}", "uses"),
    _w(rf" (?:gave|threw|put) {_OWN}{_T} (?:away|out|down)", "-owns; -has"),
    # giving up
    _w(rf" (?:quit|gave up|dropped|stopped|cut out|went off|gone off|swore off|kicked|(?:is|are) done with|(?:is|are) through with|(?:is|are) over|(?:is|are) off|came off|got off|abandoned|lost interest in|got bored (?:of|with)|fell out of love with|grew out of|outgrew|broke the habit of|kicked the habit of|soured on|weaned (?:himself|herself|themselves) off|left|cancelled|canceled|deleted|unsubscribed from|uninstalled|turned off) {_OWN}?{_T}(?: habit| subscription| membership| account)?", "-any; -likes", "strict"),
    _w(r" gave birth(?P<value>)|'s (?:baby|son|daughter) (?:was|is) born(?P<value2>)", "-does:be pregnant; -does:be expect", "event"),
    # what was said
    _w(r"^(?:[Ff]orget|[Ii]gnore|[Dd]isregard|[Ss]cratch|[Dd]elete|[Ee]rase|[Nn]ever ?mind) (?:about )?(?:what|everything|all|anything|the thing|that) (?:that )?(?:{S} )?(?:said|told \w+|mentioned|wrote)(?: earlier| before)?(?: about| regarding| on) (?:{S}'s |the |my )?(?P<value>[^,.;!?]+)", "-said", "whole"),
)  # fmt: skip
