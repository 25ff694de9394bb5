"""What is publicly known of a container, and which members of its elements hold what the driver gives them."""

import re

from generator.language import soa
from named import Key, Sort, indexes_of, share

HOOKS = ('add', 'remove', 'destroy', 'move', 'update')
SIMPLE = re.compile(r'(?:element|a)->(\w+)')
FOLLOWED = re.compile(r'(?:->|\.)\w+->')  # a pointer in an element
NUMBER = re.compile(r'^(?:u?int(?:8|16|32|64)_t|int|unsigned|short|long|size_t|float|double|bool|engine_size)$')


WIDE = {'string', 'slice', 'bytes', 'object'}  # kinds of keys that are no numbers


class Unsupported(Exception):
    """Why this container is not run."""


class Settings:
    """The settings of a container; expressions and names of functions as text."""

    def __init__(self, container):
        self.container = container

    def __getitem__(self, path):
        value = self.container.settings.get(path)
        value = value and value.value
        return str(value) if type(value).__name__ == 'Callable_' else value


class Subject:
    """A container, and what is publicly known of it."""

    def __init__(self, container, plan, number, headers):
        self.number = number
        self.settings = container = Settings(container)
        self.plan = plan
        self.T = plan.container.full_name
        self.names = plan.T
        self.operations = {each.name: each for each in plan.operations if not each.private}
        self.statuses = {each.number: 'FULL' if each.name == 'RANGE' and plan.container['index.kind'] != 'dense' else each.name for each in plan.statuses}
        self.by = container['element.by']
        self.numbers = self.by == 'bit'  # an element is one
        self.slots = self.numbers or container['index.kind'] == 'direct'  # elements are where their numbers, or keys, say
        self.rows = self.numbers or container['layout'] == 'soa'
        at_run_time = 100 if self.slots else 5 if container['capacity.weight'] is None else 30
        self.maximum = at_run_time if container['capacity.max'] == 'run_time' else container['capacity.max']  # T_init is given it
        self.apart = min(7, max(1, ((self.maximum or 1000) - 1) // 24)) if self.slots else 1  # are pairs of the numbers in use, on average
        self.size = container['emit.size_type'] or 'size_t'
        self.kind = 'rows' if self.rows else 'value' if self.by == 'value' else 'pointer'
        self.hooks = {kind: container['hooks.' + kind] for kind in HOOKS if container['hooks.' + kind]}
        self.context, self.reasons = container['hooks.kept_context'], container['hooks.reason']
        self.of = None  # the plan of the container whose layer it is
        self.without = frozenset()  # names of draws that are left out
        self.says = ''  # the contract, as its header states it
        self._roles(headers)

    def number_of(self, tag):
        """That a tag, or a draw of a key, stands for: neighbours, and words of bits between them."""
        return tag // 2 * 2 * self.apart + tag % 2

    # -- which members of an element hold what --

    def _members(self, headers):
        listed = soa.listed(self.settings.container)
        if listed is not None:
            return [(member.name, str(member.type)) for member in listed]
        name = str(self.settings.container.element)
        name = re.sub(r'^const ', '', name).rstrip(' *')
        found = re.search(r'^(?:typedef )?(?:struct )?%s ?\{(.*?)\n\}' % re.escape(name if ' ' in name else 'struct ' + name), headers, re.S | re.M) \
            if not NUMBER.match(name) else None
        if found is None:
            return None
        members = []
        for line in found.group(1).split(';'):
            line = re.sub(r'/\*.*?\*/', '', line, flags=re.S).strip()
            match = re.match(r'^((?:\w+ )*\w+) (\**\w+(?:\[\d+\])?(?:, *\**\w+(?:\[\d+\])?)*)$', line)
            if match:
                members += [(declared.strip(), match.group(1)) for declared in match.group(2).split(',')]
        return members

    def _roles(self, headers):
        c = self.settings
        members = self._members(headers)
        self.scalar = members is None
        self.E = str(c.container.element) if self.numbers or not (self.rows and c['element.type'] is None) else self.names.row
        used = set()
        for path in ('index.field', *('element.link.' + name for name in ('next', 'prev', 'owner', 'parent', 'sibling', 'left', 'right', 'turn', 'balance'))):
            used.add(c[path])
        usable = [] if self.scalar else [(name, kind) for name, kind in members if re.match(r'^\w+$', name) and NUMBER.match(kind) and name not in used]
        numbers = [name for name, kind in usable if kind != 'bool']

        def member(expression, preferred):
            """The member that an expression reads; for a function of ours, one that suits."""
            if expression is None:
                return None
            if self.scalar:
                return '*'
            if FOLLOWED.search(str(expression)):
                raise Unsupported('a member behind a pointer')
            found = SIMPLE.search(str(expression))
            if found:
                return found.group(1)
            for name in preferred:
                if name in [each for each, _ in usable]:
                    return name
            raise Unsupported('no member for ' + str(expression))

        ident = c['test.id'] or 'id'
        arrays = {} if self.scalar else {name.strip('*').split('[')[0]: '[' in name for name, _ in members}
        self.wide = Key('key', c, arrays, {}) if c['identity.kind'] in WIDE else None  # how it is written, if it is no number
        self.wide_rank = Key('rank', Sort(c), arrays, {}) if c['sort.kind'] in WIDE else None
        if any(each is not None and each.member is None for each in (self.wide, self.wide_rank)):
            raise Unsupported('a key that is computed')
        if self.wide is not None:
            self.key = self.wide.member
        else:
            self.key = member(c['identity.key'], [ident]) if c['identity.by'] == 'key' else '*' if self.numbers or c['identity.by'] == 'value' and self.scalar else None
            if self.key is not None and not re.match(r'^(element->)?\w+$', str(c['identity.key'] or 'value')):
                raise Unsupported('a key that is computed')
        self.less, self.sort_key = c['sort.less'], c['sort.key']
        self.rank = self.wide_rank.member if self.wide_rank else member(self.less or self.sort_key, ['left', 'depth', 'due', 'y', 'place', 'id', 'length'])
        self.down = bool(self.less and '>' in str(self.less).replace('->', '').replace('>>', ''))
        shift = re.search(r'>> (\d)', str(self.less or self.sort_key or ''))
        modulus = re.search(r'% (\d+)', str(self.sort_key or ''))
        self.modulus = int(modulus.group(1)) if modulus else 0
        self.shift = int(shift.group(1)) if shift else 0
        own = {name: role for name, role in ((self.sort_key, self.rank), (c['identity.key'], self.key)) if role}
        self.indexes = indexes_of(self.plan, Settings, arrays, own)
        indexed = {index.member for index in self.indexes}
        if any(index.member is None for index in self.indexes):
            raise Unsupported('a member behind a pointer')
        self.expired = c['removal.expired']
        self.gone = member(self.expired, [name for name in ('gone', 'left', 'life', 'place') if name not in indexed]) if self.expired else None
        self.gone = None if self.gone in indexed else self.gone  # it would change a key
        compared = re.search(r'([<>]=?) *(-?\d+)$', str(self.expired or ''))
        of, than = compared.groups() if compared else ('', '0')
        self.gone_value = {'<': '%s - gone', '>': '%s + gone', '>=': '%s - !gone'}.get(of, '%s + !gone') % than
        self.gone_is_flag = self.gone is not None and ('gone' == self.gone or 'bool' in dict(usable).get(self.gone, ''))
        taken = {self.key, self.rank, self.gone}
        if self.kind == 'pointer':
            self.tag = None
        elif self.scalar:
            self.tag = '*'
        else:
            weighs = set(re.findall(r'element->(\w+)', str(c['capacity.weight'])))
            free = [name for name in numbers if name not in taken | indexed | weighs | {each.length for each in [*self.indexes, self.wide] if each}]
            knows_foreign = [index.member for index in self.indexes if index.unique and index.kind == 'integer' and index.member in numbers]
            unique = self.key is not None and c['duplicates'] != 'allow'
            self.tag = free[0] if free else self.key if unique else knows_foreign[0] if knows_foreign else None
            if self.tag is None:
                self.tag = next((name for name, kind in members if re.match(r'^\w+\[\d+\]$', name) and kind == 'char'), None) \
                    or self.rank
            if self.tag is None:
                raise Unsupported('no member for a tag')
        self.key_is_tag = self.key is not None and self.key == self.tag
        self.rank_is_tag = self.rank is not None and self.rank == self.tag
        self.rank_is_key = self.rank is not None and self.rank == self.key
        self.rank_is_gone = self.rank is not None and self.rank == self.gone
        share(self.indexes, [(role, member) for role, member in (('key', self.key), ('rank', self.rank), ('tag', self.tag)) if member])
