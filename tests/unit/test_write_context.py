from datetime import timedelta

from perdure.prompts import recalled
from perdure.prompts.recalled import strip
from perdure.write.context import extractable, gather, group
from tests import make
from tests.conversation import Conversation


def shape(messages, gap_s=14_400.0):
    return [[m.content for m in exchange] for exchange in group(messages, session_gap_s=gap_s)]


def said(role, content, **fields):
    return make.message(content, role=role, **fields)


def test_an_exchange_is_a_user_message_and_what_follows_until_the_next():
    messages = [said("user", "a"), said("assistant", "b"), said("tool", "c"), said("user", "d"), said("assistant", "e")]

    assert shape(messages) == [["a", "b", "c"], ["d", "e"]]


def test_an_answer_without_a_question_is_an_exchange_of_its_own():
    assert shape([said("assistant", "a"), said("user", "b")]) == [["a"], ["b"]]


def test_named_speakers_of_role_user_make_consecutive_disjoint_pairs():
    messages = [said("user", c, name=n) for c, n in zip("abcde", ["Ana", "Ben", "Ana", "Ana", "Ben"], strict=True)]

    assert shape(messages) == [["a", "b"], ["c", "d"], ["e"]]


def test_one_named_speaker_makes_no_pairs():
    assert shape([said("user", "a", name="Ana"), said("user", "b", name="Ana")]) == [["a"], ["b"]]


def test_a_long_silence_starts_a_new_exchange():
    late = make.AT + timedelta(hours=5)

    assert shape([said("user", "a"), said("assistant", "b", at=late)]) == [["a"], ["b"]]
    assert shape([said("user", "a", at=late), said("assistant", "b")]) == [["a"], ["b"]]
    assert shape([said("user", "a"), said("assistant", "b", at=late)], gap_s=6 * 3600.0) == [["a", "b"]]


def test_a_silence_breaks_a_pair_and_the_next_one_starts_afresh():
    late = make.AT + timedelta(hours=5)
    messages = [
        said("user", "a", name="Ana"), said("user", "b", name="Ben", at=late),
        said("user", "c", name="Ana", at=late), said("user", "d", name="Ben", at=late),
    ]  # fmt: skip

    assert shape(messages) == [["a"], ["b", "c"], ["d"]]


def test_system_messages_join_an_exchange_and_count_for_nothing():
    messages = [said("system", "s"), said("user", "a"), said("system", "t"), said("assistant", "b"), said("user", "c")]

    assert shape(messages) == [["s", "a", "t", "b"], ["c"]]
    assert shape([said("system", "s")]) == [["s"]]
    assert shape([]) == []


def test_every_message_is_in_exactly_one_exchange_in_order():
    roles = ["system", "assistant", "user", "user", "tool", "assistant", "user"]
    messages = [said(role, str(i)) for i, role in enumerate(roles)]

    assert [c for part in shape(messages) for c in part] == [str(i) for i in range(len(roles))]


def test_the_window_holds_the_messages_before_the_exchange_and_no_others():
    talk = Conversation()
    for i in range(4):
        (exchange,) = talk.begin(make.message(f"question {i}"), make.message(f"answer {i}", role="assistant"))

    context = gather(exchange, talk.store, window=3)

    assert [m.content for m in context.window] == ["answer 1", "question 2", "answer 2"]
    assert [m.content for m in context.exchange.messages] == ["question 3", "answer 3"]


def test_recalled_memories_are_left_out_of_window_and_exchange():
    block = f"{recalled.OPEN}\n[1] Ana has a horse.\n{recalled.CLOSE}"
    talk = Conversation()
    talk.begin(make.message(f"{block}\nI have a cat."))
    (exchange,) = talk.begin(make.message(f"Please help.\n{block}"), make.message(block, role="assistant"))

    context = gather(exchange, talk.store, window=10)

    assert [m.content for m in context.window] == ["I have a cat."]
    assert [m.content for m in context.exchange.messages] == ["Please help.", ""]
    assert [m.content for m in extractable(context)] == ["Please help."]


def test_a_cut_off_block_is_left_out_to_the_end_and_a_mentioned_marker_is_text():
    assert strip(f"Hello.\n{recalled.OPEN}\n[1] Ana has a horse.") == "Hello."
    assert strip(f"What is {recalled.OPEN}? I moved.") == f"What is {recalled.OPEN}? I moved."
    assert strip('<Recalled-Memories about="x">\nold\n</ recalled-memories >\nnew') == "new"


def test_quoted_text_holds_no_marker_whatever_its_case_or_spaces():
    for marker in (recalled.OPEN, recalled.CLOSE, "< / RECALLED-memories>"):
        quoted = recalled.quote(f"a {marker} b")
        block = f"{recalled.OPEN}\n{quoted}\n{recalled.CLOSE}\nrest"

        assert strip(block) == "rest"
        assert recalled.quote(quoted) == quoted
