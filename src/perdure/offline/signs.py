"""Signs of what holds of somebody all the time, where it is only mentioned: "my inhaler", "my sponsor", "on warfarin".

Entries are separated by commas; "·" stands for any one word.  Our own lists; English.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from perdure.offline.tables import alternatives

# What somebody has, uses or goes to because of it: "my ...", "the user's ...", "his ..."
OWNED: Final = """
inhaler, inhalers, nebuliser, nebulizer, peak flow, epipen, epi-pen, epi pen, adrenaline pen, auto-injector, insulin,
insulin pump, insulin pen, insulin pens, glucose monitor, glucose meter, blood sugar, blood sugars, glucose tablets,
glucose sensor, test strips, libre, hypo, hypos, wheelchair, mobility scooter, rollator, zimmer frame, walking frame,
crutch, crutches, walking stick, cane, white cane, leg brace, knee brace, back brace, hearing aid, hearing aids,
hearing dog, cochlear implant, implant, interpreter, lip reading, guide dog, service dog, assistance dog, screen reader,
magnifier, braille display, eye patch, glass eye, stoma, stoma bag, colostomy bag, ostomy, catheter, feeding tube,
pacemaker, defibrillator, stent, stents, bypass, prosthesis, prosthetic, prosthetic ·, artificial ·, stump,
oxygen, oxygen tank, oxygen bottle, concentrator, cpap, cpap machine, compression stockings, medical bracelet,
medical alert bracelet, blue badge, disabled badge, disability allowance, carer, carers, dialysis, dialysis session,
chemo, chemotherapy, radiotherapy, infusion, infusions, transplant, donor kidney, remaining kidney, immune system,
blood thinner, blood thinners, inr, antihistamine, antihistamines, antidepressant, antidepressants, statins, lithium,
warfarin, metformin, methotrexate, steroids, beta blockers, thyroid pills, heart pills, anxiety meds, adhd meds, meds,
medication, seizure, seizures, aura, migraine, migraines, allergy, allergies, · allergy, asthma, asthma attack, eczema,
psoriasis, reflux, ibs, crohn's, colitis, flare, flare-up, flare-ups, arthritis, gout, sciatica, slipped disc,
scoliosis, fibromyalgia, endometriosis, ms, lupus, parkinson's, epilepsy, diabetes, vertigo, tinnitus, stammer, stutter,
dyslexia, dyscalculia, dyspraxia, adhd, autism, ocd, ptsd, tourette's, tics, anxiety, panic attack, panic attacks,
depression, insomnia, bipolar, eating disorder, phobia, · phobia, claustrophobia, fear of, stroke, heart attack,
heart surgery, hip replacement, knee replacement, new hip, new knee, bad knee, bad knees, bad back, bad hip, dodgy knee,
dodgy back, dodgy hip, colour blindness, color blindness, tunnel vision, macular degeneration, glaucoma, cataracts,
sponsor, aa meeting, aa meetings, na meeting, na meetings, sobriety, sobriety date, sober anniversary, recovery group,
relapse, rehab, home group, sober chip, gambling, support group, mosque, imam, synagogue, shul, rabbi, gurdwara, temple,
parish, priest, pastor, congregation, bible study, prayer, prayers, prayer mat, prayer group, rosary, hijab, niqab,
headscarf, turban, kippah, yarmulke, tallit, faith, religion, fast, baptism, iftar, seder, shabbat, sabbath, custody,
custody week, custody weeks, ex, ex-wife, ex-husband, late husband, late wife, late mother, late father, late mum,
late mom, late dad, late brother, late sister, newborn, night feeds, bump, due date, midwife, obstetrician, trimester,
first trimester, second trimester, third trimester, pregnancy, ivf, miscarriage, night shift, night shifts, shift work,
pronouns, transition, deadname, debts, overdraft, bankruptcy, payment plan, debt adviser, parole officer, probation,
ankle tag, work permit, asylum claim, green card, residence permit, driving ban, nut-free table, left aid, right aid, hearing test, other leg, good leg, good ear, good eye, bad ear, bad leg, harness,
eyesight, vision, gut, bowel, bladder, discs, joints, guts, throat, sinuses, blood pressure, cholesterol, heart medication,
visa, work visa, student visa, accent, mother tongue, curfew, fear, sleep apnoea, sleep apnea, chronic pain, pain clinic,
physio, physiotherapist, therapist, psychiatrist, counsellor, cardiologist, neurologist, oncologist, nephrologist, allergist
"""
# What is told of somebody by one word or a few, whoever has it
SIGNS: Final = """
coeliac, coeliacs, celiac, celiacs, gluten-free, gluten free, lactose-free, dairy-free, dairy free, nut-free, nut free,
nut allergy, · allergy, · allergies, allergic, allergist, epipen, epi-pen, anaphylaxis, anaphylactic, hives, vegan,
vegetarian, veggie, pescatarian, plant-based, keto, fodmap, diabetic, diabetics, type one, type 1, type two, type 2,
hba1c, hypo, hypoglycaemia, insulin, warfarin, apixaban, blood thinner, blood thinners, anticoagulant,
anticoagulants, metformin, methotrexate, prednisone, immunosuppressants, immunosuppressed, immunocompromised, lithium,
beta blocker, beta blockers, sertraline, antidepressants, levothyroxine, ventolin, salbutamol, inhaler, nebuliser, cpap,
methadone, naltrexone, asthmatic, asthmatics, asthma, wheezed, wheezing, copd, cystic fibrosis, dialysis, nephrologist,
chemo, chemotherapy, radiotherapy, oncologist, oncology, in remission, mastectomy, transplant, stoma, colostomy,
pacemaker, stent, bypass, cardiologist, cardiology, heart failure, arrhythmia, rheumatologist, neurologist,
endocrinologist, epileptic, epilepsy, seizure, seizures, migraine, migraines, vertigo, fibromyalgia, wheelchair, crutches,
rollator, stairlift, amputated, amputee, amputation, prosthetic, prosthesis, paralysed, paralyzed, deaf, hearing aid,
hearing aids, cochlear, lip-read, lip-reading, lipread, sign language, bsl, guide dog, assistance dog, service dog,
white cane, braille, screen reader, partially sighted, blind in, legally blind, colour blind, color blind, colour-blind,
color-blind, colourblind, colorblind, colour blindness, color blindness, colourblindness, dyslexic, dyslexia, adhd,
autistic, autism, asperger's, sensory overload, stammer, stutter, tourette's, ptsd, flashbacks, two tours, three tours,
panic attack, panic attacks, agoraphobia, arachnophobia, claustrophobia, claustrophobic, vertigo, sober, sobriety,
teetotal, alcoholics anonymous, gamblers anonymous, aa meeting, twelve steps, twelve-step, off the drink, off the booze,
off alcohol, dry january, mosque, friday prayers, jumu'ah, ramadan, iftar, suhoor, eid, halal, haram, hijab, kosher,
shabbat, shabbos, sabbath, synagogue, shul, passover, yom kippur, kippah, gurdwara, turban, puja, jehovah's witness,
jehovah's witnesses, kingdom hall, mormon, muslim, muslims, hindu, hindus, jewish, jews, sikh, sikhs, jain, jains,
buddhist, catholic, adventist, quaker, lent, communion, church choir, sunday mass, custody, co-parent, co-parenting,
single mum, single mom, single dad, single parent, at their dad's, at their mum's, at their mom's, at their father's,
at their mother's, at his dad's, at his mum's, at her dad's, at her mum's, newborn, night feed, night feeds,
breastfeeding, breast pump, breastmilk, pregnant, trimester, morning sickness, miscarriage, stillbirth, fertility clinic,
ivf, widow, widower, widowed, orphan, orphaned, estranged, bereavement, night shift, night shifts, on nights,
working nights, work nights, permanent nights, graveyard shift, they/them, she/they, he/they, ze/zir, mx, non-binary,
nonbinary, transgender, trans woman, trans man, debt collector, debt collectors, bailiffs, food bank, bankruptcy, insolvency,
in debt, debt plan, laid off, redundancy, universal credit, on benefits, pensioner, left-handed, left handed, lefty,
southpaw, seasick, carsick, airsick, motion sickness, travel sick, sea-sick, car-sick, pollen, hay fever, eczema,
psoriasis, latex, crohn's, colitis, ibs, endometriosis, arthritis, osteoporosis, sciatica, slipped disc, slipped discs, herniated,
scoliosis, hypermobile, ehlers-danlos, long covid, chronic fatigue, me/cfs, bipolar, insomnia, insomniac, narcolepsy,
no licence, no driving licence, never passed · driving test, lost · licence, licence form, medical licence, refugee, stateless, asylum, work visa, student visa, on a visa, text to speech, text-to-speech, speech to text,
subtitles on, bailiff, payday loan, one kidney, one eye, one arm, one leg, one ear, blood sugar, blood sugars, low sugar, braces,
chronic pain, scooter ramp, step-free, accessible toilet, disabled parking, disabled toilet, care home, dementia, alzheimer's,
intensive care, overdose, withdrawal, cravings, craving, nicotine patch, nicotine patches, quit smoking, stopped smoking, on the wagon, fell off the wagon, melanoma, leukaemia, lymphoma, tumour, biopsy,
statin, statins, anaemia, anaemic, iron tablets, iron infusion, hepatitis, hiv, jehovah's, witnesses, rebbe, kneel, evening prayers, one-armed,
one-handed, one-legged, stump, paraplegic, brain injury, concussion, lost my sight, lost his sight, lost her sight, driving ban, banned from driving,
shielding, afghanistan, iraq, helmand, army days, tour of duty, food intolerance, intolerance, intolerant, intolerances, rash, rashes
"""
# What somebody fears or cannot bear ...
FEARED: Final = """
spider, spiders, snake, snakes, rat, rats, mouse, mice, dog, dogs, alsatian, rottweiler, horse, horses, bird, birds, pigeon, pigeons, geese, swan, swans, goose,
seagull, seagulls, moth, moths, wasp, wasps, bee, bees, clown, clowns, needle, needles, injection, injections, jab,
blood, blood test, heights, height, balcony, ladder, ladders, glass floor, viewing platform, cliff, edge, rooftop, roof,
ski lift, chairlift, cable car, escalator, lift, lifts, elevator, elevators, tunnel, tunnels, cave, caves, mri, scanner, cupboard, basement,
crowd, crowds, crush, packed, tube, underground, metro, plane, planes, flight, flights, flying, take-off, takeoff,
turbulence, boat, boats, ferry, deep water, deep end, open water, sea, motorway, motorways, bridge, bridges, thunder,
thunderstorm, storm, dark, bang, bangs, fireworks, firework, balloon, balloons, backfired, car backfiring, loud noises, dentist, dentist's, heights and
"""
# ... and how it shows
SHOWN: Final = """
shaking, shook, shake, shakes, trembling, trembled, froze, freeze, frozen, panic, panics, panicked, panicking, screamed, scream,
screaming, cried, cry, crying, run out, ran out, hid, hiding, sobbed, sobbing, sweating, sweat, cold sweat, fainted, faint, fainting, passed out, pass out, hyperventilating,
hyperventilated, hyperventilate, couldn't breathe, can't breathe, knuckles, white-knuckled, jelly, eyes shut, eyes closed, under the table,
heart racing, heart was racing, heart pounding, heart was pounding, do not mix, don't mix, doesn't mix, terrified, terrifies, terrify, terror,
petrified, dread, dreading, freaks · out, freaked out, freaked · out, freak out, freak · out, lost it, went to pieces, meltdown, dizzy,
hit the floor, hits the floor, hit the deck, duck for cover, ducked, couldn't look, can't look, couldn't move, clammy, go to pieces,
burst into tears, had to get off, had to get out, had to be carried, had to be talked, talked · down, bolted, nightmares, throws up, threw up
"""
# Parts of the body that were mended for good, and how
_PART: Final = (
    r"(?:knees?|hips?|spine|back|ankles?|legs?|shoulders?|wrists?|discs?|vertebrae?|heart|valve|eye|foot|arm|hand)"
)
_MENDED: Final = r"(?:replac\w+|fused|fusion|screws?|titanium|metal|plates?|rods?|pins?|amputat\w+|operated on|surgery|reconstructed|rebuilt)"
_WHOSE: Final = r"(?:\b[Mm]y|\b[Oo]ur|\b[Hh]is|\b[Hh]er|\b[Tt]heir|\w['’]s)"
# What somebody does not go back on, in the first person or in the third
_RULE: Final = (
    r"\bnon-?negotiable\b|\bon principle\b|\bas a (?:matter of principle|rule)\b|\bdeal-?breakers?\b|\bhard no\b"
    r"|\bunder (?:my|our|\w+['’]s|their) roof\b|\bnot in (?:my|our|\w+['’]s) (?:house|home|kitchen|car)\b"
    r"|\b(?:I|we|user) (?:won['’]t|will not|refuse to|refuses to|swore off|have sworn off|boycotts?|don['’]t do|doesn['’]t do|never)\b"
    r"|\b(?:I|user) (?:\w+ )?(?:never|can['’]t|cannot|don['’]t|doesn['’]t) (?:ever )?(?:drink|eat|drive|fly|swim|smoke|sleep|touch|take|wear|celebrate|see|hear)\b"
    r"|\b(?:haven['’]t|hasn['’]t|have not|has not|not|don['’]t|doesn['’]t|never) (?:spoken|spoke|speak|talked|talk|been speaking|on speaking terms)\b.{0,40}\b(?:mother|father|mum|mom|dad|parents|brother|sister|son|daughter|family|ex)\b"
    r"|\b(?:cut|cuts) (?:off |all )?(?:contact|ties) with\b|\bno contact with\b"
    r"|\b(?:every other|alternate) (?:week|weekend|fortnight)s?\b"
    r"|\bsince (?:\w+['’]?s? ){0,4}(?:passed|died)\b|\b(?:husband|wife|mother|father|mum|mom|dad|son|daughter|brother|sister|partner)['’]?s? (?:has |had )?(?:passed|died|funeral|grave|ashes)\b"
    r"|\bstrikes? again\b|\b(?:clean|dry|off it|smoke-free) (?:for|since)\b|\bhaven['’]t (?:touched|had) a (?:drop|drink|cigarette|bet)\b"
    r"|\b(?:days|weeks|months|years) (?:sober|clean|dry)\b|\b(?:throat|lips|tongue|face|eyes) (?:closed|closes|closing|swelled|swells|swelling|swollen|itch\w*|stream\w*)\b"
    r"|\bswell(?:s|ed)? (?:right )?up\b"
    r"|\b(?:off|given up|gave up|giving up|quit) (?:the |all )?(?:fags|cigs|cigarettes|smokes|smoking|vape|booze|drink|bottle|beer|wine|sugar|meat|dairy|gluten|carbs|caffeine|coffee|weed|gear|pills|horses|slots|betting)\b"
    r"|\b(?:only|just) ever (?:buys?|eats?|drinks?|wears?|uses?|flies|fly|travels?|works?|sleeps?|shops?)\b|\b(?:is|are|was|were)(?: just)? (?:a|an absolute|a firm) (?:no|no-no|no-go) (?:from|for|with)\b"
    r"|\b(?:never|nothing|none|no \w+) (?:will|shall|goes|go|gets|comes|passes|crosses) (?:near|past|through|into|in|over|on)\b.{0,20}\b(?:me|my|our|user)\b"
    r"|\bnever (?:will|have|has|did|do|does|could|can)\b|\b(?:can['’]t|cannot|couldn['’]t) (?:do|cope with|deal with|handle|face|bear|stand|stomach|abide)\b|\bjust can['’]t\b"
    r"|\balways been (?:that way|like that|this way|like this)\b|\b(?:set|sets|knocked|knocks|laid|lays) (?:me|him|her|user|the user) (?:off|out)\b"
    r"|\b(?:put|puts|landed|lands|had|sent) (?:me|him|her|them|the user|user) (?:in|to|on) (?:the )?(?:hospital|a&e|er|icu|intensive care|ward|a drip|steroids|floor|bed|loo)\b"
    r"|\bthrows? up (?:on|in|at|from|whenever|when|if|every)\b|\bsugars? (?:was|is|were|at|dropped|crashed|went|low|high)\b"
    r"|\b(?:live|lives|stay|stays|staying|are|is) (?:with|at) (?:his|her|their) (?:mum|mom|dad|father|mother|other)\b"
    r"|\b(?:sundown|dusk|sunset)\b.{0,20}\bfridays?\b|\bfridays?\b.{0,20}\b(?:sundown|dusk|sunset)\b|\b(?:we|I|user|others) (?:\w+ )?(?:lost|buried|scattered) (?:my|our|their|his|her|the user['’]s)\b"
    r"|\bwithout (?:a|my|the user['’]s) (?:left |right )?(?:hand|arm|leg|foot|thumb)\b|\bcan['’]t (?:tell|see|hear|feel|smell|taste)\b"
    r"|\bwoke up on the floor\b|\b(?:like|tastes of|tastes like|licking|eating) soap\b|\bwhenever (?:there['’]s|there is|I|user|somebody|someone)\b"
    r"|\b(?:weeks|months|days) (?:old|pregnant|to go|along|post-op|after surgery)\b|\b(?:rods?|plates?|screws?|pins?) (?:in|along|through|down) (?:the|my|his|her|their)\b"
)
_PERSONAL: Final = re.compile(
    r"\b(?:I|I['’]m|I['’]ve|I['’]d|I['’]ll|me|my|mine|myself|we|we['’]re|us|our|user|user['’]s|his|her|their|him)\b",
    re.IGNORECASE,
)
_OWN: Final = re.compile(r"\b(?:I|I['’]m|I['’]ve|me|my|we|we['’]re|our)\b", re.IGNORECASE)
_USUAL: Final = re.compile(
    r"\bas (?:per )?usual\b|\bthe usual\b|\bper usual\b|\b(?:as|like) (?:always|ever|every time|every year)\b|\bstory of my life\b"
    r"|\bno matter what\b|\bevery (?:single )?(?:time|day|morning|night|evening|week|year|month|spring|summer|winter|\w+day)\b"
    r"|\b(?:always|never|anymore|any more|no longer|these days|nowadays|for good|for life|all my life|my whole life|in general)\b"
    r"|\bsince (?:the|my|that) \w+|\bthanks to (?:the|my|our)\b|\b(?:me|I) and (?:the )?\w+s\b|\bget(?:s)? used to\b|\bnot allowed\b"
    r"|\bfor (?:\w+ )?(?:years|decades|ages)\b|\bsince (?:19|20)\d\d\b|\bon the wagon\b|\b(?:weeks|months) (?:on|along|pregnant)\b"
    r"|\bas (?:a|an) (?:\w+ )?\w+ (?:I|we|you)\b|\bmy (?:\w+ )?(?:chest|throat|lips|tongue|skin|stomach|gut|lungs|airways|ears|eyes|heart|legs|knees?) (?:\w+ )?"
    r"(?:closed|closes|tightened|tightens|swelled|swell|itched|itches|burned|burns|raced|races|gave|gives|were|was|does|went|goes|like)\b",
    re.IGNORECASE,
)
_SAYS: Final = re.compile(r"^[^:]{1,30} says: ")
_ASKING: Final = re.compile(
    r"\?\s*$|^(?:what|which|who|whose|why|where|when|how|is|are|does|do|did|can|could|would|should|asking|asked|explain|recommend|suggest"
    r"|name|list|translate|write|draft|summari[sz]e|compare|turn|rewrite|proofread|convert|give|tell|define|find|book)(?:['’]s)?\b",
    re.IGNORECASE,
)
_BEING: Final = re.compile(r"\b(?:as an?|I['’]m(?: an?)?|I am(?: an?)?) (?:[\w-]+ )?\Z", re.IGNORECASE)


def is_personal(text: str) -> bool:
    """Return True for a statement about the one who speaks or theirs, or about anybody in the third person.

    >>> is_personal("Ana is a Sikh."), is_personal("The user says: Which church is oldest"), is_personal("Fog in Rome?")
    (True, False, False)
    """
    told = _SAYS.sub("", text)
    return _ASKING.search(told) is None and (told == text or _PERSONAL.search(told) is not None)


def is_mentioned(text: str) -> bool:
    """Return True for a statement that mentions what holds all the time, though it tells of one day.

    >>> is_mentioned("Chemo again today"), is_mentioned("The shop was empty again")
    (True, False)
    """
    if _ASKING.search(_SAYS.sub("", text)):
        return False
    return _signs().search(text) is not None or (
        _PERSONAL.search(text) is not None and (is_owned(text) or is_rule(text))
    )


def is_of_who_asks(text: str) -> bool:
    """Return True where the speaker's own aid, treatment or condition is named, though the text asks for something.

    >>> is_of_who_asks("Is mustard bad for my guide dog?"), is_of_who_asks("Is mustard bad for guide dogs?")
    (True, False)
    """
    if any(found.group().casefold().startswith(("my ", "our ")) for found in _owned().finditer(text)):
        return True
    return any(_BEING.search(text, 0, found.start()) for found in _signs().finditer(text))


def is_owned(text: str) -> bool:
    """Return True for a statement of somebody's aids, treatment, faith, losses or fears, as it is stored."""
    return is_personal(text) and (
        _owned().search(text) is not None or _feared(text) or _mended().search(text) is not None
    )


