"""From plans to C text. Undefined names are errors; a template prints, it does not choose."""

from functools import cached_property
from typing import Any, Callable, Dict, List, Sequence, Set, Tuple

from ..containers import memberships
from ..containers.plan import Plan
from ..containers.planning import make_plan
from ..language.model import Container, Spec
from ..operations.operation import Operation
from ..parts.callbacks import Callback, called_by
from ..parts.container_parts import IndexParts
from ..text.expressions import operand
from ..text.filekinds import FUZZ
from ..text.naming import Names, marked, of_source, plain, tail
from ..text.project import CONTRACT, SUPPORT
from ..text.units import Block
from ..types.declare import constant, declare, pointer_to
from .contracts import annotation, no_annotation, operation_contract
from .environment import Known, Library, PrintedParts, environment
from .layout import tidy
from .locals import GivingWay
from .prune import Linked, Sections, chosen
from .spelling import spelled_otherwise
from .static_asserts import Guard, guards_of, needs_of
from .support import ATTRIBUTES, IN_HEADERS, IN_SOURCES, MACROS, STRUCTS, TRACING, piece


class IndexNames(Names):
    """The names of a container as the macros of a named index see them: what is the index's own has its name in it."""

    def __init__(self, parts: IndexParts):
        super().__init__(parts.container.full_name)
        self._parts = parts

    def __getitem__(self, name: str) -> str:
        return self._parts.own(name)


def _export(container: Container) -> str:
    """What stands before the declaration of a function that other sources call."""
    macro = container["emit.export"]
    return "" if macro is None else f"{macro} "


def _misuse(plan: Plan) -> Callable[[str, str], str]:
    """What says that an operation was called as it must not be."""
    functions = plan.container["emit.functions"] or "snake"
    renamed = plan.container.renamed
    return lambda operation, reason: f'{plan.TT.MISUSE_}("{renamed(operation) or tail(operation, functions)}", "{reason}");'


def _included(spec: Spec) -> Tuple[str, List[str], List[str], List[str]]:
    """What the files include: the engine's header, headers of elements, headers that define them for the source, headers of
    allocators."""
    found: List[List[str]] = []
    for path in ("emit.header", "element.header", "element.defined_in", "allocator.header"):
        named = dict.fromkeys(container[path] for container in spec.containers)
        lines = ([header if header.startswith("<") else f'"{header}"'
                  for header in named if header is not None and header != spec.handles_header])
        found.append([line for line in lines if not any(line in before for before in found)])
    engine, headers, definitions, allocators = found
    return "".join(engine), headers, definitions, allocators


def _declared(plan: Plan) -> List[Callback]:
    """The functions of its allocator that its source declares."""
    allocator = plan.parts.allocator
    return allocator.callbacks() if allocator.declared else []


def _bodies(known: Known) -> Callable[[Operation], str]:
    """What prints the body of an operation."""
    macros: Dict[Tuple[str, str], Dict[str, Callable[..., str]]] = {}  # by the template and the named index

    def body_of(operation: Operation) -> str:
        if operation.call:
            return f"    return {operation.call};"
        template, macro, *given = operation.body_of
        if operation.column:
            given += [operation.column, operation.result]
        by = (template, operation.index)
        if by not in macros:
            macros[by] = known.names["indexes"].get(operation.index, known).macros(f"operations/{template}.j2")
        return macros[by][macro](*given).strip("\n")

    return body_of


def _keeper(plan: Plan) -> Tuple[str, str]:
    """What is called of an element that may make way for another, and with which further arguments."""
    kept = plan.parts.adding.kept
    if kept is None or not kept.is_function:
        return plan.T.stays_, ""
    return called_by(plan.parts, kept), plan.parts.with_context("list")


def _weighing(plan: Plan, parts: PrintedParts) -> Dict[str, Any]:
    """The same of what an element weighs."""
    weight = plan.parts.weight

    def weight_at(slot: str) -> str:
        return parts.element.ask(weight.weigher, slot, plan.T.weight_at_, weight.context("list"))

    return {"weigher": weight.weigher, "weigher_context": weight.context, "weight_at": weight_at}


