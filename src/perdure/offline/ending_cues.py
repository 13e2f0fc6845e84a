"""The words that say that something is over, replaced or moved, and those that say it is not so: data of `endings`.

An ending is tied to the kinds of memory that it can end: what is sold was owned, what healed was broken.
"""

from __future__ import annotations

from typing import Final

# Kinds of memory: what somebody does, is (a role, a member), has, likes, hates, suffers from; and "U's thing is so".
_DO, _BE, _HAVE, _LIKE, _HATE, _AIL, _THING = "do", "be", "have", "like", "hate", "ail", "thing"
_TASK, _POST = "task", "post"  # what comes to its end by itself; a place that somebody holds for the speaker
EVERY: Final = frozenset((_DO, _BE, _HAVE, _LIKE, _HATE, _AIL, _THING))

_BACK = r"(?:up|in|away|back|off|out|on the head|go|on|down)"

# What somebody did to the thing that follows; "~" stands for where the thing may stand inside ("packed ~ in").
DONE: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    (
        (
            r"gave up(?: on)?|given up(?: on)?|threw in the towel on|called time on|called it a day with|knocked ~ on the head|walked away from|"
            r"bowed out of|parted ways with|gave ~ up|given ~ up|moved on from|let go of|is done with|is through with|is finished with|is over with|shaved off|shaved ~ off|cut off|cut ~ off|chopped off|chopped ~ off"
        ),
        frozenset((_DO, _BE, _HAVE, _THING)),
    ),
    (
        (
            r"quit|dropped|dropped out of|ditched|dumped|jacked in|packed in|chucked in|packed up|jacked ~ in|packed ~ in|chucked ~ in|backed out of|pulled out of|opted out of|"
            r"(?:stepped down|stepped away|stepped back|stood down|resigned|retired)(?: from| as an?| as the| as)?|withdrew from|withdrawn from|"
            r"signed out of|handed in (?:U's|the) notice at|given in (?:U's|the) notice at|gave (?:U's|the) notice at|was kicked out of|got kicked out of|was kicked off|got kicked off|was thrown out of|"
            r"(?:was|got|has been) (?:let go|laid off|sacked|fired|dismissed|made redundant) (?:from|by|at)|lost (?:U's|the) (?:place|spot|seat) (?:in|on|at)|"
            r"swore off|sworn off|cut out|kicked|weaned (?:themselves )?off|came off|come off|(?:went|gone)(?: right| totally| clean)? off|got off|is off|abandoned|graduated from|hung up|laid down|retired|"
            r"fell out of love with|fallen out of love with|got out of|turned (?:U's|the) back on|handed over"
        ),
        frozenset((_DO, _BE)),
    ),
    (
        (
            r"(?:went|gone)(?: right| totally| clean)? off|fell out of love with|fallen out of love with|lost (?:all )?interest in|lost (?:the|U's) taste for|got tired of|gotten tired of|grew tired of|got bored of|got bored with|"
            r"got sick of|is sick of|is over|is bored of|is fed up with|got fed up with|grew out of|grown out of|outgrew|outgrown|turned against"
        ),
        frozenset((_LIKE, _THING, _DO)),
    ),
    (
        (
            r"(?:has )?(?:come|grown|learned|learnt|started|begun) to (?:like|love|enjoy|adore|appreciate)|came to (?:like|love|enjoy|adore|appreciate)|grew to (?:like|love|enjoy)|warmed to|"
            r"acquired a taste for|developed a taste for|fell in love with|fallen in love with|made (?:U's )?peace with|came (?:a)?round to|come (?:a)?round to|got to like"
        ),
        frozenset((_HATE,)),
    ),
    (
        (
            r"sold|sold off|sold on|flogged|got rid of|gave away|gave ~ away|given away|gave back|gave ~ back|donated|passed on|threw out|threw away|threw ~ (?:out|away)|scrapped|traded in|traded ~ in|"
            r"handed back|handed ~ back|handed over|handed in|returned|took back|took ~ back|sent back|sent ~ back|rehomed|parted with|wrote off|totall?ed|pawned|auctioned(?: off)?|binned|"
            r"let ~ go|said goodbye to|moved out of|gave notice on|auctioned"
        ),
        frozenset((_HAVE, _THING)),
    ),
    (r"paid off|paid ~ off|cleared|settled", frozenset((_HAVE, _THING))),
    (r"lost(?-i:(?= (?!U's)[A-Z]))|had to say goodbye to|had ~ put down|had ~ put to sleep|had to have ~ put down", frozenset((_HAVE, _THING))),
    (r"finished|completed|got to the end of|got through|wrapped up|finished (?:reading|watching|writing|playing|building|knitting)", frozenset((_TASK,))),
    (
        r"cancell?ed|called off|called ~ off|unsubscribed from|deleted|uninstalled|wiped|terminated|stopped paying for|let ~ lapse|discontinued|shelved|scrapped|axed",
        frozenset((_HAVE, _THING, _DO, _BE)),
    ),
    (
        (
            r"recovered from|got over|gotten over|overcame|overcome|beat|beaten|conquered|shook off|shaken off|is (?:fully |completely )?cured of|was cured of|got rid of|is free of|is clear of|"
            r"outgrew|outgrown|grew out of|grown out of|is rid of|is over|kicked|healed from|is no longer bothered by"
        ),
        frozenset((_AIL,)),
    ),
    (
        (
            r"replaced|swapped|swapped out|exchanged|traded|traded in|upgraded(?: from)?|switched from|switched away from|changed from|migrated from|migrated off|migrated away from|"
            r"moved off|downgraded from|phased out|ditched|dumped|retired|stopped using|dropped"
        ),
        frozenset((_DO, _HAVE, _THING)),
    ),
    (
        r"(?:could|can|would|will) (?:not|never) (?:go|see U going) back to|is never going back to|is not going back to|is never touching ~ again|has not (?:gone|looked) back to",
        frozenset((_DO, _HAVE, _THING, _LIKE)),
    ),
)  # fmt: skip

