"""Can a question be answered from a small store?  Own messages and questions; the confidence and what it is made of.

    python runs/abstain.py [--rows] [--words]     with --words without an embedder

Sixty messages of a chat, forty questions that they answer and forty that nothing told answers: general knowledge,
attributes never told, people never named, nonsense.  A second, smaller set by the same author is only measured on.  Printed: AUROC, and at the default what is declined wrongly and rightly.
"""

# ruff: noqa: E501 - tables of own sentences

from __future__ import annotations

import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from perdure import Memory

START = datetime(2025, 3, 1, 9, tzinfo=UTC)

CHAT = """
u: Hi there, I'm Nadia.
a: Hello Nadia! How can I help today?
u: I live in Porto, near the river.
a: Lovely city. Do you like the hills?
u: Not when it rains haha.
u: I work as a structural engineer at Telmark.
a: Noted!
u: My husband Oscar teaches chemistry at a secondary school.
a: That sounds like a busy house.
u: We have a daughter, Ida. She turned six in February.
a: Happy belated birthday to Ida!
u: Our dog is called Pepper, a greyhound we adopted in 2022.
a: How old is Pepper?
u: Three, we think.
u: I'm allergic to shellfish, so no prawns please.
a: Understood, no shellfish.
u: Haha ok.
u: My sister Lena moved to Oslo last autumn.
a: Does she like it there?
u: She does, she loves skiing.
u: Lena is a nurse in a children's ward.
a: That must be demanding work.
u: I drive an old Volvo estate, it's dark green.
a: A classic.
u: On Tuesdays I have pottery class at seven in the evening.
a: What do you make?
u: Mostly bowls. I sold two of them at the spring market.
a: Well done!
u: I'm reading a novel about lighthouse keepers right now.
a: Is it any good?
u: Slow, but the ending is supposed to be great.
u: We want to go to Iceland in August with my parents.
a: How long will you stay?
u: Ten days, if Oscar gets leave.
u: My mother's name is Teresa and she used to be a judge.
a: Impressive.
u: Dad had a knee operation in January, he is walking again.
a: Good to hear.
u: I ran the Lisbon half marathon in 1 hour 52.
a: Great time!
u: Do you remember where I lived before?
a: You have not told me.
u: Before Porto I lived in Ghent for four years.
a: Got it.
u: My favourite food is mushroom risotto.
a: Noted!
u: I can't stand coriander.
a: You are not alone.
u: My boss is called Henrik, he's from Denmark.
a: How do you two get along?
u: Well, he gave me the bridge project in Viseu.
u: I play the cello, badly.
a: Practice helps.
u: My best friend Yusuf runs a bakery on Rua das Flores.
a: Sounds delicious.
u: I pay 950 euros of rent for the flat.
a: That is fair for Porto.
u: The dentist appointment is on 14 April at 10:30.
a: I'll keep that in mind.
u: Thanks, bye!
"""
KNOWN = """
Where do I live?|Who is my employer?|What does my husband do for work?|What is my daughter's name?|How old is Ida?
What breed is our dog?|When did we adopt Pepper?|What am I allergic to?|Where does Lena live?|What does my sister do?
What car do I drive?|What colour is my car?|When is my pottery class?|What did I sell at the market?|What am I reading?
Where do we want to travel in August?|How long will the trip to Iceland be?|What is my mother's name?|What was Teresa's profession?
What surgery did my father have?|How fast did I run the half marathon?|Where did I live before Porto?|How long did I live in Ghent?
What is my favourite dish?|Which herb do I dislike?|Who is my boss?|Where is Henrik from?|Which project did Henrik give me?
What instrument do I play?|Who runs a bakery?|How much rent do I pay?|When is my dentist appointment?|What is my name?
What's my job?|Who is Oscar?|What does Lena love doing?|What is the dog called?|Where is Yusuf's bakery?|Can I eat prawns?
What subject does Oscar teach?
"""
UNKNOWN = """
What is my blood type?|Who won the 1998 world cup?|asdfgh qwerty|How do I fix a carburettor?|Where did I go to university?
What is the capital of Peru?|What is Pepper's microchip number?|What is my phone number?|Where does Marek live?|zxcv bnm poiu lkj
What is Oscar's shoe size?|Which bank do I use?|How tall is Ida?|Who painted the Mona Lisa?|What is the boiling point of ethanol?
When is my wedding anniversary?|What is my grandmother's maiden name?|What school does Ida attend?|Which football team do I support?
What is my email address?|How do I centre a div in CSS?|Who wrote War and Peace?|What is my passport number?|Where was I born?
What is Lena's husband called?|Do I smoke?|What is my wifi password?|How many siblings does Oscar have?|When was the Berlin wall built?
What is Henrik's salary?|Which gym do I go to?|What is my favourite colour?|What did Dr. Kowalski prescribe?|What is 17 times 23?
What laptop do I own?|Who is the president of Brazil?|blorptang fizzwick|When is Yusuf's birthday?|What medication do I take?
What religion are my parents?
"""
HELD_CHAT = """
u: Morning! Quick introduction: I'm Tomasz, a pastry chef in Leeds.
a: Nice to meet you, Tomasz.
u: My wife Priya is a vet at a clinic in Headingley.
a: What animals does she treat?
u: Cats mostly. Our own cat is named Biscuit.
a: Cute name!
u: I was born in Gdansk and came over in 2014.
a: Do you visit often?
u: Every Christmas. My brother Pawel still lives there.
u: He works for a shipping company.
a: Noted!
u: I go swimming on Thursday mornings.
a: A good habit.
u: I'm vegetarian, have been for ten years.
a: Understood.
u: We bought a house on Elm Road last June for 240,000 pounds.
a: Congratulations!
u: Ok cool.
u: My favourite band is Radiohead.
a: A fine choice.
u: I broke my wrist in March skateboarding with my nephew Kuba.
a: Ouch! How is it now?
u: Healed.
u: I ride a red bicycle to work.
a: Stay safe.
u: My shift starts at 4 am.
a: That is early.
u: I want to open my own cafe next year.
a: What would you call it?
u: Probably Sernik.
"""
HELD_KNOWN = """
What do I do for a living?|Where do I work?|What does my wife do for work?|What is my cat's name?|Where was I born?
When did I come to England?|Where does Pawel live?|Who does my brother work for?|When do I swim?|Am I vegetarian?
Where is our house?|How much did the house cost?|Which band do I like most?|What did I break?|Who is Kuba?
How do I get to work?|When does my shift start?|What will my cafe be called?|Who is Priya?|What is my dream?
"""
HELD_UNKNOWN = """
What is my blood type?|Who discovered penicillin?|What is Biscuit's microchip number?|How old is Priya?|What is my mother's name?
Where does Agnieszka work?|qpwoei zmxn|What is the tallest mountain in Africa?|Which dentist do I see?|What is my shirt size?
What is Pawel's wife called?|How do I install Python on Windows?|What languages does Priya speak?|Where did I study?
What is our mortgage rate?|What is the square root of 144?|Who is my landlord?|What insurance do I have?|What is the score of the match?
When is Priya's birthday?
"""
# Written after the weights were chosen, and measured once before the default was set.
THIRD_CHAT = """
u: hey, new here. people call me Bea
a: Hi Bea! What brings you here?
u: mostly planning. i'm a paramedic so my weeks are a mess
a: I can imagine. Shift work?
u: yep, four on four off at the Eastgate station
a: Got it.
u: i share a flat in Bristol with my cousin Jonah
a: How is living with family?
u: loud. he practises drums
a: Ha!
u: my partner Sam is training to be a pilot in Spain
a: Long distance then?
u: since March, yes. we call on Sundays
a: That sounds nice.
u: i've been celiac since i was nine btw
a: Understood, no gluten.
u: also we foster a one-eyed cat, Admiral
a: Great name.
u: lol thanks
a: Any plans this month?
u: i'm running the Cotswold relay on the 21st, third leg
a: Good luck!
u: my gran Winifred turns ninety on 2 May, big party in Leeds
a: What will you give her?
u: a quilt, i sew at night when i can't sleep
a: Lovely.
u: the quilt has 64 squares, i finished 40
a: Almost there.
u: bought a secondhand campervan for 6,200, it's yellow
a: Where will you take it?
u: Scotland in September, two weeks, with Jonah
a: Sounds good.
u: my back is bad since a lift at work last winter, physio says no heavy lifting
a: Take care of it.
u: ok gotta go
a: Bye!
u: i can't stand podcasts, audiobooks are fine though
a: Noted.
u: before this i worked in a bookshop in Cardiff for three years
a: What made you change?
u: needed something with people and sirens haha
"""
THIRD_KNOWN = """
What is my job?|Where do I live?|Who do I live with?|What instrument does Jonah play?|What is Sam training for?|Where is Sam?
What can't I eat?|What is our cat called?|Which leg of the relay do I run?|When is Winifred's birthday?|How old will my gran be?
What am I sewing?|How many squares does the quilt have?|What colour is the campervan?|How much did the van cost?
Where do we go in September?|Why shouldn't I lift heavy things?|Do I like podcasts?|Where did I work before?|When do Sam and I call?
What station am I based at?|How long did I work in the bookshop?|Is the cat healthy?|Where is the party?|What is my name?
"""
THIRD_UNKNOWN = """
What is my surname?|Where was Sam born?|What is Jonah's job?|How much rent do we pay?|What breed is Admiral?|Who is my GP?
What is my shoe size?|When did I get married?|What is Sam's favourite film?|Which university did I attend?|What is the speed of light?
Who wrote Hamlet?|How do I boil an egg?|What is the campervan's licence plate number?|What languages do I speak?|How tall is Jonah?
Where does my brother live?|What is my mother's name?|Which football club do I support?|What phone do I use?|vrrt plonk seb
What is Winifred's phone number?|What are the opening hours of the library?|Who is my boss?|What is Nkechi's address?
"""


