"""Classes of misuse, each as a fragment of C for any container, and what looks like misuse and is none.

In a fragment L0 and L1 are two containers, C0 and C1 cursors of theirs (o_begin(l, c) begins C<c> in L<l>), T, E and KEY the names of the
type, of the element and of the member that is the key; T_call(...) is the function of the container, o_call(...) that of its interface in
tests/oracle/adapter.py. o_put(l, tag) adds an element whose tag, key and rank are one number, o_fill(l, count) those from 1 on, o_drop(l, tag)
removes one, o_at(l, tag) is its reference, NONE that of none. EXPECT(condition) is what the caller takes for granted.
"""

import re


class Class:
    """One class. `when(s)`: with which of the subjects that have all that it calls; `escapes(s)`: where nothing finds it; `by`: the outcome
    that it must have with checks, where not any that is found will do."""

    def __init__(self, name, says, code, when=None, escapes=None, hook='', threads=False, forbidden=True, by=''):
        self.name, self.says, self.code, self.by = name, says, code, by
        self.when, self.escapes, self.hook, self.threads, self.forbidden = when, escapes, hook, threads, forbidden


def allowed(name, says, code, when=None, hook=''):
    return Class(name, says, code, when, hook=hook, forbidden=False)


def everywhere(_):
    return True


def setting(path, *values):
    return lambda s: s.settings[path] in values


def one(s):
    return s.settings['iteration.cursors'] == 'one'


def fast(s):
    return s.settings['iteration.removes'] == 'none'


def any_removal(s):
    return s.settings['iteration.removes'] == 'any'


def counted(s):
    """Passes have records, and there are so many."""
    return s.plan.parts.passes.limit is not None


def value(s):
    return s.kind == 'value'


def pointer(s):
    return s.kind == 'pointer'


def intrusive(s):
    return s.by == 'intrusive'


def outside(s):
    """Elements are elsewhere, and the container has nothing in them."""
    return pointer(s) and not intrusive(s) and s.settings['index.kind'] != 'intrusive'


def allocates(s):
    return s.plan.parts.storage.allocated


def invalidates(s, operation, *words):
    """Does a call invalidate, by what its header states, elements that one of these words stands for?"""
    return operation in s.operations and any(word in s.operations[operation].invalidates for word in words)


def relocates(s):
    """May chaos move all elements? Then it does, in each call that adds, removes or moves one, and in T_settle."""
    return s.plan.parts.storage.relocates


def add_moves(s):
    """May an add change addresses of other elements? With chaos it does wherever none is promised."""
    return relocates(s) or invalidates(s, 'add', 'all')


def removal_moves(s):
    return invalidates(s, 'remove', 'all', 'last', 'those')


def shares_granule(s):
    """AddressSanitizer knows of 8 bytes whether all of them may be read; but what chaos has moved from is freed."""
    return s.E == 'float' and not relocates(s)


def pointed_key(s):
    return 'find' in s.operations and '*' in s.operations['find'].params[1][0]


def rekeys(s, params):
    """Has it a T_rekey that takes an element; with an index also the old key?"""
    takes = s.operations['rekey'].params if 'rekey' in s.operations else ()
    return len(takes) == params and 'handle' not in takes[1][0] and s.kind != 'rows' and s.key not in (None, '*') and not deferred(s)


def deferred(s):
    return s.plan.parts.when.deferred


def ranged(s):
    """A named index that finds several elements for a number, which is 0 where nobody has said another."""
    return next((each for each in s.indexes if not each.unique and each.role == each.number and each.kind in ('integer', 'number')), None)


def ranging(change, step='next', last='%s;'):
    """What is done while a range is gone through. `last`: what becomes of the step behind it."""
    def code(s):
        index = ranged(s)
        keys = ', '.join(['0', '0'][not index.ordered:])
        return 'T_range r; o_fill(0, 4); r = T_range_%s(&L0, %s); T_next_%s(&L0, &r); %s ' % (
            index.name, keys, index.name, change) + last % ('T_%s_%s(&L0, &r)' % (step, index.name))
    return code


def scanning(then):
    """What is done with a scan over a whole index that has come to its first element."""
    def code(s):
        begin = next((name for name in s.operations if re.match('scan_all_by', name)), None)
        return begin and 'T_scan z; o_fill(0, 4); z = T_%s(&L0); T_scan_next(&z); %s' % (begin, then)
    return code