# What others did with it: "they let me go from the library", "they've scrapped the bus".
BY_OTHERS: Final = (
    r"they (?:have |had )?(?:just |finally |all |now )*(?:let U go from|kicked U out of|threw U out of|fired U from|cut U from|dropped U from|sacked U from|laid U off (?:from|at)|cancell?ed|"
    r"closed|closed down|shut|shut down|scrapped|axed|discontinued|withdrew|withdrawn|got rid of|abolished|stopped)"
)
# What takes the place of the thing, in words that name both.
REPLACING: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    (r"^(?:U\+? )?(?:has |have )?(?:just |finally |now )*(?:switched|changed|swapped|moved) (?P<x>(?!sides|minds|hands|gears|places|seats|subjects|topics|clothes|plans)[a-z]+s)$", frozenset((_DO, _BE, _HAVE, _THING))),
    (r"^(?:U\+? )?(?:has |have |had )?(?:just |finally |now )*(?:dyed|bleached|painted|repainted|coloured|colored|cut|chopped|turned) (?P<x>(?:the |all U's |U's )\w+) (?:all |bright |dark |light |very |really )*(?:short|long|black|white|red|blue|green|pink|purple|blonde?|brown|grey|gray|silver|orange|yellow|turquoise|teal|auburn|ginger|off)\b.*$", frozenset((_THING,))),
    (r"^.{2,50}? (?:has |have )?(?:put an end to|put paid to|spelled the end of|spelt the end of|was the end of|killed off|finished off) (?P<x>(?:U's|the) .+)$", frozenset((_DO, _BE, _THING))),
    (r"^.{2,40}? (?:has |have )?(?:replaced|overtaken|dethroned|knocked|beaten|superseded|taken over from|taken the place of|took over from|took the place of) (?P<x>(?-i:[A-Z](?!'))[\w' -]{1,40}?)(?: as (?:the )?.*| off .*)?$",
     frozenset((_DO, _BE, _HAVE, _LIKE, _THING))),
    (r"^U\+? (?=.*\b(?:now|these days|nowadays|lately)\b).{1,60}?\b(?:instead of|rather than|in place of) (?:using |taking |doing |going to |eating |drinking |wearing |playing )?(?P<x>.+?)(?: now| these days| nowadays| lately)?$",
     frozenset((_DO, _HAVE, _THING))),
    (r"^(?P<x>(?-i:[A-Z](?!'))[\w' -]{1,30}?) (?:has |have |'s )?(?:just |finally |recently )*moved out$", frozenset(("with",))),
)  # fmt: skip
# What ends only where the thing is a group, a post or a course: "left the choir", not "left the gym early".
LEFT: Final = r"left|finished|completed|wrapped up|disbanded|dissolved|folded|wound up|closed|closed down|shut|shut down|closed ~ down|shut ~ down|wound ~ up"
GROUPS: Final = frozenset(
    """
    choir orchestra band ensemble quartet trio team club group board council committee company firm party church army navy police force union society association
    job post role position industry agency department faculty crew squad league troupe band parish guild course degree programme program training apprenticeship
    internship traineeship placement treatment chemo therapy physio rehab probation diploma series novel book trilogy account shop store business practice studio
    restaurant cafe café bakery salon bar pub branch blog channel podcast newsletter page startup lab class scheme charity project
    """.split()
)

