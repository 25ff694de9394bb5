"""The packages of the generator import in one direction, their modules in no circle, and none of their pieces is too long."""

import ast
import os
import re

from conftest import ROOT

import generator

HERE = os.path.join(ROOT, 'generator')

def modules():
    """Every module of a package with its syntax tree, by its name without `generator.`."""
    found = {}
    for folder, _, files in os.walk(HERE):
        for file in sorted(files):
            path = os.path.join(folder, file)
            name = os.path.relpath(path, HERE)[:-len('.py')].replace(os.sep, '.')
            if file.endswith('.py') and '.' in name and not name.endswith('__init__'):
                with open(path, encoding='utf-8') as text:
                    found[name] = ast.parse(text.read(), path)
    return found


MODULES = modules()


def imported(name, tree):
    """The modules that a module imports anywhere, also in functions: name and line."""
    package = name.split('.')[:-1]
    annotations = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.If) and getattr(node.test, 'id', '') == 'TYPE_CHECKING'
                   for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in annotations:
            continue
        if isinstance(node, ast.ImportFrom):
            base = ['generator'] + package[:len(package) - node.level + 1] if node.level else []
            path = base + (node.module.split('.') if node.module else [])
            names = ['.'.join(path + [alias.name]) for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for each in names:
            parts = each.split('.')
            if parts[0] == 'generator' and len(parts) > 2:
                yield '.'.join(parts[1:3]), node.lineno


IMPORTS = {name: list(imported(name, tree)) for name, tree in MODULES.items()}


def test_packages_import_in_one_direction():
    rank = {package: at for at, package in enumerate(generator.PACKAGES)}
    assert set(rank) == {name.split('.')[0] for name in MODULES}
    wrong = ['%s:%d imports %s' % (name, line, other) for name, found in IMPORTS.items() for other, line in found
             if rank[other.split('.')[0]] > rank[name.split('.')[0]]]
    assert not wrong, 'packages import those before them in generator.PACKAGES:\n' + '\n'.join(wrong)


def test_imports_are_of_modules():
    wrong = ['%s:%d imports %s' % (name, line, other) for name, found in IMPORTS.items() for other, line in found if other not in MODULES]
    assert not wrong, '\n'.join(wrong)


def circles():
    """Modules that lead back to themselves, each circle once."""
    edges = {name: {other for other, _ in found} for name, found in IMPORTS.items()}

    def reached(start):
        seen, todo = set(), [start]
        while todo:
            for other in edges.get(todo.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen

    ahead = {name: reached(name) for name in edges}
    return {tuple(sorted(other for other in ahead[name] if name in ahead[other])) for name in edges if name in ahead[name]}


def test_no_modules_import_each_other():
    """Also within a package, and also by imports inside functions."""
    assert not circles(), 'modules import each other: ' + '; '.join(map(' and '.join, circles()))


# -- sizes -------------------------------------------------------------------------------------------------------------

MOST = {'module': 500, 'class': 300, 'function': 60}
CHECKED = ('text', 'types', 'parts', 'language', 'operations', 'output', 'pages', 'testgen', 'tool', 'containers', 'emitted')  # packages whose sizes are checked

# What is longer, each with the reason.
LONGER = {
    'text.error_codes': 'a table of data',
    'language.presets': 'a table of data',
    'language.keys': 'a table of data',
}


def sizes():
    """Modules, classes and functions with their lines: kind, name, lines. """
    for name, tree in MODULES.items():
        path = os.path.join(HERE, *name.split('.')) + '.py'
        with open(path, encoding='utf-8') as file:
            yield 'module', name, len(file.readlines())
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                yield 'class', name + '.' + node.name, node.end_lineno - node.lineno + 1
            elif isinstance(node, ast.FunctionDef):
                yield 'function', name + '.' + node.name, node.end_lineno - node.lineno + 1


def test_nothing_is_too_long():
    long = {name: '%s is a %s of %d lines; %d are the most' % (name, kind, lines, MOST[kind]) for kind, name, lines in sizes()
            if name.split('.')[0] in CHECKED and lines > MOST[kind]}
    wrong = [text for name, text in long.items() if name not in LONGER]
    assert not wrong, '\n'.join(wrong)
    assert set(LONGER) <= set(long), 'no longer too long, so remove it from LONGER: %s' % (set(LONGER) - set(long))


# -- what is printed is made right, and not mended -----------------------------------------------------------------------------------

PRINTING = ('emitted', 'parts', 'containers', 'operations')
PATTERNS = {'compile', 'sub', 'subn', 'search', 'match', 'fullmatch', 'findall', 'finditer', 'split'}  # of `re`

# Modules that look into a text all the same, and into which.
LOOKS = {
    ('emitted.compact', 'pattern'): 'which lines of a header fit beside each other is known when they are spelled',
    ('emitted.layout', 'pattern'): 'where lines end that are too long: white space',
    ('emitted.locals', 'pattern'): 'a variable that is called as a container is renamed as an editor would do it',
    ('emitted.locals', 'replace'): 'the same',
    ('emitted.environment', 'replace'): 'the line ends of a template',
    ('emitted.support', 'pattern'): 'which names a file of C defines, where it is read',
    ('emitted.support', 'replace'): 'its line ends',
    ('emitted.static_asserts', 'pattern'): 'types as headers spell them',
    ('emitted.static_asserts', 'replace'): 'a command of the shell',
    ('containers.load', 'pattern'): 'types of specs',
    ('containers.names', 'pattern'): 'types of specs',
    ('containers.plan', 'pattern'): 'types of specs',
    ('parts.element', 'pattern'): 'expressions of specs',
    ('parts.index', 'pattern'): 'expressions of specs',
    ('parts.order', 'pattern'): 'expressions of specs',
}


def called(node):
    """The object and the method of a call."""
    function = node.func
    return (getattr(function.value, 'id', ''), function.attr) if isinstance(function, ast.Attribute) else ('', '')


def test_what_is_printed_is_not_mended():
    """C and English are put together from what is known: nothing is replaced in them, and nothing is looked for."""
    found = {}
    for name, tree in MODULES.items():
        for node in ast.walk(tree) if name.split('.')[0] in PRINTING else ():
            if isinstance(node, ast.Call):
                of, method = called(node)
                what = 'replace' if method == 'replace' and of not in ('dataclasses',) else 'pattern' if of == 're' and method in PATTERNS else ''
                if what:
                    found.setdefault((name, what), []).append('%s:%d: %s' % (name, node.lineno, ast.unparse(node)[:100]))
    wrong = [line for key, lines in found.items() if key not in LOOKS for line in lines]
    assert not wrong, 'print it right, or add it to LOOKS with the reason:\n' + '\n'.join(wrong)
    assert set(LOOKS) == set(found), 'no longer there, so remove it from LOOKS: %s' % (set(LOOKS) - set(found))


def is_names(node):
    """Is it T, TT, L or LL, or such an attribute?"""
    return getattr(node, 'attr', getattr(node, 'id', '')) in ('T', 'TT', 'L', 'LL')


def test_names_are_not_put_together():
    """`{T.count}` is the name of a function, and so it is spelled and used; `{T}_count` is the type and a text."""
    wrong = []
    for name, tree in MODULES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                for before, at, behind in zip([None, *node.values], node.values, node.values[1:]):
                    if isinstance(at, ast.FormattedValue) and is_names(at.value) and str(getattr(behind, 'value', '')).startswith('_') \
                            and not re.search(r'\w\Z', str(getattr(before, 'value', ''))):
                        wrong.append('%s:%d: %s' % (name, node.lineno, ast.unparse(node)[:100]))
            elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)) and (is_names(node.left) or is_names(node.right)):
                wrong.append('%s:%d: %s' % (name, node.lineno, ast.unparse(node)[:100]))
            elif name.split('.')[0] in PRINTING and isinstance(node, ast.Constant) and isinstance(node.value, str):
                if re.search(r'\b(bespoke_\w+|BESPOKE_(?!CHECKS|CHAOS|ASAN)[A-Z_]+)\(', node.value):
                    wrong.append('%s:%d: %s: what headers share is marked(...)' % (name, node.lineno, node.value[:100]))
    assert not wrong, '\n'.join(wrong)


