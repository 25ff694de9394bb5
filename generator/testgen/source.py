"""The generated test. Its driver (`templates/test/driver`) holds the operations, the model and the shrinker and is the same
for all containers, in a file of its own or in a test that stands alone; `container.j2` prints what it calls of each.
"""

from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

import jinja2

from ..containers.plan import Plan
from ..text.c_tokens import literal
from ..text.project import CONTRACT, DRIVER
from ..types.declare import constant, declare, pointer_to
from .driver import LABELS, Driver
from .functions import allocator_functions, plain_allocators, unsigned_calls, your_names
from .indexes import key_functions
from .keys import taking_context
from .interface import ALL_CALLS, needed
from .layers import layers_text
from .printed import Printed
from .subject import Subject, subject_of

MOST_FILLED = 5000  # containers up to this size are filled to the brim


class Surroundings(NamedTuple):
    """What the test of a spec must know of its files."""

    stem: str
    engine: str  # the header that comes first, or ''
    headers: Sequence[str]  # of elements and allocators
    definitions: Sequence[str]  # headers that may include `<stem>.h`
    unguarded: Sequence[str]  # headers that must be included once
    renamed: Sequence[str]  # the functions that are not static
    single: bool
    implementation_macro: str
    spelled: Sequence[Tuple[str, str, str]]  # T, the name of an operation, and what the two are called, where it is not T_name
    whole: Optional[Tuple[str, str]]  # header and source with all operations, where they are in no file
    alone: bool  # has it the driver in it?


def test_file(environment: jinja2.Environment, plans: Sequence[Plan], files: Surroundings) -> str:
    """The text of `<stem>_test.c`, not formatted."""
    around = [plan for plan in plans if plan.container.layer is not None]
    ordinary = [plan for plan in plans if plan.container.layer is None]
    printed = Printed([name for plan in ordinary for name in your_names(plan)], [plan.container.full_name for plan in plans])
    subjects = [subject_of(plan, printed) for plan in ordinary]
    plain = plain_allocators(ordinary)
    included = [*files.headers, *files.definitions]
    # The header of plain allocators may define them as macros, and comes before those of the test.
    once = [] if plain else [header for header in (files.engine, *included) if header in files.unguarded]
    engine = "" if files.engine in once else files.engine
    of_file = dict(own=printed.own, literal=literal, key_functions=key_functions, decl=declare, pointer_to=pointer_to,
                   constant=constant, calls=ALL_CALLS, stem=files.stem,
                   size=plans[0].parts.size, engine=engine, largest=plans[0].parts.largest, drops=files.whole is not None,
                   headers=[header for header in included if header not in once], single=files.single,
                   implementation_macro=files.implementation_macro)
    driver = Driver(environment)
    same = driver.program()
    texts: List[str] = []
    for subject in subjects:
        context = {**of_file, **subject._asdict()}
        program = printed.own_members(environment.get_template("test/paste.j2").render(context, **printed.facts()))
        texts.append(environment.get_template("test/container.j2").render(context, preface=_as_strings(program, same)))
    texts += [layers_text(environment, plan, printed) for plan in around]
    macros = (needed(plan.parts for plan in ordinary) + ["BT_WITH_LAYERS"] * bool(around)
              + ["BT_WITH_SPELLINGS"] * bool(files.spelled))
    most = max([subject.limit for subject in subjects if subject.limit is not None and subject.limit <= MOST_FILLED] or [0]) + 2
    return environment.get_template("test/file.c.j2").render({
        **files._asdict(), "version": CONTRACT, "included": f"{files.stem}.h" if files.single else f"{files.stem}.c",
        "engine": engine, "once": once,
        "driver_name": DRIVER, "driver": driver.within(macros) if files.alone else "", "macros": macros,
        "most_labels": most if most > LABELS else None,
        "assigns": any(subject.assigns for subject in subjects), "narrow": any(plan.parts.size != "size_t" for plan in ordinary),
        "plain_allocators": plain,
        "unsigned_calls": [call for plan in (*ordinary, *around) for call in unsigned_calls(plan, files.renamed)],
        "yours": list(dict.fromkeys(name for subject in subjects for name in subject.yours)), "containers": texts,
        "makers": list(dict.fromkeys(subject.maker_prototype for subject in subjects if subject.maker)),
        "prototypes": list(dict.fromkeys(prototype for subject in subjects for prototype in subject.prototypes)),
        "growing": [(subject.TT, 4 if subject.parts.storage.shrink else 2)
                    for subject in subjects if subject.grows and subject.parts.storage.begins_larger],
        "shared": shared_functions(subjects), "names": [subject.T for subject in subjects],
        "layers": [f"&bl_{plan.T}_subject" for plan in around],
        "subjects": [f"&bc_{subject.T}_subject" for subject in subjects],
        "spelled": [f'{{"{type_}", "{operation}", "{name}"}}' for type_, operation, name in files.spelled]})


def _as_strings(program: str, same: Dict[str, List[str]]) -> List[str]:
    """The lines of a program, as strings of C; a line that is the name of one of these macros stands for theirs."""
    return [line if line in same else literal(line) for line in program.strip("\n").split("\n")]


def shared_functions(subjects: Sequence[Subject]) -> str:
    """The user's functions that containers may share: predicates, keys, orders, allocators. They ask the driver."""
    texts: Dict[str, str] = {}
    asked = False  # for the context that a container keeps
    for subject in subjects:
        element, a, b = (declare(pointer_to(subject.const_element), name) for name in ("element", "a", "b"))
        context, told = taking_context(subject.parts, "bt_")
        before = len(texts)

        def add(name: Optional[str], params: str, value: str, told: str = "", result: str = "bool") -> None:
            if name is not None:
                texts.setdefault(name, f"{result} {name}_under_test({params})\n{{\n{told}    return {value};\n}}\n")

        add(subject.predicate_function, element + context, "bt_has_expired(bt_it->label(element))", told)
        add(subject.keep_function, element + context, "bt_it->stays(bt_it->label(element))", told)
        add(subject.weight_function, element + context, "bt_it->weighs(bt_it->label(element))", told, "uint64_t")
        for function in key_functions(subject.keys, subject.indexes, "bt_it->label(element)",
                                      "bt_rank_of(bt_it->label(element))", "bt_"):
            texts.setdefault(function.name, function.text(f"{function.name}_under_test"))
        asked |= context != "" and len(texts) > before
        add(subject.sort_less_function, f"{a}, {b}", "bt_rank_of(bt_it->label(a)) < bt_rank_of(bt_it->label(b))")
        if subject.own_arena:
            for function, _, text in allocator_functions(subject.parts.allocator):
                texts.setdefault(function, text)
    return "\n".join([_in_context(subjects)] * asked + list(texts.values()))


def _in_context(subjects: Sequence[Subject]) -> str:
    keeping = [f"context != &bc_{subject.T}_lists[{side}]" for subject in subjects if subject.kept_context for side in (0, 1)]
    return ("/* The context of a container is its address here. */\nstatic void bt_in_context(const void *context)\n{\n"
            f"    if ({' && '.join(keeping)}) {{\n"
            '        bt_fail("a function of yours is given a context that no container keeps");\n    }\n}\n')