# What is said of the thing, which stands before it.
SAID_OF: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    (r"(?<!phone )(?<!laptop )(?<!battery )(?<!computer )(?<!car )(?:died|passed away|has died|has passed away)", frozenset((_HAVE,))),
    (r"(?:has |have |'s )?(?:left|retired|quit|resigned|moved on|moved away|stepped down|transferred|got promoted|been promoted|was fired|got fired|handed in (?:his|her|their) notice)", frozenset((_POST,))),
    (r"(?:is|are|was|'s) (?:finally |now |officially |well and truly |all )*(?:over|finished|no more|history|done|done with|at an end|dead and buried)|(?:came|has come|drew) to an end|ended|has ended|wrapped up|finished",
     frozenset((_DO, _BE, _THING))),
    (r"(?:folded|disbanded|broke up|split up|fell apart|fell through|went bust|went under|shut down|closed down|closed (?:its doors|for good)|shut for good|packed up|dissolved|went out of business)|(?:has|have) (?:folded|disbanded|broken up|split up|closed down|shut down|dissolved|gone bust)|(?:is|was|has been|got|'s) (?:now )?(?:disbanded|dissolved|closed down|shut down|closed for good|shut for good|scrapped|axed|wound up)",
     frozenset((_DO, _BE, _THING, _HAVE))),
    (r"(?:is|was|are|were|has been|have been|got|'s|'s been) (?:now |finally |all |just )*(?:called off|cancell?ed|scrapped|axed|dropped)|(?:is|'s) off|will not happen|is not happening|fell through|has fallen through",
     frozenset((_THING,))),
    (r"(?:has |have )?(?:expired|lapsed|ran out|run out)|(?:is|'s) (?:gone|expired|no more|sold|written off|history)|(?:is|was|got|has been|'s been|were) (?:sold|stolen|written off|scrapped|recycled|given away|totall?ed|replaced|donated|returned|towed away|repossessed|destroyed)|went to (?:U's |the |a )?(?:new |good |loving )*(?:niece|nephew|sister|brother|mum|mom|mother|dad|father|son|daughter|cousin|friend|neighbour|neighbor|charity|home|scrapyard|tip|dump|recycling|uncle|aunt|grandson|granddaughter|gran|nan|colleague|charity shop)|bit the dust|gave up the ghost",
     frozenset((_HAVE, _THING))),
    (r"(?:is|has|are|have|'s|was) (?:now |finally |completely |fully |all |totally |pretty much |been |just |quite )*(?:healed|healed up|mended|cured|better|cleared up|cleared|in remission|gone|fixed|back to normal|history|sorted|good as new|a thing of the past|behind U)|healed(?: up)?|mended|cleared up|went away|has gone(?: away)?|disappeared|stopped hurting|came off|does not (?:hurt|ache|bother U|frighten U|scare U|worry U|faze U|trouble U|hurt U)(?: at all)?|(?:has )?stopped (?:hurting|aching|bothering U|scaring U|frightening U)",
     frozenset((_AIL,))),
    (r"(?:has been|was|is|'s been|got) (?:dethroned|overtaken|replaced|superseded|knocked off the top spot|retired|kicked out|voted out|usurped|demoted)",
     frozenset((_THING, _LIKE, _DO, _BE, _HAVE))),
)  # fmt: skip