def is_rule(text: str) -> bool:
    """Return True for what somebody does not go back on."""
    return is_personal(text) and _rule().search(text) is not None


def is_usual(text: str) -> bool:
    """Return True for what somebody tells of themselves as nothing new.

    >>> is_usual("My ears popped, as usual"), is_usual("My ears popped")
    (True, False)
    """
    return is_personal(text) and _OWN.search(text) is not None and _USUAL.search(text) is not None


def vocabulary() -> str:
    """Return all the words of the signs, for looking them up."""
    return re.sub(r"[,·]", " ", f"{OWNED} {SIGNS}")


def _feared(text: str) -> bool:
    """True where something feared and how the fear shows stand together, the person among them."""
    return _shown().search(text) is not None and _fear().search(text) is not None and _PERSONAL.search(text) is not None


@cache
def _owned() -> re.Pattern[str]:
    return re.compile(
        rf"{_WHOSE} (?:(?!(?:and|or|for|of|in|to|is|was|the|a|an)\b)[\w-]+ ){{0,2}}?(?:{alternatives(OWNED)})(?![\w-])",
        re.IGNORECASE,
    )


@cache
def _signs() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{alternatives(SIGNS)})(?![\w-])", re.IGNORECASE)


@cache
def _fear() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives(FEARED)})\b", re.IGNORECASE)


@cache
def _shown() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives(SHOWN)})\b", re.IGNORECASE)


@cache
def _mended() -> re.Pattern[str]:
    return re.compile(
        rf"{_WHOSE} (?:[\w-]+ ){{0,2}}{_PART}\b[^.!?]{{0,25}}\b{_MENDED}\b|\b{_MENDED}\b[^.!?]{{0,25}}{_WHOSE} (?:[\w-]+ ){{0,2}}{_PART}\b",
        re.IGNORECASE,
    )


@cache
def _rule() -> re.Pattern[str]:
    return re.compile(_RULE, re.IGNORECASE)
