"""ReadAgent: a gist of every page, and pages looked up for a question.  After Lee et al., arXiv 2402.09727.

Its parallel form (ReadAgent-P): all pages that a question needs are named in one call.
"""

from __future__ import annotations

from collections.abc import Sequence

from perdure.evaluation.conversation import Conversation, Turn
from perdure.evaluation.systems.packaged import Count
from perdure.evaluation.systems.prompted import called, tool, written
from perdure.evaluation.systems.protocol import Held, Retrieved
from perdure.evaluation.systems.transcript import line, transcript
from perdure.ports import LLM
from perdure.prompts.recalled import as_data

LEAST_WORDS, MOST_WORDS = 280, 600  # of a page: the paper, section 3.1 and its released code
MOST_PAGES = 5  # looked up at once: ReadAgent-P, 1 to 5 pages
_PAUSE = tool("pause", "End the page.", mark={"type": "integer", "description": "the number of the mark"})
_LOOK_UP = tool("look_up", "Look pages up.", pages={"type": "array", "items": {"type": "integer"}})


class ReadAgent:
    """Pages end where the model pauses, between 280 and 600 words; their gists stand before it with every question.

    The gist of a page that is looked up makes room for the page itself, as in the paper.
    """

    name = "readagent"

    def __init__(self, llm: LLM, count: Count) -> None:
        self._llm = llm
        self._count = count
        self._pages: list[list[Turn]] = []
        self._gists: list[str] = []

    def ingest(self, conversation: Conversation) -> None:
        """Turn the conversation into pages, and pages into gists.  Raises BadCompletion where a gist is missing."""
        self.reset()
        rest = list(conversation.turns)
        while rest:
            end = self._end(rest)
            self._pages.append(rest[:end])
            rest = rest[end:]
        self._gists = [written(self._llm, "readagent_gist", page=transcript(page)) for page in self._pages]

    def _end(self, turns: Sequence[Turn]) -> int:
        """Return how many turns the next page has: as the model pauses, else as many as it holds."""
        words, marks, lines = 0, list[int](), list[str]()
        for number, turn in enumerate(turns, 1):
            words += len(line(turn).split())
            if words > MOST_WORDS and number > 1:
                break
            lines.append(line(turn))
            if words >= LEAST_WORDS:
                marks.append(number)
                lines.append(f"<{len(marks)}>")
        else:
            return len(turns)  # what is left is one page
        most = marks[-1] if marks else number - 1
        if len(marks) < 2:
            return most
        for _, given in called(self._llm, "readagent_pause", [_PAUSE], lines="\n".join(lines)):
            mark = given.get("mark")
            if isinstance(mark, int) and 1 <= mark <= len(marks):
                return marks[mark - 1]
        return most

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return the gists for each question, with at most five pages in their place; k does not apply."""
        return [self._one(question) for question in questions]

    def _one(self, question: str) -> Retrieved:
        gists = "\n\n".join(f"<Page {number}>\n{gist}" for number, gist in enumerate(self._gists, 1))
        calls = called(
            self._llm, "readagent_look", [_LOOK_UP], most=str(MOST_PAGES), gists=gists, question=as_data(question)
        )
        named = [page for _, given in calls for page in _listed(given.get("pages"))]
        pages = [page for page in dict.fromkeys(named) if 1 <= page <= len(self._pages)][:MOST_PAGES]
        context = "\n\n".join(
            transcript(self._pages[number - 1]) if number in pages else gist
            for number, gist in enumerate(self._gists, 1)
        )
        return Retrieved(tuple(turn.id for page in pages for turn in self._pages[page - 1]), None, context)

    def held(self) -> Held:
        """Return the gists."""
        return Held(len(self._gists), self._count("\n".join(self._gists)))

    def reset(self) -> None:
        """Forget the pages."""
        self._pages, self._gists = [], []


def _listed(value: object) -> list[int]:
    return [one for one in value if isinstance(one, int)] if isinstance(value, list) else []