# The thing ends with what denies it: "no more X", "no longer in the X", "not a X any more".
DENIED: Final = (
    r"(?:U )?(?:is |was |has |are )?no longer (?P<x>.+?)|(?:there (?:is|are) |U has |it is )?no more (?P<x2>.+?)(?: for U| in U's life)?|"
    r"(?:U )?(?:is |was |does |do |has |are |have )?(?:not|never) (?P<x3>.+?) (?:any ?more|any longer)|U has (?:no|zero) (?P<x4>.+?) (?:any ?more|any longer)|"
    r"(?:that is|that's|it's|it is) (?:it|the end|goodbye|the last) (?:for|of|to) (?P<x5>.+?)|goodbye,? (?P<x6>.+?)|"
    r"U (?:did|has done|has had|played|gave|taught|went to|used|wore|took|smoked) (?:U's|the) (?:very )?last (?P<x7>.+?)|U used to (?P<x8>.+?)|"
    r"U (?:has )?(?:stopped|quit|ceased|given up|gave up|finished|is done|is finished|is through) (?:with )?(?P<x9>\w+ing\b.*?)|(?:U's )?days of (?P<x10>.+?) (?:are|is) (?:over|done|behind U)|"
    r"U (?:is |has |can )?(?:back (?:to|on) |started |been |gone back to |returned to |taken up |took up |takes up )?(?P<x11>\w+ .+?) again"
)

# What has come about, and so ends what it was awaited in: the memory, the statement.
OUTCOMES: Final = (
    (r"\b(?:pregnant|expecting|due (?:date|in|on))\b", r"\b(?:was born|were born|gave birth|baby is here|baby has arrived|had (?:the|U's) baby|arrived safely|became (?:a )?(?:mum|mom|dad|mother|father|parents?))\b"),
    (r"\b(?:engaged|fianc[ée]e?)\b", r"\b(?:got married|tied the knot|(?:is|are) married|wed(?:ding was| on)|called off the (?:wedding|engagement)|broke off)\b"),
    (r"\b(?:unemployed|out of work|job[- ]hunting|looking for (?:a|new|another) (?:job|work|position)|between jobs|on the dole)\b", r"\b(?:got (?:the|a|an? \w+) job|was hired|got hired|starts? (?:work|a new job|U's new job)|started (?:work|at|a new job|U's new job)|found (?:a (?:new )?job|work)|landed (?:a|the) (?:new )?job)\b"),
    (r"\b(?:learning to drive|takes? driving lessons|taking driving lessons|has a provisional)\b", r"\b(?:passed (?:U's |the )?(?:driving )?test|got (?:U's|the) (?:driving |driver's )?licen[cs]e)\b"),
    (r"\b(?:rents|renting|tenant|house[- ]hunting|flat[- ]hunting|saving (?:up )?for (?:an? |the |U's )?(?:\w+ )?(?:house|flat|home|deposit))\b", r"\b(?:bought (?:a|U's (?:first|own)) (?:house|flat|home|place|apartment|cottage)|got the keys to (?:U's|the) (?:own |new |first )*(?:house|flat|home|place))\b"),
    (r"\b(?:in (?:the )?hospital)\b", r"\b(?:discharged|home from (?:the )?hospital|out of (?:the )?hospital|back home)\b"),
    (r"\b(?:maternity leave|paternity leave|parental leave|sick leave|sabbatical)\b", r"\b(?:back (?:at|to) work|went back to work|returned to work)\b"),
    (r"\b(?:crutches|in a cast|plaster|sling|wheelchair)\b", r"\b(?:cast (?:is|came) off|off (?:the|U's) crutches|walking again|without (?:the |U's )?crutches|plaster (?:is|came) off)\b"),
    (r"\bbraces\b", r"\bbraces (?:are|came|were taken) off\b"),
    (r"\b(?:broken?|fractured|sprained|torn)\b", r"\bcast (?:is|came) off\b"),
    (r"\bsingle\b(?! \w)", r"\b(?:is seeing (?:someone|somebody)|has a (?:new )?(?:girlfriend|boyfriend|partner)|met someone|is dating|got engaged|got married)\b"),
    (r"\b(?:training for|preparing for|studying for|revising for) (?:the |an? |U's )?(?P<what>\w+)", r"\b(?:ran|finished|completed|passed|failed|sat|did|won) (?:the |U's )?(?:\w+ )?(?P<what>\w+)\b"),
    (r"\bsaving (?:up )?for (?:the |an? |U's )?(?:\w+ )?(?P<what>\w+)$", r"\b(?:bought|got|ordered) (?:the |an? |U's )(?:\w+ )?(?P<what>\w+)$"),
    (r"\bwaiting list for (?:the |an? |U's )?(?:\w+ )?(?P<what>\w+)", r"\b(?:had|got) (?:the |an? |U's )(?:\w+ )?(?P<what>\w+)\b"),
    (r"\b(?:waiting for|waiting on|awaiting) (?:the |an? |U's )?(?:\w+ )?(?P<what>\w+)", r"\b(?P<what>\w+) (?:has |have )?(?:came|come|arrived|is here|are here|came through|came back)\b"),
)  # fmt: skip
# What is over each time, and goes on: "the shift is over".
EPISODES: Final = frozenset(
    """
    shift shifts class lesson lessons meeting session rehearsal training match game season party day week workout practice practise walk run ride swim break lunch dinner
    breakfast holiday term month weekend work school homework chores call interview exam visit trip
    """.split()
)

