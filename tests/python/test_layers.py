"""The packages of the generator import in one direction, their modules in no circle, and none of their pieces is too long."""

import ast
import os

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