def questions(text: str) -> list[str]:
    return [one.strip() for line in text.strip().splitlines() for one in line.split("|")]


def stored(path: Path, chat: str) -> Memory:
    embedder = "none" if "--words" in sys.argv else None
    memory = Memory(path, embedder=embedder, settings={"jobs": "manual"})
    for number, line in enumerate(chat.strip().splitlines()):
        who, said = line.split(": ", 1)
        role = "user" if who == "u" else "assistant"
        memory.add([{"role": role, "content": said, "at": START + timedelta(hours=5 * number)}], user="u", run="r")
    return memory


def auroc(known, unknown) -> float:
    a, b = np.array(known)[:, None], np.array(unknown)
    return float((a > b).mean() + 0.5 * (a == b).mean())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, chat, known, unknown in (
            ("fitted", CHAT, KNOWN, UNKNOWN),
            ("held out", HELD_CHAT, HELD_KNOWN, HELD_UNKNOWN),
            ("third", THIRD_CHAT, THIRD_KNOWN, THIRD_UNKNOWN),
        ):
            with stored(Path(folder) / f"{name}.db", chat) as memory:
                parts = []
                for asked in (questions(known), questions(unknown)):
                    answers = [memory.answer(one, user="u") for one in asked]
                    parts.append([(one.confidence, one.abstained) for one in answers])
                    if "--rows" in sys.argv:
                        for question, one in sorted(zip(asked, answers, strict=True), key=lambda p: p[1].confidence):
                            first = one.citations[0].text if one.citations else "-"
                            print(f"{one.confidence:.3f} {question} -> {first}")
                        print()
            wrong, right = (sum(abstained for _, abstained in part) / len(part) for part in parts)
            separation = auroc(*([confidence for confidence, _ in part] for part in parts))
            print(f"{name}: AUROC {separation:.3f}; wrongly declined {wrong:.0%}, rightly {right:.0%}")
            for limit in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3):
                shares = [sum(confidence < limit for confidence, _ in part) / len(part) for part in parts]
                print(f"  below {limit}: wrongly {shares[0]:.0%}, rightly {shares[1]:.0%}")


if __name__ == "__main__":
    main()
