"""Words of standing facts and tastes, by the verb that they stand with.  Data only: `offline.kinds` reads it.

Entries are separated by commas; "·" stands for any one word ("· intolerant": "lactose intolerant").
"""

from __future__ import annotations

from typing import Final

# "is ..."
STATES: Final = """
vegan, vegetarian, veggie, pescatarian, pescetarian, flexitarian, plant-based, teetotal, teetotaller, teetotaler, sober,
non-drinker, coeliac, celiac, diabetic, asthmatic, epileptic, anaemic, anemic, immunocompromised, haemophiliac,
hemophiliac, allergic to, intolerant to, intolerant of, · intolerant, · allergic, gluten free, dairy free, sugar free,
nut free, nut-free, egg free, egg-free, lactose free, lactose-free, cancer free, on the pill, clean for, fasting,
between jobs, based out of, in · year at, prone to, sensitive to,
deaf, blind, colour blind, color blind, colourblind, colorblind, colour-blind, color-blind, partially sighted,
visually impaired, hearing impaired, hard of hearing, short-sighted, near-sighted, nearsighted, shortsighted, mute,
dyslexic, dyspraxic, autistic, neurodivergent, bipolar, schizophrenic, depressed, disabled, paraplegic, quadriplegic,
paralysed, paralyzed, an amputee, amputee, chronically ill, terminally ill, obese, overweight, pregnant, expecting,
breastfeeding, infertile, in a wheelchair, on a wheelchair, wheelchair-bound, wheelchair user, a wheelchair user,
housebound, left-handed, left handed, right-handed, right handed, ambidextrous, claustrophobic, agoraphobic,
arachnophobic, hypertensive, lactose-intolerant, gluten-free, dairy-free, halal, kosher, keto, paleo,
afraid of, scared of, terrified of, frightened of, phobic of, phobic about, muslim, christian, catholic, protestant,
orthodox, baptist, lutheran, mormon, quaker, jewish, hindu, sikh, jain, buddhist, atheist, agnostic, religious, pagan,
gay, lesbian, bisexual, bi, pansexual, asexual, queer, straight, trans, transgender, nonbinary, non-binary, enby,
intersex, single, married, divorced, widowed, separated, engaged, in a relationship, widow, widower, twin, only child,
an only child, adopted, born, originally from, native of, native to, retired, unemployed, self-employed,
freelance, homeless, bilingual, trilingual, multilingual, years old, on insulin, on dialysis, on medication, on meds,
on · medication, on warfarin, on antidepressants, on blood thinners, on statins, on steroids, on beta blockers,
on chemo, on lithium, in college, in high school, in school, in · school, in university, at university,
stay at home mom, stay at home dad, stay-at-home mom, stay-at-home dad, plant-based diet, on a diet, on a · diet, on a · · diet, based in, living in, living with, living at, working at,
working for, working as, working in, employed at, employed by, studying, majoring in, night owl, early bird,
morning person, night person, introvert, introverted, extrovert, extroverted, smoker, non-smoker, recovering,
called, named, nicknamed, known as, the oldest, the youngest, the eldest, citizen, resident, immigrant,
american, british, english, scottish, irish, welsh, canadian, australian, french, german, italian, spanish, portuguese,
dutch, belgian, swiss, austrian, polish, russian, ukrainian, greek, turkish, indian, pakistani, chinese, japanese,
korean, vietnamese, thai, filipino, indonesian, brazilian, mexican, argentinian, nigerian, kenyan, egyptian, iranian,
israeli, swedish, norwegian, danish, finnish, czech, hungarian, romanian, african, asian, latino, latina, hispanic,
mother, father, mom, mum, dad, parent, grandmother, grandfather, grandparent, stepfather, stepmother, tall, petite,
feet tall, foot tall, in their teens, in their twenties, in their thirties, in their forties, in their fifties,
in their sixties, in their seventies, in their eighties
"""
# "is a ..."; a trade is also told by its ending in -er, -or, -ist, -ian, -eer or -ant before it is named here
TRADES: Final = """
nurse, midwife, chef, cook, pilot, attorney, student, postgrad, undergrad, freshman, sophomore, intern, vet, clerk,
judge, nanny, au pair, priest, imam, rabbi, nun, monk, model, coach, guard, freelance, architect, surgeon,
analyst, actress, ceo, cto, cfo, barista, waitress, sailor, policewoman, policeman, cop, fireman, mailman, postman,
salesman, saleswoman, salesperson, seamstress, potter, blacksmith, athlete, housewife, stay-at-home, dean,
paralegal, civil servant, astronaut, stewardess, au-pair, masseuse, entrepreneur, concierge, apprentice, trainee,
secretary, au, nutritionist, diplomat, economist, coder, handyman, fisherman, cameraman, businessman, businesswoman,
scientist, mechanic, detective, executive, representative, associate, lead, head of, professional, graduate, phd
"""
NO_TRADES: Final = frozenset(
    """
    lover beginner winner loser member number matter owner player user killer disaster monster bummer keeper stranger
    newcomer supporter believer leader thinker learner listener eater picky drinker fighter survivor hater buyer visitor
    neighbour neighbor factor mirror error color colour flavor flavour horror visitor competitor sponsor
    constant elephant restaurant pedant giant infant plant instant distant important relevant brilliant elegant
    significant pleasant reluctant hesitant tolerant ignorant abundant fragrant vibrant want grant slant pant
    list mist gist fist twist christ waist ghost exist resist insist persist realist pessimist optimist perfectionist
    other another rather never ever over under after better later her together whether either neither paper water winter
    summer dinner computer order river letter center centre corner power answer weather offer cover shower flower
    minor major poor door floor for nor or tutor motor sailor laughter daughter sister brother mother father hamster
    finger anger danger hunger cancer super proper sober clever bitter slower faster bigger smaller older younger
    """.split()
)
# "has ...", "was diagnosed with ..."
HOLDINGS: Final = """
· allergy, · allergies, allergy, allergies, · intolerance, intolerance, phobia, · phobia, disability, · disability,
· disorder, · syndrome, · disease, · impairment, · deficiency, asthma, diabetes, coeliac, celiac, epilepsy, eczema,
psoriasis, arthritis, migraine, migraines, blood pressure, high blood pressure, low blood pressure, high cholesterol,
hypertension, anaemia, anemia, cancer, · cancer, leukaemia, leukemia, adhd, add, ocd, ptsd, autism, dyslexia,
depression, anxiety, insomnia, sleep apnea, sleep apnoea, tinnitus, vertigo, ibs, crohn's, colitis, lupus,
multiple sclerosis, parkinson's, alzheimer's, dementia, hiv, copd, fibromyalgia, endometriosis, pcos, gout,
osteoporosis, glaucoma, cataracts, scoliosis, sciatica, bad back, bad knee, bad knees, weak heart, heart condition,
heart problems, chronic ·, pacemaker, stoma, prosthesis, prosthetic ·, hearing aid, hearing aids, insulin pump,
guide dog, service dog, stammer, stutter, hearing loss, reflux, hay fever, cerebral palsy, cystic fibrosis,
tourette's, sweet tooth, fear of, sensitive ·, blood type, child, children, kid, kids, son, sons, daughter, daughters,
twins, triplets, brother, brothers, sister, sisters, sibling, siblings, husband, wife, partner, girlfriend, boyfriend,
fiancé, fiancée, fiance, fiancee, grandchild, grandchildren, grandson, grandsons, granddaughter, granddaughters,
stepson, stepsons, stepdaughter, stepdaughters, stepchildren, nephew, nephews, niece, nieces, baby, pet, pets, boy, girl, boys, girls, job as, master's degree, bachelor's degree, master's, bachelor's, diploma, degree, phd, doctorate, mba, citizenship,
passport, driving licence, driver's license, dog, dogs, cat, cats, parrot, rabbit, horse, hamster, tortoise, puppy,
kitten
"""
# "uses ...", "wears ...", "takes ..."
AIDS: Final = """
wheelchair, walker, crutches, cane, walking stick, hearing aid, hearing aids, glasses, contacts, contact lenses, epipen, epi-pen,
inhaler, insulin, insulin pump, hijab, headscarf, turban, kippah, prosthesis, prosthetic, guide dog, screen reader,
sign language, medication, meds, medicine, antihistamines, antidepressants, blood thinners, statins, beta blockers,
oxygen, metformin, warfarin, lithium, pills
"""
# what is not eaten, drunk or smoked
FOODS: Final = """
meat, red meat, pork, beef, chicken, poultry, lamb, fish, seafood, shellfish, shrimp, prawns, dairy, milk, lactose,
cheese, egg, eggs, gluten, wheat, bread, carbs, nuts, peanuts, tree nuts, soy, soya, sesame, sugar, salt, alcohol, wine,
beer, booze, caffeine, coffee, honey, gelatine, gelatin, animal products, fructose, garlic, onion, onions, mushrooms,
tomatoes, strawberries, citrus, cigarettes, tobacco, nicotine, weed, drugs, spicy food, processed food, fast food, spicy
"""
# what something that is not borne does to somebody
HARMS: Final = """
ill, sick, nauseous, dizzy, itchy, itch, sneeze, vomit, throw up, cough, swell, swell up, faint, break out, bloated,
wheeze, queasy, unwell, feel ill, feel sick, feel bad, feel awful, hives, a rash, rashes, headaches, a headache,
migraines, a migraine, stomach, stomach ache, cramps, heartburn, asthma, nausea, palpitations, diarrhoea, diarrhea,
indigestion, breathless, anxious, panic, panic attacks, an allergic reaction
"""
# "Ana's ... is ..."
DETAILS: Final = """
name, names, nickname, surname, first name, last name, middle name, pronouns, age, birthday, date of birth, birthplace,
hometown, home town, nationality, blood type, blood group, height, weight, religion, faith, mother tongue,
first language, native language, address, phone, phone number, number, email, e-mail, email address, e-mail address,
job, profession, occupation, employer, job title, star sign, gender, postcode, zip code, shoe size, dress size,
shirt size, time zone, timezone, anniversary, wedding anniversary, diet, disability, diagnosis, medication, allergy,
allergies, eyesight, doctor, dentist, therapist, boss, manager, landlord
"""
KIN: Final = """
wife, husband, partner, girlfriend, boyfriend, fiancé, fiancée, fiance, fiancee, spouse, mother, father, mom, mum,
dad, parents, son, sons, daughter, daughters, child, children, kid, kids, brother, brothers, sister, sisters,
sibling, siblings, bro, sis, twin, twins, nan, nana, gran, granny, grandmother, grandfather, grandma, grandpa, grandparents, aunt, uncle, cousin,
nephew, niece, stepfather, stepmother, family, ex, ex-wife, ex-husband, best friend, roommate, flatmate, boss, doctor, dentist, gp, therapist, landlord, landlady, manager, dog, cat,
baby
"""
# what somebody does as long as they live there, work there or are who they are
STANDING_VERBS: Final = """
lives, live, resides, grew up, was born, was raised, comes from, hails from, has lived, have lived,
works as, works at, works for, works in, works with, works on a, works on an, works behind, works from, works night, works nights, works part-time, work as,
work at, work for, works full-time, works remotely, has worked, have worked, has been working as, has been working at, has been working for, has been working in, studies, teaches,
majors in, speaks, goes by, identifies as, was diagnosed, got diagnosed, got married, got engaged, got divorced,
got promoted, was promoted, has been promoted, retired, served in, keeps kosher, eats kosher,
keeps halal, eats halal, eats vegan, eats vegetarian, eats only halal, eats plant-based, follows a · diet,
follows a vegan, follows a vegetarian, observes, fasts, prays, practises, practices, smokes, suffers from, drinks only,
went vegan, went vegetarian, became vegan, became vegetarian, turned vegan, turned vegetarian, fears, weighs, snores, reacts badly to, commutes to, freelances, keeps shabbat, keeps sabbath, rents a flat, rents a
house, rents an apartment, rents a room, is doing a phd, is doing a degree, is doing a master's, has a
fear, panics, faints, gets seasick, gets carsick, gets airsick, gets travel sick, gets motion sick, gets hives,
gets a rash, gets migraines, gets panic attacks, goes into anaphylaxis, breaks out in hives, comes out in hives,
wants to be called, lost a leg, lost an arm, is missing
"""
# "likes ..."
TASTES: Final = """
likes, loves, enjoys, prefers, hates, dislikes, adores, detests, loathes, despises, favours, favors, craves, avoids,
appreciates, values, cherishes, fancies, favourite, favorite, favourites, favorites, can't stand, cannot stand,
can't bear, cannot bear, can't abide, can't resist, can't live without, would rather, would much rather, sweet tooth,
soft spot for, aversion to, preference for, passion for, dislike of, dislike for, hatred of, love of, love for,
interest in, distaste for, disdain for, contempt for, stance against, objection to, objections to, advocate of, advocate for,
fascinated by, tolerance for, tries to avoid, try to avoid, needs to avoid, steers clear of, stays away from, thrives in,
thrives on, adheres to, believes in, firmly believes, strongly believes, will not consider, won't consider, opposed to, uninterested in, prioritises, prioritizes,
exclusively, almost exclusively, sticks to, supports only, boycotts, objects to, cares about, is against, priority,
can't handle, cannot handle, doesn't interest, don't interest, doesn't appeal, don't appeal, bores, annoys, irritates,
fondness for, weakness for, finds it hard, opts for, tends to, refuses to, insists on, makes a point of, rather than,
enthusiast, aficionado, fanatic, connoisseur, turned off by, not one for, gone off, can't do, more of a
"""
# "is ..." of a taste
LEANINGS: Final = """
into, keen on, fond of, crazy about, mad about, obsessed with, addicted to, partial to, passionate about,
picky about, particular about, fussy about, picky eater, a picky eater, big on, fan of, fan, lover, lover of, tired of,
sick of, averse to, drawn to, against, uncomfortable with, uncomfortable in, comfortable with, interested in, more of a
"""
