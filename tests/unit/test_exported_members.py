import importlib

import perdure


def test_every_public_name_can_be_had_and_none_is_listed_twice():
    assert sorted(set(perdure.__all__)) == perdure.__all__
    for name in perdure.__all__:
        assert getattr(perdure, name) is not None


def test_an_unknown_name_is_an_attribute_error():
    try:
        perdure.Nonsense  # noqa: B018
    except AttributeError as err:
        assert "Nonsense" in str(err)
    else:
        raise AssertionError("perdure.Nonsense exists")


def test_the_lazy_table_and_the_public_names_agree():
    listed = {name: home for home, names in perdure._HOMES.items() for name in names.split()}
    assert sorted(listed) == perdure.__all__
    for name, home in listed.items():
        assert hasattr(importlib.import_module(home), name)
