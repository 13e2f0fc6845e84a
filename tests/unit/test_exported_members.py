import importlib

import pytest

import perdure


def test_every_public_name_can_be_had_and_none_is_listed_twice():
    assert len(set(perdure.__all__)) == len(perdure.__all__)
    for name in perdure.__all__:
        assert getattr(perdure, name) is not None


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="Nonsense"):
        perdure.Nonsense  # noqa: B018


def test_the_lazy_table_and_the_public_names_agree():
    listed = {name: home for home, names in perdure._HOMES.items() for name in names.split()}
    assert sorted(listed) == sorted(perdure.__all__)
    for name, home in listed.items():
        assert hasattr(importlib.import_module(home), name)