def test_templates_print_names_whole():
    """The same of templates, and names that headers share are known where a template is read."""
    wrong = []
    for folder, _, files in os.walk(os.path.join(ROOT, 'templates')):
        for file in files:
            with open(os.path.join(folder, file), encoding='utf-8') as text:
                for number, line in enumerate(text, 1):
                    if re.search(r'\w["\'] ~ (TT?|LL?)\.\w|\w\{\{ *(TT?|LL?)\.\w|\{\d?\}_\w|\bTT? *\}\}\{\{ *["\']_', line):
                        wrong.append('%s:%d: a part of a name is spelled by itself: %s' % (file, number, line.strip()))
                    if os.sep + 'test' in folder:
                        continue
                    if re.search(r'(?<!\w)\{\{ *(\w+\.)*(TT?|LL?) *\}\}_(?!KEPT)|\bTT? ~ ["\']_|\b(BESPOKE|bespoke)_\w*(\{\{|["\'] ~)', line):
                        wrong.append('%s:%d: a name is put together: %s' % (file, number, line.strip()))
                    if '|replace(' in line and folder.rpartition(os.sep)[2] != 'debug':  # where it is for comments of XML
                        wrong.append('%s:%d: a text is mended: %s' % (file, number, line.strip()))
    assert not wrong, '\n'.join(wrong)
