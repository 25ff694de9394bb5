"""The library that the driver calls: what is generated from a spec, and the interface to its containers."""

import os
import re
import subprocess

from adapter import Adapter
from generator.containers.load import load_spec
from generator.emitted.render import Renderer
from generator.text.naming import plain
from generator.text.diag import Diagnostics
import functions
import layers
import sides
import states
import taking
from named import READ, TEXT
from subject import HOOKS, Settings, Subject, Unsupported

UNUSED = ('index.seed', 'persist.save', 'persist.load', 'persist.upgrade')  # functions whose calls need nothing of ours


def headers_of(path):
    """The texts of the headers beside a spec, where its elements are."""
    folder = os.path.dirname(path)
    texts = []
    for name in sorted(os.listdir(folder)):
        if name.endswith('.h'):
            with open(os.path.join(folder, name)) as stream:
                texts.append(stream.read())
    return '\n'.join(texts)


def prototypes_in(text, names):
    """What functions of ours take and return, by their declarations."""
    params, results = {}, {}
    for name in names:
        found = re.search(r'^((?:\w+ |\*)+)%s\(([^;{]*)\);' % re.escape(name), text, re.M)
        if found:
            results[name] = found.group(1).strip()
            params[name] = [re.sub(r'\w+$', '', each.strip()).strip() if each.strip() != 'void' else '' for each in found.group(2).split(',')]
    return params, results


def step_by_step(container):
    """Where the spec names what begins a pass, it has T_next, too: a loop may need none, and the driver makes steps. And what lists columns."""
    chosen = container.settings.get('emit.operations')
    if chosen is not None and chosen.value and 'each' in chosen.value:
        more = ['next'] + ['rows', 'contains', 'load', 'store'] * (container.settings['layout'].value == 'soa')
        container.settings['emit.operations'] = chosen._replace(value=type(chosen.value)(dict.fromkeys([*chosen.value, *more])))


def own_functions(plan):
    """Names of functions of ours that the container calls."""
    container = plan.container
    paths = ['hooks.' + kind for kind in HOOKS] + ['identity.key', 'identity.equal', 'identity.hash', 'identity.length', 'sort.key', 'sort.less', 'removal.expired', 'capacity.keep', 'capacity.weight',
                                                   'allocator.alloc', 'allocator.realloc', 'allocator.free']
    container = Settings(container)
    named = [name for parts in plan.parts.indexes.named for name in (Settings(parts.container)[path] for path in READ)]
    return [name for name in [container[path] for path in (*paths, *UNUSED)] + named if name and re.match(r'^\w+$', str(name))]


def allocators(container, params, results, defined, macros):
    lines = []
    container = Settings(container)
    names = [macros.get(container['allocator.' + each], container['allocator.' + each]) for each in ('alloc', 'realloc', 'free')]
    for role, name in zip(('alloc', 'realloc', 'free'), names):
        if name in params and name not in defined:
            defined.add(name)
            kinds = params[name]
            first = int(container['allocator.kind'] == 'custom')
            resized = first + (2 if container['allocator.sizes'] else 1)
            body = {'alloc': 'return malloc(a%d);' % first, 'realloc': 'return realloc(a%d, a%d);' % (first, resized), 'free': 'free(a%d);' % first}
            lines.append('%s %s(%s)\n{\n    %s\n}\n' % (results[name], name, ', '.join('%s a%d' % (kind, i) for i, kind in enumerate(kinds)), body[role]))
    return lines