def _asked(plan: Plan, parts: PrintedParts) -> Dict[str, Any]:
    """What is asked of an element: one that a slot holds (`..._at`), or one that a pointer tells."""
    predicate = plan.container["removal.expired"]
    predicate_name = "" if predicate is None else called_by(plan.parts, predicate) if predicate.is_function else plan.T.expired_

    def more(list_: str) -> str:
        return plan.parts.with_context(list_) * bool(predicate and predicate.is_function)

    def key_at(slot: str) -> str:
        return parts.element.ask(plan.T.key_, slot, plan.T.key_at_)

    def same(element: str) -> str:
        return plan.parts.key.same(f"{plan.T.key_}({element})", "key") if plan.parts.lookup.keyed else f"{element} == element"

    def same_at(slot: str) -> str:
        return plan.parts.key.same(key_at(slot), "key") if plan.parts.lookup.keyed else f"{parts.element.ref(slot)} == element"

    def expired(list_: str, element: str) -> str:
        return recorded(list_, parts.element.ask_of(predicate_name, list_, element, plan.T.expired_at_, more(list_)))

    def expired_at(slot: str) -> str:
        return recorded("list", parts.element.ask(predicate_name, slot, plan.T.expired_at_, more("list")))

    def recorded(list_: str, asked: str) -> str:
        if not plan.traced:
            return asked
        of = f"&{marked('bespoke_trace_state')}" if plan.container.is_layer else list_  # all layers are asked as one container
        return f"{marked('BESPOKE_TRACED_ASKS')}(&{plan.T.traced_}, {of}, {asked})"

    keeper, keeper_context = _keeper(plan)

    def stays_at(slot: str) -> str:
        return parts.element.ask(keeper, slot, plan.T.stays_at_, keeper_context)

    return {"key_at": key_at, "same": same, "same_at": same_at, "expired": expired, "expired_at": expired_at,
            "stays_at": stays_at, **_weighing(plan, parts), "keeper": keeper, "keeper_context": keeper_context,
            "predicate_name": predicate_name, "predicate_context": more("list")}


def _reasons(plan: Plan) -> Tuple[Callable[..., str], ...]:
    """What hooks are told."""
    def given(why: str) -> str:
        """An argument: a reason, or the variable of that name."""
        return f", {plan.TT[why] if why != 'reason' else why}"

    def because(why: str) -> str:
        """That argument, where hooks of removals are given reasons."""
        return given(why) * plan.parts.reasons

    def coming(why: str) -> str:
        """The same where add hooks are."""
        return given(why) * plan.parts.add_reasons

    def add_for(why: str, element: str) -> str:
        """Adds an element for another reason than that it was called to."""
        return f"{plan.T.add_for_ if plan.parts.add_reasons else plan.T.add}(list, {element}{coming(why)})"

    return given, because, coming, add_for