# Change of a value, and correction of one; either in the clause that names the value or in front of it.
MOVED: Final = (
    r"\b(?:moved|shifted|pushed|bumped|brought forward|pushed back|moved up|postponed|rescheduled|changed|switched|upped|bumped up|raised|increased|lowered|reduced|cut|dropped|extended|delayed|gone (?:up|down)|went (?:up|down)|"
    r"put (?:[\w' ]{1,25} )?(?:up|down|back|forward|off|on)|doubled|halved|rearranged|swapped|updated|reset)\b"
)
NOW: Final = (
    r"\b(?:now|instead|these days|nowadays|from now on|from here on|going forward|as of (?:today|this week|this month|now|late)|down to|up to|back to|no longer|any ?more|new|rather than|it turns out|these days)\b"
    r"|\b(?:from|as of|starting|effective) (?:the )?(?:\d|(?:early |late |mid-)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|\w+day\b)"
)  # fmt: skip
WRONG: Final = (
    r"\b(?:actually|sorry|oops|whoops|scratch that|correction|i mean|i meant|U means?|U meant|misspoke|mistyped|typo|wait no|wait,? no|no,? wait|wrong \w+|my mistake|my bad|mistaken|misread|misremembered|mixed up|swapped the|got (?:it|that|this|the \w+) wrong|was wrong|were wrong|"
    r"(?:is|was) a mistake|wrong number|wrong one|ignore|disregard|forget (?:what|the|that)|double[- ]checked|checked again|counted again|recounted|reread|looked it up|it turns out|turns out|not \w+ as U said|make that|"
    r"the right (?:one|number|date|time)|the correct (?:one|number|date|time)|on second thought|never was|always was|i stand corrected|U stands corrected|should have said|strike that|mis-?counted|in fact)\b"
)

HEDGE: Final = (
    r"\b(?:if|unless|whether|would|'d|could(?! not (?:go|see))|might|(?-i:may)|maybe|perhaps|wants?|wanted|wish(?:es|ed)?|hop(?:e|es|ed|ing)|plan(?:s|ned|ning)?|think(?:s|ing)?|thought|going to(?! the)|gonna|will|'ll|should|"
    r"shall|almost|nearly|probably|possibly|imagin\w+|pretend\w*|wonder(?:ing|ed)?|wonders (?:if|whether|how|what|about)|consider\w*|tempted|toying|half a mind|some ?day|one day|eventually|soon|tomorrow|tonight|next (?:week|month|year|spring|summer|autumn|fall|winter|season)|"
    r"says?|said|told|tells|claim\w*|heard|reckons?|swears?|asks?|asked|dream\w*|supposed|suppose|jok\w+|tr(?:y|ies|ied|ying)|threaten\w*|consider\w*|debating|refus\w+|never going to happen|need(?:s|ed)? to|ha(?:s|ve) to|must|about to|"
    r"need(?:s|ed)?(?= \w+ing)|ought|rumou?r\w*|apparently|feels? like|as though|like a|looking (?:into|for|to)|once(?! a)|when(?:ever)?|in theory|parallel|forbid|can(?:not)? (?:not )?(?:wait|imagine|see)|worried|afraid that|scared that|in case|before)\b"
)  # fmt: skip
PASSING: Final = (
    r"\b(?:this (?:week|weekend|month|morning|afternoon|evening|time|term|season|once)|for (?:now|today|tonight|lent|january|a (?:bit|while|week|month|day|few \w+|couple \w+ ?\w*|change|second|moment)|an? \w+ (?:or so|or two)|(?:one|two|three|four|five|six|\d+|the) (?:\w+ )?(?:day|week|month|year|night|weekend|summer|winter|holiday|time being)s?)|"
    r"temporar\w+|until|till|while|a break|on holiday|on vacation|on loan|over the (?:summer|winter|weekend|holidays)|today only|just today|the other day|on pause|paused|so far|early|late|at the moment|halfway|"
    r"as an? (?:\w+ )?(?:kid|child|boy|girl|teen\w*|student|baby|toddler)|growing up|years ago|ages ago|back then|back in|back when|in (?:college|uni|university|school|high school)|at (?:uni|university|school|college)|in U's (?:teens|twenties|youth|childhood)|first \w+ ever|"
    r"every (?:now and then|so often)|sometimes|occasionally|often|again and again|at first|(?:by|on) accident|accidentally)\b"
)  # fmt: skip
ALSO: Final = (
    r"\b(?:also|too|as well|another|second|besides|in addition|on top of|additional|both|other|extra|spare|either)\b"
)
JOKE: Final = r"\b(?:lol|lmao|rofl|haha+|hehe|jk|just kidding|kidding|in a game|in the game|sims|dreamt|dreamed)\b|[;:]-?[PpD]\b|[;]-?\)|😂|😉|🤣|😜|😆"