CLASSES = [
    # -- cursors --
    Class('step-after-end', '`T_next` with a cursor that was ended',
          'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_end(0); o_next(0, 0);'),
    Class('step-after-last', '`T_next` once more after it has returned no element',
          'o_fill(0, 2); o_begin(0, 0); while (o_next(0, 0) != 0) { } o_next(0, 0);'),
    Class('reader-after-change', '`T_next_const` of a reader that began before an add', by='checks',
          code='T_const_cursor r; o_fill(0, 3); r = T_begin_const(&L0); T_next_const(&r); o_put(0, 9); T_next_const(&r);'),
    Class('reader-after-removal', '`T_next_const` of a reader that began before a removal', by='checks',
          code='T_const_cursor r; o_fill(0, 3); r = T_begin_const(&L0); T_next_const(&r); o_drop(0, 3); T_next_const(&r);'),
    Class('step-of-zero', '`T_next` with a cursor that was never begun: all zero',
          'memset(&C0, 0, sizeof C0); T_next(&C0);'),
    Class('step-of-garbage', '`T_next` with a cursor in uninitialised memory',
          'memset(&C0, FILLED, sizeof C0); T_next(&C0);'),
    Class('step-after-settle', '`T_next` with a cursor from before a `T_settle`',
          'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_settle(0); o_next(0, 0);'),
    Class('step-after-deinit', '`T_next` with a cursor from before a `T_deinit`',
          'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); T_deinit(&L0); o_next(0, 0);'),
    Class('step-in-freed', '`T_next` with a cursor of a container whose own memory was freed',
          'T *heap = malloc(sizeof *heap); T_init(heap); C0 = T_begin(heap); T_deinit(heap); free(heap); T_next(&C0);'),
    Class('current-after-end', '`T_remove_current` with a cursor that was ended',
          'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_end(0); o_remove_current(0);'),
    Class('current-before-next', '`T_remove_current` before the first `T_next`',
          'o_fill(0, 3); o_begin(0, 0); o_remove_current(0);'),
    Class('current-twice', '`T_remove_current` twice',
          'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_remove_current(0); o_remove_current(0);', when=lambda s: not deferred(s)),
    Class('current-after-settle', '`T_remove_current` with a cursor from before a `T_settle`',
          'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_settle(0); o_remove_current(0);'),
    Class('current-after-deinit', '`T_remove_current` with a cursor from before a `T_deinit`',
          'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); T_deinit(&L0); o_remove_current(0);'),
    Class('cursor-twice', 'two copies of a cursor, both continued',
          'int a, b; o_fill(0, 5); o_begin(0, 0); o_next(0, 0); C1 = C0; a = o_next(0, 0); b = o_next(0, 1); EXPECT(a != b);', escapes=everywhere),
    Class('second-pass', 'a second pass where the spec allows one at a time',
          'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_begin(0, 1);', when=lambda s: one(s) and not fast(s)),
    Class('too-many-passes', 'more live passes than the spec allows',
          'int i; o_fill(0, 3); for (i = 0; i < 33; i++) { C0 = T_begin(&L0); }', when=counted),
    Class('own-cursor-in-hook', 'a cursor used in a hook that its own `T_remove_current` runs',
          'o_fill(0, 4); o_begin(0, 0); o_next(0, 0); o_remove_current(0); told = NULL; while (o_next(0, 0) != 0) { }',
          hook='if (kinds & 6) { told = NULL; o_remove_current(0); }', when=lambda s: not deferred(s) and ('destroy' in s.hooks or 'remove' in s.hooks)),
    # -- changes that a spec forbids --
    Class('other-removed', 'removal of another element during a pass, with `removes: current`',
          'int a; o_fill(0, 4); o_begin(0, 0); a = o_next(0, 0); o_drop(0, a == 3 ? 2 : 3);', when=lambda s: s.settings['iteration.removes'] == 'current'),
    Class('fail-fast-add', 'a step after an add during a fail-fast pass',
          'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_put(0, 7); o_next(0, 0);', when=fast),
    Class('fail-fast-remove', 'a step after a removal during a fail-fast pass',
          'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_drop(0, 2); o_next(0, 0);', when=lambda s: fast(s) and not s.walks),
    Class('fail-fast-clear', 'a step after `T_clear` during a fail-fast pass',
          'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_clear(0); o_next(0, 0);', when=fast),
    Class('range-add', 'an add while a range of a named index is walked', ranging('o_put(0, 7);'), when=ranged, by='checks'),
    Class('range-remove', 'a removal while a range of a named index is walked', ranging('o_drop(0, 2);'), when=ranged, by='checks'),
    Class('range-remove-returned', 'the removal of the element that a range of a named index has returned last',
          ranging('o_drop(0, 1); o_drop(0, 2); o_drop(0, 3); o_drop(0, 4);'), when=ranged, by='checks'),
    Class('range-clear', '`T_clear` while a range of a named index is walked', ranging('o_clear(0);'), when=ranged, by='checks'),
    Class('range-back', 'a removal while a range of a named index is walked from its end', ranging('o_drop(0, 2);', 'previous'),
          when=lambda s: ranged(s) is not None and ranged(s).ordered, by='checks'),
    Class('unlock', '`T_unlock` without a `T_lock`', 'T_unlock(&L0);'),
    # -- arguments --
    Class('add-null', '`T_add` of NULL', 'T_add(&L0, NULL);', when=pointer),
    Class('front-null', '`T_add_front` of NULL', 'T_add_front(&L0, NULL);', when=pointer),
    Class('replace-null', '`T_replace_at` with NULL', 'o_fill(0, 3); T_replace_at(&L0, 1, NULL);', when=pointer),
    Class('insert-null', '`T_insert_before` of NULL', 'o_fill(0, 3); T_insert_before(&L0, NULL, NULL);', when=pointer),
    Class('find-null', '`T_find` of a key that is NULL', 'o_fill(0, 3); T_find(&L0, NULL);', when=pointed_key),
    Class('add-own', '`T_add_all` with elements of the container itself',
          'E *e; o_fill(0, 3); e = o_at(0, 2); T_add_all(&L0, e, 1);', when=value),
    Class('add-from-self', '`T_add_from` with the container itself', 'o_fill(0, 3); T_add_from(&L0, &L0);'),
    Class('null-container', 'a container that is NULL', 'T *none = NULL; C0 = T_begin(none); T_next(&C0);'),
    Class('no-worker', 'a worker with a number that is not below `T_WORKERS`',
          'E it; memset(&it, 0, sizeof it); T_worker_add(&L0, 7, it);', when=lambda s: s.kind != 'pointer'),
    # -- elements --
    Class('freed-element', 'an element freed while it is in the container',
          'E *e = malloc(sizeof *e); memset(e, 0, sizeof *e); o_set(e, 5, 5, 5, 0); T_add(&L0, e); free(e); o_begin(0, 0);\n'
          '    e = T_next(&C0); if (e != NULL) { *(volatile char *)e = 1; }', when=pointer),
    Class('never-zeroed', 'an add of an element of an intrusive container in memory that was not zeroed', by='checks',
          code='E *e = malloc(sizeof *e); memset(e, FILLED, sizeof *e); T_add(&L0, e); free(e);', when=intrusive),
    Class('links-of-another', 'an add of an element of an intrusive container that was copied from one that is in a container', by='checks',
          code='E *e = malloc(sizeof *e); o_fill(0, 3); *e = o_pool[2]; T_add(&L0, e); free(e);', when=intrusive,
          escapes=lambda s: not s.plan.parts.links.doubly),
    Class('links-overwritten', 'an element cleared with memset while it is in an intrusive container',
          'o_fill(0, 3); memset(&o_pool[2], 0, sizeof o_pool[2]);', when=intrusive),
    Class('index-overwritten', 'an element cleared with memset while `index.field` holds its index',
          'o_fill(0, 3); memset(&o_pool[2], 0, sizeof o_pool[2]);', when=lambda s: pointer(s) and s.settings['index.kind'] == 'intrusive'),
    Class('key-changed', 'a key changed in place, and the element removed',
          'E *e; o_fill(0, 4); e = o_at(0, 2); e->KEY = 50; o_begin(0, 0); while (o_next(0, 0) != 0) { o_remove_current(0); }',
          when=lambda s: s.kind != 'rows' and s.key not in (None, '*') and s.settings['index.kind'] in ('hash', 'dense') and not deferred(s)),
    Class('nan', 'a sort key that is not a number, where adds sort', escapes=everywhere, code=
          'E it; memset(&it, 0, sizeof it); o_fill(0, 2); o_set(&it, 5, 5, 5, 0); it.RANK = 0.0 / (it.RANK - 5); T_add(&L0, it); o_put(0, 1); o_put(0, 7);',
          when=lambda s: value(s) and s.rank == 'due'),
    Class('rank-changed', 'a sort key changed in place where adds sort',
          'E *e; o_fill(0, 4); e = o_at(0, 2); e->RANK = 60; o_put(0, 5);',
          when=lambda s: s.kind != 'rows' and s.rank not in (None, '*') and s.settings['ordering'] == 'sorted' and s.settings['sort.when'] != 'begin'),
    Class('rank-changed-next', 'a sort key changed in place where adds sort, and an add whose search comes across it', by='checks',
          code='E *e; o_fill(0, 5); e = o_at(0, 3); e->RANK = 60; o_put(0, 6); o_drop(0, 6); o_put(0, 0); o_put(0, 61);',
          when=lambda s: s.kind != 'rows' and s.rank not in (None, '*') and s.settings['ordering'] == 'sorted' and s.settings['sort.when'] != 'begin' and not s.down),
    Class('rank-changed-in-column', 'a sort key changed in its column where adds sort, and an add whose search comes across it', by='checks',
          code='o_fill(0, 5); o_change(0, 3, 3, 60, 0); o_put(0, 6); o_drop(0, 6); o_put(0, 0);',
          when=lambda s: s.kind == 'rows' and not s.rank_is_tag and not s.rank_is_key and s.settings['ordering'] == 'sorted' and s.settings['sort.when'] != 'begin' and not s.down),
    Class('heap-key-changed', 'a key of a heap changed, and `T_pop` before `T_rekey`',
          'E *e; o_fill(0, 20); e = o_at(0, 18); e->RANK = 0; T_pop(&L0);',
          when=lambda s: s.kind == 'value' and s.rank not in (None, '*') and s.settings['ordering'] == 'heap' and not s.down),
    Class('heap-key-changed-next', 'the key of an element right below the first one of a heap changed, and `T_pop` before `T_rekey`', by='checks',
          code='E *e; o_fill(0, 5); e = o_at(0, 2); e->RANK = 0; T_pop(&L0);',
          when=lambda s: s.kind != 'rows' and s.rank not in (None, '*') and s.settings['ordering'] == 'heap' and not s.down),
    Class('kept-after-remove', 'a pointer kept over the removal of its element',
          'E *e; o_fill(0, 3); e = o_at(0, 3); o_drop(0, 3); o_set(e, 3, 3, 3, 0);', when=value, escapes=shares_granule),
    Class('removed-twice', 'two removals by one kept pointer, where a removal moves another element there',
          'E *e; o_fill(0, 5); e = o_at(0, 2); T_remove(&L0, e); EXPECT((int)T_remove(&L0, e) != STATUS(OK));',
          when=lambda s: value(s) and removal_moves(s) and s.settings['handles.kind'] == 'none', escapes=lambda s: s.key is None or not relocates(s)),
    Class('kept-after-add', 'a pointer kept over an add, where addresses are not stable',
          'E *e; o_fill(0, 3); e = o_at(0, 1); o_fill(0, 60); o_set(e, 1, 1, 1, 0);', when=lambda s: value(s) and add_moves(s),
          escapes=lambda s: not allocates(s) and s.settings['ordering'] == 'sorted'),  # the first one stays where it is
    Class('kept-after-other', 'a pointer kept over the removal of another element, where addresses are not stable',
          'E *e; o_fill(0, 5); e = o_at(0, 5); o_drop(0, 1); o_set(e, 5, 5, 5, 0);', when=lambda s: value(s) and (relocates(s) or removal_moves(s)),
          escapes=lambda s: not relocates(s) and (s.plan.parts.removal.bitmap or s.settings['ordering'] == 'fifo')),
    Class('kept-after-nested', 'a pointer kept over the removal of another element by a nested pass, where addresses are not stable',
          'E *e; o_fill(0, 5); o_begin(0, 0); e = o_at(0, o_next(0, 0)); o_begin(0, 1); o_next(0, 1); o_next(0, 1); o_remove_current(1); o_set(e, 1, 1, 1, 0);',
          when=lambda s: value(s) and relocates(s) and any_removal(s) and not deferred(s)),
    Class('kept-after-settle', 'a pointer kept over `T_settle`, where addresses are not stable',
          'E *e; o_fill(0, 5); e = o_at(0, 5); o_settle(0); o_set(e, 5, 5, 5, 0);', when=lambda s: value(s) and relocates(s)),
    Class('kept-after-clear', 'a pointer kept over `T_clear`',
          'E *e; o_fill(0, 3); e = o_at(0, 2); o_clear(0); o_set(e, 2, 2, 2, 0);', when=value),
    Class('kept-after-deinit', 'a pointer kept over `T_deinit`',
          'E *e; o_fill(0, 3); e = o_at(0, 2); T_deinit(&L0); o_set(e, 2, 2, 2, 0);', when=value, escapes=lambda s: not allocates(s)),
    Class('behind-the-last', 'a write behind the last element of `T_data`',
          'E *e; o_fill(0, 3); e = T_data(&L0); o_set(&e[3], 9, 9, 9, 0);', when=value, escapes=lambda s: not allocates(s)),
    Class('order-relied-on', 'the order of an unordered container taken for that of the adds',
          'int out[8] = {0}, i; o_fill(0, 5); o_list(0, out); for (i = 0; i < 5; i++) { EXPECT(out[i] == i + 1); }',
          escapes=lambda s: not s.plan.parts.removal.permutes, when=lambda s: s.settings['ordering'] == 'unordered' and not s.walks and not s.unlisted),
    # -- handles --
    Class('handle-after-deinit', 'a handle from before a `T_deinit`',
          'o_fill(0, 1); o_note(0, 1, 0); T_deinit(&L0); o_put(0, 2); EXPECT(o_named(0, 0) != 2);', escapes=everywhere),
    Class('handle-of-another', 'a handle of another container',
          'o_fill(0, 1); o_note(0, 1, 0); o_put(1, 2); EXPECT(o_named(1, 0) != 2);', escapes=everywhere),
    # -- containers --
    Class('copied', 'a container copied with =, and both copies changed and deinitialised',
          'o_fill(0, 3); memcpy(&L1, &L0, sizeof L0); o_put(0, 9); o_put(1, 8);', when=lambda s: allocates(s) or intrusive(s)),
    Class('moved-away', 'an intrusive container moved with =, while it has elements', by='checks',
          code='o_fill(0, 3); memcpy(&L1, &L0, sizeof L0); memset(&L0, 0, sizeof L0); T_remove(&L1, &o_pool[2]);', when=intrusive),
    Class('uninitialised', 'a container in uninitialised memory',
          'memset(&L0, FILLED, sizeof L0); o_put(0, 1); o_put(0, 2); o_begin(0, 0); o_next(0, 0);'),
    Class('leaked', 'a container that is never deinitialised', 'o_fill(0, 3); memset(&L0, 0, sizeof L0);', when=allocates),
    Class('init-again', '`T_init` of a container that has elements', 'o_fill(0, 3); T_init(&L0);', when=allocates),
    Class('threads', 'adds from two threads at a time, without a lock',
          'pthread_t other; pthread_create(&other, NULL, o_adds, NULL); o_adds(NULL); pthread_join(other, NULL);', threads=True),

    # -- scans, and passes that are kept --
    Class('scan-after-end', '`T_scan_next` of a scan that was ended', scanning('T_scan_end(&z); T_scan_next(&z);'), by='checks'),
    Class('scan-after-last', '`T_scan_next` once more after it has returned no element',
          scanning('while (T_scan_next(&z) != NONE) { } T_scan_next(&z);'), by='checks'),
    Class('scan-after-settle', '`T_scan_next` of a scan from before a `T_settle`', scanning('o_settle(0); T_scan_next(&z);'), by='checks'),
    Class('scan-after-deinit', '`T_scan_next` of a scan from before a `T_deinit`', scanning('T_deinit(&L0); T_scan_next(&z);'), by='checks'),
    Class('scan-current-twice', '`T_scan_remove_current` twice',
          scanning('T_scan_remove_current(&z); T_scan_remove_current(&z);'), by='checks', when=lambda s: not deferred(s)),
    Class('scan-current-removed', '`T_scan_remove_current` where another call has removed the element',
          scanning('o_drop(0, 1); o_drop(0, 2); o_drop(0, 3); o_drop(0, 4); T_scan_remove_current(&z);'), by='checks', when=lambda s: not deferred(s)),
    Class('keep-after-end', '`T_keep` of a pass that was ended', 'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_end(0); o_keep(0);', by='checks'),
    Class('keep-after-settle', '`T_keep` of a pass that a `T_settle` has ended',
          'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_settle(0); o_keep(0);', by='checks'),
    Class('keep-after-deinit', '`T_next` of a pass that was kept, behind a `T_deinit`', 'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_keep(0); '
          'T_deinit(&L0); o_next(0, 0);', by='checks'),

    # -- what only looks like misuse --
    allowed('scan-changed', 'removals, adds and `T_clear` under a scan', scanning(
        'o_drop(0, 2); o_put(0, 9); T_scan_next(&z); o_clear(0); o_put(0, 7); while (T_scan_next(&z) != NONE) { } EXPECT(o_count(0) == 1);'),
            when=lambda s: not deferred(s)),
    allowed('scan-left', 'a scan that is never ended, and `T_settle` once a frame', scanning('o_settle(0); T_scan_end(&z); EXPECT(o_count(0) == 4);')),
    allowed('keep-goes-on', 'a pass that was kept, continued behind a `T_settle`',
            'int n = 1; o_fill(0, 4); o_begin(0, 0); o_next(0, 0); o_keep(0); o_settle(0); while (o_next(0, 0) != 0) { n++; } EXPECT(n == 4);'),
    allowed('keep-lost', 'a pass that was kept and lost, until `T_deinit`',
            'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_keep(0); o_settle(0); o_drop(0, 2); T_deinit(&L0); o_fill(0, 2); EXPECT(o_count(0) == 2);',
            when=any_removal),
    allowed('readers-alone', 'readers where there are no other passes, none of which is ended',
            'T_const_cursor r, s; o_fill(0, 3); r = T_begin_const(&L0); T_next_const(&r); s = T_begin_const(&L0); '
            'EXPECT(T_next_const(&s) != NONE && T_next_const(&r) != NONE && T_next_const(&s) != NONE && !T_was_changed_const(&r));',
            when=setting('iteration.cursors', 'none')),
    allowed('readers', 'readers of one container within each other and within a pass, none of which is ended',
            'T_const_cursor r, s; o_fill(0, 3); o_begin(0, 0); o_next(0, 0); r = T_begin_const(&L0); T_next_const(&r); s = T_begin_const(&L0); '
            'EXPECT(T_next_const(&s) != NONE && T_next_const(&r) != NONE && T_next_const(&s) != NONE && !T_was_changed_const(&r));'),
    allowed('range-grown', '`T_reserve` and a pass while a range of a named index is walked',
            ranging('o_reserve(0, 40); o_begin(0, 0); while (o_next(0, 0) != 0) { }', last='EXPECT(%s != NONE);'), when=ranged),
    allowed('end-twice', '`T_end` twice', 'o_fill(0, 2); o_begin(0, 0); o_end(0); o_end(0); EXPECT(o_count(0) == 2);'),
    allowed('end-after-deinit', '`T_end` of a cursor from before a `T_deinit`',
            'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); T_deinit(&L0); o_end(0); o_fill(0, 2); EXPECT(o_count(0) == 2);'),
    allowed('zeroed', 'a zeroed container without `T_init`', 'memset(&L0, 0, sizeof L0); o_fill(0, 3); EXPECT(o_count(0) == 3);',
            when=lambda s: s.settings['allocator.kind'] != 'custom'),
    allowed('deinit-twice', '`T_deinit` twice, of an empty one too, and a use after it',
            'o_fill(0, 3); T_deinit(&L0); T_deinit(&L0); T_deinit(&L1); o_fill(0, 2); EXPECT(o_count(0) == 2);'),
    allowed('deinit-in-pass', '`T_deinit` while a pass is live',
            'o_fill(0, 3); o_begin(0, 0); o_next(0, 0); T_deinit(&L0); EXPECT(o_count(0) == 0);'),
    allowed('abandoned', 'a pass that is never ended, and `T_settle` once a frame',
            'int i; o_fill(0, 3); for (i = 0; i < 40; i++) { o_begin(0, 0); o_next(0, 0); o_settle(0); }'),
    allowed('abandoned-freed', 'a pass that is never ended, and its cursor ended when a later pass is live',
            'int i, n = 0; o_fill(0, 3); o_begin(0, 0); o_next(0, 0); o_settle(0); o_begin(0, 1); o_end(0); while (o_next(0, 1) != 0) { n++; } EXPECT(n == 3);'),
    allowed('copied-cursor', 'a copy of a cursor continued in place of it',
            'int n = 1; o_fill(0, 4); o_begin(0, 0); o_next(0, 0); C1 = C0; while (o_next(0, 1) != 0) { n++; } EXPECT(n == 4);'),
    allowed('most-passes', 'as many live passes as the spec allows',
            'int i, n = 0; T_cursor many[32]; o_fill(0, 3); for (i = 0; i < T_MOST; i++) { many[i] = T_begin(&L0); }\n'
            '    while (i > 0) { C0 = many[--i]; while (o_next(0, 0) != 0) { n++; } } EXPECT(n == 3 * T_MOST);', when=counted),
    allowed('remove-twice', 'a second removal by the same handle: STALE',
            'o_fill(0, 3); o_note(0, 2, 0); o_remove_handle(0, 0); EXPECT(o_remove_handle(0, 0) == STATUS(STALE)); EXPECT(o_named(0, 0) == 0); EXPECT(o_count(0) == 2);', when=lambda s: s.settings['handles.kind'] == 'generational'),
    allowed('handle-zero', 'a handle that is all zero',
            'memset(&o_h[0], 0, sizeof o_h[0]); o_fill(0, 3); EXPECT(o_named(0, 0) == 0);'),
    allowed('remove-absent', 'removal of an element that is not in the container',
            'int status; o_fill(0, 3); status = o_remove(0, 9); EXPECT(status == STATUS(ABSENT)); EXPECT(o_count(0) == 3);', when=pointer),
    allowed('foreign', 'removal of an element of another container',
            'int status; o_fill(0, 3); o_put(1, 9); status = o_remove(0, 9); EXPECT(status != 0); EXPECT(o_count(0) == 3 && o_count(1) == 1);', when=pointer),
    allowed('index-out-of-range', 'an index that is not below `T_count`',
            'o_fill(0, 3); EXPECT(o_remove_at(0, 3) == STATUS(ABSENT)); EXPECT(o_remove_at(0, -1) == STATUS(ABSENT)); EXPECT(o_count(0) == 3);'),
    allowed('get-out-of-range', '`T_get` of an index that is not below `T_count`', 'o_fill(0, 3); EXPECT(o_get(0, 3) == 0 && o_get(0, -1) == 0);'),
    allowed('pop-empty', '`T_pop` of an empty container', 'EXPECT(o_pop_away(0) != 0);'),
    allowed('in-two', 'an element in two containers', 'o_fill(0, 3); EXPECT(o_put(1, 2) == 0); o_drop(0, 2); EXPECT(o_count(1) == 1);', when=outside),
    allowed('prepared', 'an add of an element in memory that was not zeroed, behind `T_prepare`',
            'E *e = malloc(sizeof *e); memset(e, FILLED, sizeof *e); o_set(e, 5, 5, 5, 0); T_prepare(e); EXPECT((int)T_add(&L0, e) == STATUS(OK)); EXPECT(o_count(0) == 1); T_remove(&L0, e); free(e);',
            when=lambda s: bool(s.plan.parts.element.members) and s.settings['handles.kind'] == 'none'),
    allowed('in-two-intrusive', 'an element of an intrusive container added to another one: FOREIGN',
            'o_fill(0, 3); EXPECT(o_put(1, 2) == STATUS(FOREIGN)); EXPECT(o_put(0, 2) != 0); EXPECT(o_count(0) == 3 && o_count(1) == 0);', when=intrusive),
    allowed('twice', 'an add of an element that is in the container, with `duplicates: reject`',
            'o_fill(0, 3); EXPECT(o_put(0, 2) == STATUS(DUPLICATE)); EXPECT(o_count(0) == 3);', when=setting('duplicates', 'reject')),
    allowed('removed-then-freed', 'an element freed after its removal',
            'E *e = malloc(sizeof *e); memset(e, 0, sizeof *e); o_fill(0, 2); o_set(e, 5, 5, 5, 0); T_add(&L0, e); T_remove(&L0, e); free(e);\n'
            '    o_begin(0, 0); while (o_next(0, 0) != 0) { } EXPECT(o_count(0) == 2);', when=lambda s: pointer(s) and s.settings['handles.kind'] == 'none'),
    allowed('reserve-too-much', '`T_reserve` of more than there is',
            'o_fill(0, 3); EXPECT(o_reserve(0, -1) != 0); EXPECT(o_count(0) == 3);'),
    allowed('any-removed', 'removal of any element during a pass, where the spec allows it',
            'int n = 1; o_fill(0, 5); o_begin(0, 0); n += o_next(0, 0) == 0; o_drop(0, 5); o_drop(0, 4); while (o_next(0, 0) != 0) { n++; } EXPECT(n <= 5 && o_count(0) <= 5);',
            when=lambda s: any_removal(s) and not s.walks),
    allowed('current-removed', '`T_remove_current` of each, in nested passes',
            'o_fill(0, 5); o_begin(0, 0); while (o_next(0, 0) != 0) { EXPECT(o_remove_current(0) == STATUS(OK)); } EXPECT(o_count(0) == 0);', when=lambda s: not deferred(s)),
    allowed('cleared-in-pass', '`T_clear` during a pass, and an add after it',
            'o_fill(0, 5); o_begin(0, 0); o_next(0, 0); o_clear(0); o_put(0, 7); while (o_next(0, 0) != 0) { } EXPECT(o_count(0) == 1);',
            when=lambda s: not fast(s) and not deferred(s)),
    allowed('shrunk-in-pass', '`T_shrink_to_fit` and `T_reserve` during a pass',
            'int n = 1; o_fill(0, 5); o_begin(0, 0); o_next(0, 0); o_shrink_to_fit(0); o_reserve(0, 20); while (o_next(0, 0) != 0) { n++; } EXPECT(n == 5);', when=lambda s: not fast(s)),
    allowed('hook-changes', 'a hook that adds and removes',
            'o_fill(0, 4); o_begin(0, 0); o_next(0, 0); o_remove_current(0); while (o_next(0, 0) != 0) { } told = NULL;',
            when=lambda s: 'destroy' in s.hooks and any_removal(s) and not s.walks, hook='if (kinds & 4) { told = NULL; o_put(0, 40); o_drop(0, 3); }'),
    allowed('deinit-in-hook', '`T_deinit` in a hook that a removal runs',
            'o_fill(0, 4); o_begin(0, 0); o_next(0, 0); o_remove_current(0); EXPECT(o_count(0) == 0);', hook='if (kinds & 6) { told = NULL; T_deinit(&L0); }',
            when=lambda s: not deferred(s) and ('destroy' in s.hooks or 'remove' in s.hooks)),
    allowed('deinit-in-hook-of-clear', '`T_deinit` in a hook that `T_clear` runs',
            'o_fill(0, 4); o_clear(0); EXPECT(o_count(0) == 0);', hook='if (kinds & 6) { told = NULL; T_deinit(&L0); }',
            when=lambda s: not deferred(s) and ('destroy' in s.hooks or 'remove' in s.hooks)),
    allowed('moved-by-copy', 'a container moved with =, and the old one forgotten',
            'o_fill(0, 3); memcpy(&L1, &L0, sizeof L0); memset(&L0, 0, sizeof L0); o_put(1, 9); EXPECT(o_count(1) == 4 && o_count(0) == 0);',
            when=lambda s: not intrusive(s) and s.settings['allocator.kind'] != 'custom'),
    allowed('null-argument', '`T_contains` and `T_remove` of NULL',
            'o_fill(0, 3); EXPECT(!T_contains(&L0, NULL)); EXPECT((int)T_remove(&L0, NULL) == STATUS(ABSENT)); EXPECT(o_count(0) == 3);',
            when=lambda s: pointer(s) and s.settings['handles.kind'] == 'none'),
    allowed('kept-over-other', 'a pointer kept over the removal of another element, where that invalidates only the removed one, and none can be moved',
            'E *e; o_fill(0, 5); e = o_at(0, 5); o_drop(0, 1); EXPECT(o_tag(e) == 5); o_set(e, 5, 5, 5, 0);',
            when=lambda s: value(s) and 'remove' in s.operations and not removal_moves(s) and not relocates(s)),
    allowed('kept-over-add', 'a pointer kept over adds behind its element, where no add moves it',
            'E *e; o_fill(0, 3); e = o_at(0, 1); o_fill(0, 60); EXPECT(o_tag(e) == 1); o_set(e, 1, 1, 1, 0);', when=lambda s: value(s) and not add_moves(s) and not s.plan.parts.removal.permutes),
    allowed('stable', 'a pointer kept over adds and other removals, where addresses are stable',
            'E *e; o_fill(0, 5); e = o_at(0, 5); o_fill(1, 3); o_drop(0, 1); o_drop(0, 4); o_put(0, 7); EXPECT(o_tag(e) == 5); o_set(e, 5, 5, 5, 0);',
            when=lambda s: value(s) and s.settings['addresses'] == 'stable'),
    allowed('rekey-absent', '`T_rekey` of an element that is not in the container: ABSENT',
            'o_fill(0, 3); EXPECT((int)T_rekey(&L0, &o_pool[9]) == STATUS(ABSENT)); EXPECT(o_count(0) == 3);', when=lambda s: pointer(s) and rekeys(s, 2)),
    allowed('rekey-taken', '`T_rekey` to a key that another element has: DUPLICATE, and the old key again',
            'E *e; int old; o_fill(0, 3); e = o_at(0, 2); old = (int)e->KEY; e->KEY = 3; EXPECT((int)T_rekey(&L0, e) == STATUS(DUPLICATE)); e->KEY = old; EXPECT(o_count(0) == 3);',
            when=lambda s: rekeys(s, 2) and s.plan.parts.order.refuses_equal),
    allowed('rekey-wrong-key', '`T_rekey` with another old key than it had: ABSENT, and an element with the new one: DUPLICATE',
            'E *e; o_fill(0, 4); e = o_at(0, 2); e->KEY = 9; EXPECT((int)T_rekey(&L0, e, 3) == STATUS(ABSENT)); EXPECT(o_put(0, 9) == STATUS(DUPLICATE)); EXPECT(o_count(0) == 4);',
            when=lambda s: rekeys(s, 3) and s.settings['duplicates'] == 'reject'),
    allowed('rekey-mended', '`T_rekey` with another old key than it had: ABSENT, and then with the right one',
            'E *e; o_fill(0, 4); e = o_at(0, 2); e->KEY = 9; EXPECT((int)T_rekey(&L0, e, 3) == STATUS(ABSENT)); EXPECT((int)T_rekey(&L0, e, 2) == STATUS(OK));',
            when=lambda s: rekeys(s, 3)),
    allowed('rank-changed-then-told', 'a key of a heap changed, and `T_heapify`',
            'E *e; o_fill(0, 6); e = o_at(0, 6); e->RANK = 0; o_heapify(0); EXPECT(o_first(0) == 6);',
            when=lambda s: s.kind != 'rows' and s.rank not in (None, '*') and not s.down and not s.rank_is_tag),
]
