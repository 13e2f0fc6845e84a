"""Standing facts that share no word with the question: are they among the first five hits, and in a context?

    python runs/standing.py [PAIRS.json] [--seed N] [--misses]

Each pair is [what the user says once, what is asked much later].  Every pair has a memory of its own: the statement
and 520 turns of other talk of our own writing, with meals, trips and shopping in it, read by the offline engine.
Without a file the 25 pairs below are asked: the ones the table was written on, so no blind figure.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from perdure import Memory
from perdure.providers.fakes import FixedClock
from perdure.providers.local import MiniLM

TURNS = 520
START = datetime(2024, 1, 2, 9, tzinfo=UTC)

PAIRS = [
    ["I'm vegetarian, have been since college.", "What could I cook tonight?"],
    [
        "By the way, shrimp closes my throat, I'm badly allergic to shellfish.",
        "Where should we go for dinner on Saturday?",
    ],
    ["I was diagnosed with celiac disease as a teenager.", "Any ideas for a birthday cake?"],
    ["Honestly, I'm terrified of flying.", "What is the best way to get from Madrid to Athens?"],
    ["I use a wheelchair, just so you know.", "Which museums should I see in Prague?"],
    ["My knee was operated on twice, the cartilage is gone.", "How do I get fitter this spring?"],
    ["I've been sober for six years.", "What should I order at the bar?"],
    ["We keep kosher at home.", "Could you put together a menu for the week?"],
    ["Red and green look the same to me, I'm colour-blind.", "What palette should the chart have?"],
    ["I'm left-handed, which nobody ever believes.", "What kind of scissors should I buy?"],
    ["I have type 2 diabetes.", "Suggest a dessert for me."],
    ["My asthma gets bad around animals with fur.", "Should I get a kitten?"],
    ["I'm pregnant, due in March.", "Is it ok to have sushi tomorrow?"],
    ["I never learned to swim.", "What should we do at the lake this weekend?"],
    ["Horror films give me nightmares for weeks, I can't watch them.", "Pick something for us to see at the cinema."],
    ["My wife is lactose intolerant.", "What shall I bake for our anniversary?"],
    ["I get seasick on anything that floats.", "Would a cruise suit us next summer?"],
    ["I fast during Ramadan like everyone in my family.", "Can you schedule the lunch meetings for next month?"],
    ["I'm deaf in my left ear.", "Which seat should I book for the concert?"],
    ["My passport is Venezuelan.", "Do I need a visa for Japan?"],
    ["I take warfarin every day.", "Can I have ibuprofen for this headache?"],
    ["I'm claustrophobic, even lifts are hard for me.", "Is the cave tour worth it?"],
    ["My son is allergic to wasp stings.", "What should I pack for the picnic?"],
    ["I don't have a driving licence.", "How should I get around Iceland?"],
    ["I'm on a very tight budget, still paying off my debts.", "Find me a nice place for the holidays."],
]

OPENINGS = ("", "", "Well, ", "Anyway, ", "So, ", "Oh, ", "Right, ")
SAID = (
    "we had {dish} at {who}'s place on {day}",
    "{who} cooked {dish} and it was too salty",
    "I tried a new recipe for {dish}",
    "the {shop} on the corner sells good {dish} now",
    "{who} is back from {city} with a suitcase full of cheese",
    "I watched a film about {topic} with {who}",
    "{who} and I talked about {topic} until late",
    "the train to {city} was late again",
    "we are thinking about {city} for the long weekend",
    "{who} booked a hotel in {city} for {day}",
    "my desk is full of notes about {topic}",
    "I finished the chapter on {topic}",
    "the meeting on {day} was about {topic}",
    "{who} asked me to look at the slides about {topic}",
    "I went for a walk along the river with {who}",
    "the gym was crowded on {day}",
    "{who} ran the half marathon in {city}",
    "{who} bought a jacket at the {shop}",
    "I need to return the lamp to the {shop}",
    "{who}'s dog chewed the remote control",
    "the neighbours' cat sat on our balcony all of {day}",
    "{who} gave me a book about {topic}",
    "my phone died on the way to {city}",
    "{who} has a cold and stayed in bed on {day}",
    "the doctor moved {who}'s appointment to {day}",
    "it rained in {city} the whole of {day}",
    "the concert in {city} was sold out",
    "{who} is learning the piano",
    "I fixed the tap in the kitchen on {day}",
    "{who} plans a party for {day} and wants {dish}",
    "the bakery had no {dish} left on {day}",
    "I spent {day} sorting photos of {city}",
    "{who} drove to {city} for a conference on {topic}",
    "we painted the hall, and {who} helped",
    "I dreamt about {topic} after the {dish}",
)
REPLIES = (
    "That sounds like a full day.",
    "How did {who} like it?",
    "I hope {day} goes better.",
    "{city} is lovely at this time of year.",
    "Tell me more about {topic}.",
    "Noted. Is there anything I can do?",
    "What did you make of the {dish}?",
    "Good to hear.",
)
FILL = {
    "dish": "lasagne|pancakes|curry|dumplings|roast chicken|lentil soup|grilled trout|apple pie|paella|noodles".split(
        "|"
    ),
    "who": "Marta|Jonas|Priya|Tomek|Lucia|Sven|Aiko|Babak|Clare|Dmitri".split("|"),
    "day": "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday".split("|"),
    "shop": "market|hardware store|department store|bookshop|outlet".split("|"),
    "city": "Turin|Ghent|Porto|Krakow|Graz|Bergen|Lille|Aarhus|Split|Bilbao".split("|"),
    "topic": "glaciers|tax reform|old maps|bridges|the harbour|solar panels|jazz".split("|"),
}


def talk(draw: random.Random) -> list[str]:
    """Return TURNS turns of other talk, the user's and the assistant's in turn."""

    def line(forms: tuple[str, ...], opening: str = "") -> str:
        text = draw.choice(forms).format(**{name: draw.choice(words) for name, words in FILL.items()})
        text = opening + text
        return text[0].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".")

    return [line(REPLIES) if n % 2 else line(SAID, draw.choice(OPENINGS)) for n in range(TURNS)]


def filled(path: Path, seed: int, embedder) -> None:
    """Write a memory of other talk alone."""
    turns = ["Hello, it's me again.", "Nice to see you.", *talk(random.Random(seed))]
    messages = [
        {"role": ("user", "assistant")[n % 2], "content": text, "at": START + timedelta(hours=n // 6)}
        for n, text in enumerate(turns)
    ]
    with opened(path, embedder) as memory:
        memory.add(messages, user="u")


def opened(path: Path, embedder) -> Memory:
    clock = FixedClock(START + timedelta(days=30))
    return Memory(path, embedder=embedder, clock=clock, settings={"jobs": "manual"})


def rank(pair: list[str], path: Path, embedder) -> tuple[int | None, bool, list[str]]:
    """Return the place of the fact among the hits, whether a context of 1,500 tokens holds it, and the first hits."""
    said, question = pair
    with opened(path, embedder) as memory:
        before = START - timedelta(days=1)
        memory.add([{"role": "user", "content": said, "id": "said", "at": before}], user="u")
        hits = memory.search(question, user="u", k=10).hits
        block = memory.context(question, user="u", budget_tokens=1500)
    places = [n for n, hit in enumerate(hits, start=1) if is_it(hit)]
    return (places[0] if places else None), any(map(is_it, block.hits)), [hit.text for hit in hits[:5]]


def is_it(hit) -> bool:
    ids = [hit.message.public_id] if hit.message else [source.message_id for source in hit.memory.sources]
    return "said" in ids


def main() -> None:
    given = [Path(argument) for argument in sys.argv[1:] if argument.endswith(".json")]
    pairs = json.loads(given[0].read_text(encoding="utf-8")) if given else PAIRS
    seed = int(sys.argv[sys.argv.index("--seed") + 1]) if "--seed" in sys.argv else 1
    embedder = Cached(MiniLM())
    first = packed = 0
    folder = Path(tempfile.mkdtemp())
    filled(folder / "talk.db", seed, embedder)
    for pair in pairs:
        path = folder / "pair.db"
        shutil.copyfile(folder / "talk.db", path)
        place, in_context, top = rank(pair, path, embedder)
        first += place is not None and place <= 5
        packed += in_context
        if "--misses" in sys.argv and not (place and place <= 5 and in_context):
            print(pair, place, in_context, *top, sep="\n    ")
    shutil.rmtree(folder)
    print(f"among the first five hits: {first} of {len(pairs)}; in a context of 1,500 tokens: {packed} of {len(pairs)}")


class Cached:
    """The embedder with what it has embedded kept: the talk repeats itself."""

    def __init__(self, embedder: MiniLM) -> None:
        self.model, self.dimensions, self.floor, self.covers = (
            embedder.model,
            embedder.dimensions,
            embedder.floor,
            embedder.covers,
        )
        self._embedder, self._known = embedder, {}

    def embed(self, texts, role):
        import numpy as np

        for text in dict.fromkeys(texts):
            if text not in self._known:
                self._known[text] = self._embedder.embed([text], role)[0]
        return np.stack([self._known[text] for text in texts]) if texts else self._embedder.embed(texts, role)


if __name__ == "__main__":
    main()