class Renderer:
    """Renders specs; one environment serves them all."""

    def __init__(self) -> None:
        self.environment = environment()

    def known(self, plan: Plan) -> Known:
        context: Dict[str, Any] = {**self.environment.globals, **plan.context(), "export": _export(plan.container)}
        context["contracts"] = plan.container["emit.contracts"] == "acsl"
        context["contract"] = annotation if context["contracts"] else no_annotation
        hooks, misuse = context["hooks"], _misuse(plan)
        given, because, coming, add_for = _reasons(plan)

        def hook(name: str, element: str, list_: str = "list", why: str = "reason") -> str:
            """`why`: the reason that it is given, if it is given one."""
            called, told = getattr(hooks, name), given(why) * bool(plan.parts.reason_given_to(name))
            return f"{called}({list_}, {element}{told}{plan.parts.with_context(list_)});" if called else ""

        def take_out(list_: str, slot: str, moved_out: str) -> str:
            if plan.parts.removal.moves_out:
                return f"{plan.T.take_out_}({list_}, {slot}, {plan.parts.removal.telling(moved_out)});"
            return f"{plan.T.take_}({list_}, {slot});"

        def take_told(list_: str, slot: str, of: str = "") -> str:
            """The same where a variable, or a member `of` another, states how it leaves."""
            told = f", {of}{plan.parts.removal.told[1]}" * plan.parts.removal.moves_out
            return f"{plan.T.take_out_ if told else plan.T.take_}({list_}, {slot}{told});"

        def take_for(why: str, slot: str) -> str:
            """Takes what leaves for another reason than that it is removed."""
            return f"{plan.T.take_out_ if plan.parts.reasons else plan.T.take_}(list, {slot}{because(why)});"

        def take_found(key: str) -> str:
            """Takes what was just found in `slot` by this key."""
            return f"{plan.T.take_keyed_}(list, slot, {key});" if plan.parts.removal.removes_unread \
                else f"{plan.T.take_}(list, slot);"

        def took(status: str) -> str:
            return " || ".join(f"{status} == {plan.TT[name]}" for name in plan.parts.adding.taken_statuses)

        def refused(status: str) -> str:
            return " && ".join(f"{status} != {plan.TT[name]}" for name in plan.parts.adding.taken_statuses)

        def refuse_in_pass(operation: str, list_: str = "list") -> str:
            live = "live.number" if plan.parts.passes.counted else "passes"  # a hook of a clear or sweep may remove
            reason = "a pass is live, and by the spec only what it stands on may be removed (iteration.removes: current)"
            return f"if ({list_}->{live} != 0) {{\n        {misuse(operation, reason)}\n    }}"

        known = Known(self.environment, context)
        parts = PrintedParts(plan.parts, known)
        context.update(decl=declare, pointer_to=pointer_to, constant=constant, hook=hook, take_for=take_for,
                       take_told=take_told, because=because,
                       coming=coming, add_for=add_for,
                       take_out=take_out, take_found=take_found, grouped=operand,
                       refuse_in_pass=refuse_in_pass, took=took, refused=refused, operations=plan.operations, misuse=misuse,
                       parts=parts, lib=Library(known), **_asked(plan, parts))
        indexes = [self._known_of_index(each, context) for each in plan.parts.indexes.named]
        context["every"] = [parts] + [index.names["parts"] for index in indexes]
        context["indexes"] = {each.index.called: index for each, index in zip(plan.parts.indexes.named, indexes)}
        return known

    def _known_of_index(self, parts: IndexParts, around: Dict[str, Any]) -> Known:
        """What the macros of a named index know: index, key and lookup are its own, and so are the names of what they print."""
        known = Known(self.environment, {
            **around, "T": IndexNames(parts),
            "key_at": lambda slot: around["parts"].element.ask(parts.own("key_"), slot, parts.own("key_at_")),
            "take_found": lambda key: f"{parts.T.take_}(list, slot);"})
        known.names.update(parts=PrintedParts(parts, known), lib=Library(known))
        return known

    def container(self, plan: Plan, guards: Sequence[Guard] = (), remedy: str = "",
                  needs: Sequence[Tuple[str, str]] = (), declared: Sequence[Plan] = ()) -> Sections:
        """What there is of one container. `declared`: those before it in the source: it declares an allocator's functions once.
        `remedy`: the command for when the struct has lost a member that there is a guard for, in this container or before it."""
        templates = plan.templates
        known = self.known(plan)
        context = known.names
        cplusplus = plan.container["emit.cplusplus"]
        before = {callback for other in declared for callback in _declared(other)}
        context.update(cplusplus=cplusplus, guard="", remedy=remedy, needs=needs,
                       allocates=[callback for callback in _declared(plan) if callback not in before])
        if guards:
            written = self.environment.get_template("lib/guard.j2").module
            context["guard"] = written.means(guards[0], plan.T, plan.TT, any(guard.typed for guard in guards)) + "\n" + "\n".join(
                written.guard(guard, plan.T.within(guard.name) if guard.name else plan.T,
                              plan.TT.within(guard.name.upper()) if guard.name else plan.TT,
                              plan.TT, guard.name and guard.name + "_") for guard in guards)
        context["contract_of"] = lambda operation: operation_contract(known, *operation.body_of)
        context["body_of"] = _bodies(known)
        whole = self.environment.units.whole
        made = Sections(whole(known.text(f"{templates}.h.j2")), whole(known.text(f"{templates}.below.h.j2")),
                        whole(known.text("walk.j2") if cplusplus else ""),
                        whole(context["parts"].handles.types() if plan.handles_apart else ""),
                        whole(known.text("trace.j2") if plan.traced else ""), whole(known.text(f"{templates}.c.j2")))
        for each in (*context["indexes"].values(), known):
            each.release()
        return made

    def _blocks(self, spec: Spec, plans: Sequence[Plan], regenerate: str) -> List[Sections]:
        """What there is of each container, of what belongs to several behind them, and last what files have before them."""
        guarded: Set[str] = set()  # a type is guarded once in a file
        whole, nothing = self.environment.units.whole, Block("text")
        found: List[Sections] = []
        for at, plan in enumerate(plans):
            known = guards_of(plan.container, regenerate)
            guards = [guard for guard in known if guard.type not in guarded]
            guarded.update(guard.type for guard in guards)
            found.append(self.container(plan, guards, known[0].first_command if known else "",
                                        needs_of(plan.container, regenerate) if regenerate else (), plans[:at]))
        if spec.memberships:
            several = self.environment.get_template("memberships.j2").module
            functions = [memberships.facts(membership) for membership in spec.memberships]
            found.append(Sections(whole(several.header(functions, _export(spec.containers[0]))), nothing, nothing, nothing,
                                      nothing,
                                  whole(several.source(functions))))
        *_, definitions, allocators = _included(spec)
        first = spec.containers[0]
        preamble = self.environment.get_template("file.c.j2").render(
            headers=definitions + allocators, calls_malloc=any(plan.parts.allocator.calls_malloc for plan in plans),
            freestanding=first["emit.freestanding"], size_type=first["emit.size_type"] and plans[0].parts.size, T=first.names)
        found += [Sections(self._first, nothing, nothing, nothing, nothing, whole(preamble)), self._support,
                  Sections(self._tracing, nothing, nothing, nothing, nothing, nothing)]
        self.environment.units.forget()
        return found

    @cached_property
    def _first(self) -> Block:
        """What declarations of containers use, each for the headers that do."""
        return self.environment.units.whole("\n".join(self._macros(ATTRIBUTES) + self._shared(STRUCTS)))

    @cached_property
    def _tracing(self) -> Block:
        """What records calls, for the headers that do."""
        return self.environment.units.whole("\n".join(self._shared(TRACING)))

    def _macros(self, names: Sequence[str]) -> List[str]:
        """Units of macros for compilers."""
        support = self.environment.get_template("lib/support.j2").module
        return [self.environment.units.unit(f"BESPOKE_{macro.upper()}", build="all", caller=getattr(support, macro))
                for macro in names]

    def _shared(self, names: Sequence[str]) -> List[str]:
        """Units of what all containers share."""
        return [self.environment.units.unit(*piece(name).names, build="all", caller=lambda: of_source(piece(name).text))
                for name in names]

    @cached_property
    def _support(self) -> Sections:
        """What headers and what sources share, each for the files that use it."""
        units, nothing = self.environment.units, Block("text")
        return Sections(units.whole("\n".join(self._macros(MACROS) + self._shared(IN_HEADERS))), nothing, nothing, nothing,
                        nothing,
                        units.whole("\n".join(self._shared(IN_SOURCES))))

    def plans(self, spec: Spec) -> List[Plan]:
        """Of each container that is emitted: what is in its files."""
        if all(chosen(container) is None for container in spec.emitted):
            return [make_plan(container) for container in spec.emitted]
        return self.linked(spec).plans

    def linked(self, spec: Spec) -> Linked:
        """What is printed of all containers that are emitted."""
        plans = [make_plan(container) for container in spec.emitted]
        return Linked(plans, self._blocks(spec, plans, ""))

    def support(self) -> str:
        """The text of what headers share: for all of them the same, laid out as it is written."""
        return tidy(plain(self.environment.get_template("bespoke.h.j2").render(version=CONTRACT,
                                                                               pieces=[piece(name).text
                                                                                       for name in STRUCTS + IN_HEADERS
                                                                                       + IN_SOURCES])))

    def driver(self) -> str:
        """The text of what tests share: as that of headers."""
        from ..testgen.driver import Driver
        return tidy(Driver(self.environment).text())

    def files(self, spec: Spec, regenerate: str, tests: bool = False, shared: bool = False, alone: bool = True) -> Dict[str, str]:
        """File name -> text, without banner and not formatted; with `tests` also that of `<stem>_test.c`.
        `shared`: what headers share is in a file of its own; `alone`: what tests share is not."""
        plans = [make_plan(container) for container in spec.emitted]
        first = spec.containers[0]
        engine, headers, definitions, allocators = _included(spec)
        allocate = allocators if any(plan.parts.allocator.plain for plan in plans) else []
        stem = spec.stem
        macro = "".join(c if c.isalnum() else "_" for c in stem).upper()
        single = spec.files == "single"

        def files_of(printed: Sequence[Sections], own_header: str, inside: bool) -> Tuple[str, str, Sequence[str]]:
            """Header and source, and what is in the header of the handles. `inside`: the source is in the header."""
            *containers, before, support, tracing = printed
            declared, below, walks, handles, traces, sources = zip(*containers)
            source = own_header + "\n".join([before.source, "" if shared else support.source, *sources])
            header = self.environment.get_template("file.h.j2").render(
                engine=engine, shared=SUPPORT if shared else "", handles=spec.handles_header, version=CONTRACT,
                cplusplus=first["emit.cplusplus"],
                walks_any=any(text.strip() for text in walks), below=below, walks=walks,
                traces=traces, tracing=tracing.declared.strip("\n"), untraced=f"{macro}_UNTRACED",
                structs=before.declared.strip("\n"), macros=support.declared, own_name=f"{stem}.h", guard=f"BESPOKE_{macro}_H",
                headers=headers,
                copies_inline=any(plan.parts.element.copies_inline for plan in plans), freestanding=first["emit.freestanding"],
                containers=declared, implementation=source if inside else "",
                implementation_macro=f"{macro}_IMPLEMENTATION")
            return header, source, handles

        text: Dict[str, str] = {}
        untraced = f"#define {macro}_UNTRACED /* here functions are called by their own names */\n" \
            * any(plan.traced for plan in plans)
        rendered = self._blocks(spec, plans, regenerate)
        part = any(chosen(container) is not None for container in spec.emitted)
        linked = Linked(plans, rendered)
        printed = linked.texts()
        emitted = files_of(printed, "" if single else f'{untraced}#include "{stem}.h"\n\n', single)
        text[f"{stem}.h"] = emitted[0]
        if spec.handles_header:
            text[spec.handles_header] = self.environment.get_template("file.handles.h.j2").render(
                own_name=f"{stem}.h", guard=f"BESPOKE_{macro}_HANDLES_H", containers=emitted[2])
        if not single:
            text[f"{stem}.c"] = emitted[1]
        if tests:
            from ..testgen.source import Surroundings, test_file
            whole = Linked(plans, rendered, True) if part else linked
            text[f"{stem}_test.c"] = test_file(self.environment, plans, Surroundings(
                stem, engine, headers + allocate, definitions, [f'"{header}"' for header in spec.unguarded],
                [name for each in spec.memberships for name in each.names] + list(whole.external()), single,
                f"{macro}_IMPLEMENTATION", spelled_otherwise(plans),
                files_of(whole.texts(), "", False)[:2] if part else None, alone))
        give_way = GivingWay([plan.container.full_name for plan in plans], any(plan.traced for plan in plans))
        text = {name: plain(give_way(value)) for name, value in text.items()}
        text = {name: tidy(value) for name, value in text.items()}
        return text

    def fuzz(self, spec: Spec) -> Dict[str, str]:
        """File name -> text of what makes a fuzz target of the test of a spec."""
        text = self.environment.get_template("test/fuzz.c.j2").render(stem=spec.stem)
        return {spec.stem + FUZZ: tidy(text)}

    def debuggers(self, spec: Spec) -> Dict[str, str]:
        """File name -> text of what shows the containers of a spec in debuggers."""
        from . import debuggers
        plans = [make_plan(container) for container in spec.emitted]
        texts = debuggers.files(self.environment, spec.stem, plans)
        return {name: plain(text) for name, text in texts.items()}
