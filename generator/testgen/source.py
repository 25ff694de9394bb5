"""The generated test: one C file that needs no other. The driver (`templates/test/driver`) holds the operations, the model and the
shrinker and is the same for all containers; `container.j2` prints what it calls of each.
"""

from typing import Dict, List, Optional, Sequence, Tuple

import jinja2

from ..containers.plan import Plan
from ..types.declare import declare, pointer_to
from .driver import DRIVER, LAYERS, Driver
from .functions import your_names
from .indexes import key_functions
from .interface import needed
from .layers import layers_text
from .printed import Printed, literal
from .subject import Subject, subject_of


def test_file(environment: jinja2.Environment, stem: str, plans: Sequence[Plan], engine: str, headers: Sequence[str],
              external: Sequence[str], single: bool, implementation_macro: str,
              functions: Sequence[str] = (), definitions: Sequence[str] = (),
              spelled: Sequence[Tuple[str, str, str]] = (), whole: Optional[Tuple[str, str]] = None, unguarded: Sequence[str] = ()) -> str:
    """The text of `<stem>_test.c`, not formatted. `external`: the functions of containers that are not static; `functions`:
    those that belong to no container; `definitions`: headers that may include `<stem>.h`; `engine`: one that comes first, or ''; `spelled`: see
    `Speller.pairs`; `whole`: header and source with all operations, where they are in no file; `unguarded`: headers that must be included once."""
    around = [plan for plan in plans if plan.container.layer is not None]
    ordinary = [plan for plan in plans if plan.container.layer is None]
    printed = Printed([name for plan in ordinary for name in your_names(plan)], [plan.T for plan in plans])
    has = needed(plan.parts for plan in ordinary)
    subjects = [subject_of(plan, printed, has.rules) for plan in ordinary]
    plain = list(dict.fromkeys(pair for subject in subjects for pair in subject.plain_allocators))
    included = [*headers, *definitions]
    # The header of plain allocators may define them as macros, and comes before those of the test.
    once = [] if plain else [header for header in (engine, *included) if header in unguarded]
    if engine in once:
        engine = ""
    of_file = dict(own=printed.own, literal=literal, key_functions=key_functions, decl=declare, pointer_to=pointer_to, calls=has.calls, stem=stem, size=plans[0].parts.size,
                   engine=engine, largest=plans[0].parts.largest, chosen=whole is not None,
                   headers=[header for header in included if header not in once], single=single, implementation_macro=implementation_macro)
    driver = Driver(environment, stem, subjects, [plan.T for plan in around], plain, spelled)
    assignment, spelling = driver.assignment(), driver.spelling()
    texts: List[str] = []
    for subject in subjects:
        context = {**of_file, **subject._asdict()}
        program = printed.own_members(environment.get_template("test/paste.j2").render(context, assignment=assignment, spelling_keys=spelling, **printed.facts()))
        texts.append(environment.get_template("test/container.j2").render(
            context, preface=[literal(line) for line in program.strip("\n").split("\n")]))
    if around:
        texts.insert(0, driver.text(*LAYERS))
        texts += [layers_text(environment, plan, printed) for plan in around]
    return environment.get_template("test/file.c.j2").render(
        stem=stem, whole=whole, size=of_file["size"], included=f"{stem}.h" if single else f"{stem}.c", single=single, implementation_macro=implementation_macro,
        engine=engine, headers=headers, definitions=definitions, once=once, driver=driver.text(*DRIVER), main=driver.text("main"),
        assigns=any(subject.assigns for subject in subjects), narrow=any(plan.parts.size != "size_t" for plan in ordinary), plain_allocators=plain,
        renamed=[*functions, *external],
        yours=list(dict.fromkeys(name for subject in subjects for name in subject.yours)), containers=texts,
        makers=list(dict.fromkeys(subject.maker_prototype for subject in subjects if subject.maker)),
        prototypes=list(dict.fromkeys(prototype for subject in subjects for prototype in subject.prototypes)),
        growing=[(subject.TT, 4 if subject.parts.storage.shrink else 2) for subject in subjects if subject.grows and subject.parts.storage.begins_larger],
        shared=shared_functions(subjects), names=[subject.T for subject in subjects])


def shared_functions(subjects: Sequence[Subject]) -> str:
    """The user's functions that containers may share: predicates, keys, orders, allocators. They ask the driver."""
    texts: Dict[str, str] = {}
    for subject in subjects:
        element, a, b = (declare(pointer_to(subject.const_element), name) for name in ("element", "a", "b"))
        def add(name: Optional[str], params: str, value: str) -> None:
            if name is not None:
                texts.setdefault(name, f"bool {name}_under_test({params})\n{{\n    return {value};\n}}\n")

        add(subject.predicate_function, element, "bt_has_expired(bt_it->label(element))")
        for function in key_functions(subject.keys, subject.indexes, "bt_it->label(element)", "bt_rank_of(bt_it->label(element))", "bt_"):
            texts.setdefault(function.name, function.text(f"{function.name}_under_test"))
        add(subject.sort_less_function, f"{a}, {b}", "bt_rank_of(bt_it->label(a)) < bt_rank_of(bt_it->label(b))")
        if subject.allocators:
            alloc, realloc, free = subject.allocators
            texts.setdefault(alloc, f"void *{alloc}_under_test(void *context, size_t bytes)\n{{\n    return bt_alloc(context, bytes);\n}}\n")
            texts.setdefault(realloc, f"void *{realloc}_under_test(void *context, void *block, size_t old_bytes, size_t new_bytes)\n{{\n"
                             "    bt_need_bytes(context, block, old_bytes);\n"
                             "    return bt_realloc(context, block, new_bytes);\n}\n")
            texts.setdefault(free, f"void {free}_under_test(void *context, void *block, size_t bytes)\n{{\n"
                             "    bt_need_bytes(context, block, bytes);\n    bt_free(context, block);\n}\n")
    return "\n".join(texts.values())