class Built:
    """A spec, generated, with the interface to each of its containers, compiled into one library."""

    def __init__(self, path, folder, only=None):
        self.left_out = {}
        spec = load_spec(path, Diagnostics())
        for container in spec.containers:
            step_by_step(container)
        renderer = Renderer()
        plans = renderer.plans(spec)
        self.atomic = any(plan.container['threads.inbox'] for plan in plans)
        stem = os.path.splitext(os.path.basename(path))[0]
        for name, text in list(renderer.files(spec, '').items()) + [('bespoke.h', renderer.support())]:
            with open(os.path.join(folder, name), 'w') as stream:
                stream.write(text)
        headers = headers_of(path)
        with open(os.path.join(folder, stem + '.c')) as stream:
            source = stream.read()
        with open(os.path.join(folder, stem + '.h')) as stream:
            header = stream.read()
        names = set()
        for plan in plans:
            names.update(own_functions(plan))
        macros = dict(re.findall(r'^#define (\w+)\([^)]*\) .*?(\w+)\(', headers, re.M))
        names.update(macros[name] for name in list(names) if name in macros)
        params, results = prototypes_in('\n'.join((headers, header, source)), names)
        defined = set()
        texts, self.subjects = [], []
        for number, plan in enumerate(plans):
            container = plan.container
            name = container.full_name
            texts += allocators(container, params, results, defined, macros)
            try:
                layered = getattr(plan, 'inner', None)
                subject = Subject(layered.container if layered else container, layered or plan, number, headers)
                subject.prototypes, subject.results, subject.defined = params, results, defined
                subject.blind = subject.unlisted = subject.walks = subject.live_only = False
                adapter = Adapter(subject)
                if layered:
                    subject.of, subject.layers = plan, len(plan.layers)
                    if 'all' not in (container['emit.operations'] or ('all',)):
                        raise Unsupported('layers with a part of their operations')
                text = adapter.text()
                if layered:
                    layers.Text(adapter, plan).all()
                    text = '\n'.join(adapter.lines)
                for hook in subject.hooks.values():
                    if (hook,) in defined and not layered:
                        raise Unsupported('a hook that several containers share')
                defined.update((hook,) for hook in subject.hooks.values())
                text += ''.join(rest_of(filter(None, map(subject.settings.__getitem__, UNUSED)), params, results, defined))
                subject.contract = contract_in(header, subject.T)
                if layered:
                    subject.T = name
                texts.append(text)
                self.subjects.append(subject)
            except Unsupported as why:
                self.left_out[name] = str(why)
                texts += rest_of(own_functions(plan), params, results, defined)
        texts += ['void %s(const char *file, int line, const char *condition)\n{\n    (void)file, (void)line, (void)condition;\n    abort();\n}\n' % macros[name]
                  for name in {plan.container['emit.assert'] for plan in plans} if name in macros]
        more = sorted(set('#include "%s"\n' % plan.container['element.defined_in'] for plan in plans if plan.container['element.defined_in']))
        text = (''.join(more) + '#include "%s.h"\n#include <stdlib.h>\n#include <string.h>\n\ntypedef void (*told_function)(int, int, int, int);\n'
                'static told_function told;\nstatic const char *said;\nvoid o_told(told_function f) { told = f; }\n'
                'const char *o_said(void) { return said; }\n%s\n' % (stem, TEXT + states.TEXT + taking.TEXT + functions.TEXT + sides.TEXT)) + plain('\n'.join(texts))
        with open(os.path.join(folder, stem + '_oracle.c'), 'w') as stream:
            stream.write(text)
        self.sources = [os.path.join(folder, stem + '.c'), os.path.join(folder, stem + '_oracle.c')]
        self.library = os.path.join(folder, stem + '.so')
        self.include = ['-I' + folder, '-I' + os.path.dirname(path)]

    def compile(self, compiler):
        if self.atomic and compiler[0] == 'tcc':  # which has no atomic operations
            compiler = ['cc', '-O0', '-std=c11']
        if compiler[0] != 'tcc':
            # Of this older ones only warn, and newer ones refuse it. Without -w, which would take the warning away.
            return _run(compiler + ['-fPIC', '-Werror=incompatible-pointer-types'] + self.include + ['-shared'] + self.sources + ['-o', self.library])
        # What tcc links says nothing of its stack, so that it is taken to need one with code on it, which newer C libraries refuse to load.
        compiler = compiler + ['-fPIC', '-w'] + self.include
        objects = [source[:-2] + '.o' for source in self.sources]
        for source, name in zip(self.sources, objects):
            done = _run(compiler + ['-c', source, '-o', name])
            if done.returncode != 0:
                return done
        return _run(['cc', '-shared', '-Wl,-z,noexecstack'] + objects + ['-o', self.library])


def _run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)


def rest_of(names, params, results, defined):
    """What the library needs beside that, so that it loads."""
    lines = []
    for name in names:
        if name in params and name not in defined and (name,) not in defined:
            defined.update([name, (name,)])
            body = 'return 0x5eed;' if params[name] == [''] else 'abort();'  # a seed is all that takes nothing
            lines.append('%s %s(%s)\n{\n    %s\n}\n' % (results[name], name, ', '.join('%s a%d' % (kind, i) for i, kind in enumerate(params[name]) if kind), body))
    return lines


def contract_in(header, T):
    """What the header promises during a pass, as one line per promise."""
    like = re.search(r'^ \* %s: (?:(?!^ \*/).)*?^ \* (?:During a pass|Passes): see (\w+)\.$' % re.escape(T), header, re.M | re.S)
    if like:  # of an earlier container, with other names
        return contract_in(header, like[1])
    found = re.search(r'^ \* %s: (?:(?!^ \*/).)*?^ \* (?:During a pass|Passes):\n(.*?)^ \*\n' % re.escape(T), header, re.M | re.S)
    if found is None:
        raise Unsupported('its header states no contract')
    text = re.sub(r'^ \* ?', '', found.group(1), flags=re.M)
    return [' '.join(each.split()).replace(T, 'T') for each in re.split(r'^- ', text, flags=re.M) if each.strip()]
