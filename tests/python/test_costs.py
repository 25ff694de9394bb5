"""What operations are said to cost, against each other: of what is built of others, none can be cheaper than they are. What adds promise to passes."""

import glob
import os
import re

import pytest
from conftest import ROOT

from generator.containers import planning as plans
from generator.containers.load import load_spec
from generator.text.diag import Diagnostics
from generator.text.naming import plain

FOLDERS = [os.path.join(ROOT, *parts) for parts in (("specs",), ("tests", "specs"))]
SPECS = [path for folder in FOLDERS for path in sorted(glob.glob(os.path.join(folder, "*.yaml")))]
ORDERS = ["1", "log n", "n / 64", "n", "n log n", "n * n"]

# What is built of what.
BUILT = {"remove_from": "remove", "take_from": "remove", "remove_key": "find", "add_all": "add"}


def worst(cost):
    """The largest bound that its text names."""
    return max(ORDERS.index(order) for order in re.findall(r"O\(([^)]*)\)", str(cost)) if order in ORDERS)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: os.path.splitext(os.path.basename(path))[0])
def test_none_costs_less_than_what_it_is_built_of(path):
    spec = load_spec(path, Diagnostics(), FOLDERS)
    for container in spec.emitted:
        costs = {operation.name: operation.cost for operation in plans.make_plan(container).operations}
        for name, cost in costs.items():  # costs are compared by their records, so these have the bounds of their texts
            if cost.bound in ORDERS:
                assert cost.growth() == worst(cost), (container.name, name, str(cost))
        for name, of in BUILT.items():
            if name in costs and of in costs:
                assert worst(costs[name]) >= worst(costs[of]), (container.name, name, str(costs[name]), of, str(costs[of]))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: os.path.splitext(os.path.basename(path))[0])
def test_a_status_that_a_header_names_is_returned(path):
    """T_remove_if named BUSY where it returns NO_MEMORY."""
    for container in load_spec(path, Diagnostics(), FOLDERS).emitted:
        for operation in plans.make_plan(container).operations:
            named = set(re.findall(r"\b(?:Returns|returns) (BUSY|NO_MEMORY|STALE|ABSENT|FOREIGN|DUPLICATE|FULL|REPLACED)\b", operation.brief))
            assert named <= set(operation.statuses), (container.name, operation.name, named)


def test_an_add_that_may_reallocate_says_so():
    """Where T_reserve moves the elements, growth by an add does, in any order."""
    found = set()
    for path in SPECS:
        for container in load_spec(path, Diagnostics(), FOLDERS).emitted:
            plan = plans.make_plan(container)
            moved = {operation.name: operation.invalidates for operation in plan.operations}
            if moved.get("reserve") == "all elements" and not plan.parts.storage.fixed:
                for name in {"add", "insert_before", "insert_after", "emplace"} & set(moved):
                    found.add((plan.parts.order.name, name))
                    assert "all elements, if it reallocates" in moved[name] or "as \x13" in moved[name], (container.name, name, moved[name])
    assert found >= {("sorted", "add"), ("appended", "add")}, found


def test_no_add_promises_a_visit_where_passes_do_not_visit_it():
    """`iteration.adds: next` holds for each call that adds, also where one names a position."""
    found = set()
    for path in SPECS:
        for container in load_spec(path, Diagnostics(), FOLDERS).emitted:
            if container["iteration.adds"] == "next":
                for operation in plans.make_plan(container).operations:
                    assert "passes visit it" not in operation.brief, (container.name, operation.name)
                    found |= {operation.name} if "Live passes do not visit it." in operation.brief else set()
    assert found >= {"add", "add_child", "insert_before", "insert_after"}, found


def test_a_move_searches_the_one_before_where_a_removal_does():
    """Links that lead one way are unlinked from the element before, whatever is done with the element then."""
    found = set()
    for path in SPECS:
        for container in load_spec(path, Diagnostics(), FOLDERS).emitted:
            costs = {operation.name: operation.cost for operation in plans.make_plan(container).operations}
            if "the one before it" in str(costs.get("remove")):
                for name in {"move_before", "move_after", "move_to_front", "move_to_back"} & set(costs):
                    found.add(name)
                    assert worst(costs[name]) == ORDERS.index("n"), (container.name, name, str(costs[name]))
    assert len(found) == 4


def test_what_an_operation_is_said_to_return_and_to_invalidate():
    """A function that returns an element returns no status; where no live pass is known, no element moves for one."""
    emplaces, swaps = set(), set()
    for path in SPECS:
        for container in load_spec(path, Diagnostics(), FOLDERS).emitted:
            for operation in plans.make_plan(container).operations:
                if not plain(operation.result).endswith("_status"):
                    assert "returns FULL" not in operation.brief, (container.name, operation.name)
                    emplaces |= {operation.name} if "as if it were full" in operation.brief else set()
                if "per live pass" in operation.invalidates:
                    swaps.add(container["iteration.removes"])
    assert emplaces == {"emplace"} and swaps == {"current", "any"}, (emplaces, swaps)


def test_the_costs_are_there():
    """Each of the pairs is in some spec, so that nothing above is looked at in vain."""
    found = set()
    for path in SPECS:
        for container in load_spec(path, Diagnostics(), FOLDERS).emitted:
            names = {operation.name for operation in plans.make_plan(container).operations}
            found |= {name for name, of in BUILT.items() if {name, of} <= names}
    assert found == set(BUILT)
