import pytest

from perdure.write.guard import check
from perdure.write.words import differ, marks

KEPT = [
    ("Ana has a dog", "Ana's dog is called Rex", "Ana has a dog called Rex", ()),
    ("Ana likes tea", "Ana drinks green tea every morning", "Ana likes tea, green tea every morning", ()),
    ("Ana has 2 dogs", "Ana has 3 dogs now", "Ana has 3 dogs now", ("2",)),
    ("Ana does not eat meat", "Ana eats no fish either", "Ana does not eat meat and eats no fish", ()),
    ("Ana has two cats", "Ana's cats are black", "Ana has 2 black cats", ()),
    ("安娜住在里昂", "安娜从2019年起住在里昂", "安娜从2019年起住在里昂", ()),
    ("アナはリヨンに住んでいる", "アナはリヨンの東京通りに住んでいる", "アナはリヨンの東京通りに住んでいる", ()),
    ("안나는 리옹에 산다", "안나는 리옹의 아파트에 산다", "안나는 리옹의 아파트에 산다", ()),
    ("Анна живёт в Лионе", "Анна живёт в Лионе с мужем", "Анна живёт в Лионе с мужем", ()),
]
REFUSED = [
    ("Ana lives in Lyon with Ben", "Ana lives near the station", "Ana lives near the station in Lyon", (), "ben"),
    ("Ana has 2 dogs", "Ana's dogs are black", "Ana has black dogs", (), "2"),
    ("Ana met Ben on 7 May 2023", "They met at a party", "Ana met Ben in 2023 at a party", (), "7"),
    ("Ana does not eat meat", "Ana eats meat substitutes", "Ana eats meat substitutes", (), "negation"),
    ("Ana has a dog", "Ana's dog is called Rex", "Ana has a dog called Max", (), "rex"),
    ("Ana has a dog", "Ana's dog is brown", "Ana has a brown dog from Berlin", (), "berlin"),
    ("Ana has a dog", "Ana's dog is brown", "Ana has 4 brown dogs", (), "4"),
    ("Ana a rendez-vous le 3 mai", "Ana voit un dentiste", "Ana voit un dentiste le 3", (), "mai"),
    ("安娜不吃肉", "安娜喜欢豆腐", "安娜吃肉，喜欢豆腐", (), "negation"),
    ("安娜住在里昂", "安娜有一只猫", "安娜有一只猫，住在巴黎", (), "里"),
    ("آنا تعيش في ليون", "آنا تحب الشاي", "آنا تحب الشاي", (), "ليون"),
]


@pytest.mark.parametrize(("old", "fact", "merged", "changed"), KEPT)
def test_a_merge_that_keeps_everything_and_adds_something_is_kept(old, fact, merged, changed):
    assert check(old, merged, fact=fact, changed=changed).faults == ()
    assert check(old, merged, fact=fact, changed=changed).outcome == "keep"


@pytest.mark.parametrize(("old", "fact", "merged", "changed", "fault"), REFUSED)
def test_a_merge_that_drops_or_invents_something_is_refused_by_name(old, fact, merged, changed, fault):
    verdict = check(old, merged, fact=fact, changed=changed)

    assert verdict.outcome == "refuse"
    assert fault in verdict.faults


def test_a_merge_that_adds_nothing_changes_nothing():
    assert check("Ana lives in Lyon", "Ana is living in Lyon.", fact="Ana lives in Lyon").outcome == "noop"


def test_a_merge_that_adds_nothing_but_leaves_the_fact_out_is_refused():
    verdict = check("Ana lives in Lyon", "Ana lives in Lyon", fact="Ana lives in Lyon with Ben")

    assert (verdict.outcome, verdict.faults) == ("refuse", ("ben",))


def test_changed_frees_only_the_words_that_it_names():
    verdict = check("Ana met Ben on 7 May", "Ana met Ben on 8 June at noon", fact="8 June at noon", changed=["7"])

    assert verdict.faults == ("may",)


def test_a_negation_may_be_dropped_where_the_decision_says_so():
    old, fact = "Ana does not eat fish", "Ana eats fish since March"

    assert check(old, "Ana eats fish since March", fact=fact, changed=["does not"]).outcome == "keep"


def test_numbers_are_equal_however_they_are_written():
    assert marks("Ana has three cats").numbers == marks("Ana has 3 cats").numbers == marks("٣ قطط").numbers
    assert marks("1,000 km").numbers == marks("1000 km").numbers


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Ana likes tea", "Ana likes coffee", False),
        ("Ana likes Lyon", "Ana likes Nice", True),
        ("Ana has 2 cats", "Ana has 3 cats", True),
        ("Ana eats meat", "Ana does not eat meat", True),
        ("Ana can't swim", "Ana cannot swim", False),
        ("安娜住在里昂", "安娜住在巴黎", True),
    ],
)
def test_statements_differ_if_a_name_number_or_negation_does(one, other, expected):
    assert differ(one, other) is expected