# Words of a clause that name no thing: they may stand beside it without making it another.
NEUTRAL: Final = frozenset(
    """
    u be is are was were am been being has have had do does did done get got gets getting go goes going went gone make makes made take takes took taking use uses used using need needs
    keep keeps come comes came give gave put let thing things stuff lark business malarkey habit gig job membership subscription account plan class classes lesson lessons really very quite completely totally fully finally
    now then just actually instead today yesterday already even still ever never not no longer any anymore more whole entire old own dear beloved trusty good great bad little new last best favourite favorite ancient rusty clunky ageing aging
    these days day nowadays at all ok okay well yes right correct true real proper official officially sure due set starts start starting begin begins happens happening takes place place meets meet runs again one ones
    it its that this there here they them their themselves he she him her his someone everyone so much many most some all both each every time times per week month year hour hours minute minutes
    number amount sorry oops whoops correction scratch mean means meant mistake wrong typo misspoke mistyped actually turns out turn ignore forget fact said gave assistant told swapped digits checked checking check double
    moved moving move shifted pushed bumped brought forward back postponed rescheduled changed change changes switched switch upped raised increased lowered reduced cut dropped extended delayed up down only since from to until
    fyi btw update news quick currently live these kind sort life for good ever others other people part-time full-time anyway
    crept slipped climbed risen jumped settled grown
    bit rather after all said calls called tired sick fed bored want like around into onto off with without about in on of
    main usual go-to number-one permanently definitively altogether entirely forever mine regular weekly daily fixed happily sadly thankfully
    """.split()
)
# Agents whose moving of a thing says nothing of the thing: "the doctor upped my dose".
FREE: Final = frozenset("in at on of to as into from by about".split())

# Words for one thing.
SAME: Final[dict[str, str]] = {
    word: group.split()[0]
    for group in (
        "smoke cigarette cigarettes smoking smoker tobacco fag fags ciggies ciggie nicotine vape vaping cigs",
        "drink alcohol booze drinking drinker beers wine",
        "landlord landlady",
        "fly flying flight flights planes plane",
        "bike bicycle cycling cycle cycles bikes cyclist",
        "car auto automobile",
        "mother mum mom mam mummy mommy",
        "father dad daddy papa",
        "flat apartment",
        "university uni college",
        "run running runner jog jogging",
        "favourite favorite fave favourites favorites",
        "colour color colours colors",
        "kid child kids children",
        "teach teaching teacher tutor tutoring",
        "meat carnivore",
        "deadline due",
        "price cost costs",
        "gym gyms workout",
        "lens lenses contacts contact",
        "wed wedding marry marriage married",
        "drum drums drummer drumming",
        "swim swimming swimmer",
        "doctor gp doc",
        "phone mobile",
        "telly tv television",
        "intern internship",
        "photograph photography photographer",
        "bake baking baker bakery",
        "volunteer volunteering",
        "allergy allergic",
        "scared fear afraid frightened phobia terrified frightens scares",
        "lodger tenant",
    )
    for word in group.split()
}
KIN: Final = frozenset(
    """
    sister brother mother father parents wife husband partner girlfriend boyfriend spouse son daughter child baby twin twins friend cousin aunt uncle niece nephew
    grandma grandpa grandmother grandfather gran nan grandson granddaughter boss manager colleague coworker neighbour neighbor roommate flatmate housemate mate ex
    """.split()
)
