"""The second model of the iteration contract (tests/oracle): it agrees with the emitted code, and notices code that is broken."""

import ctypes
import glob
import itertools
import os
import re
import shutil
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [ROOT, os.path.join(ROOT, 'tests'), os.path.join(ROOT, 'tests', 'oracle')]

import turns  # noqa: E402
import drawn  # noqa: E402
from built import Built  # noqa: E402
from calls import TOLD  # noqa: E402
from play import in_a_child  # noqa: E402
from subject import HOOKS  # noqa: E402

COMPILER = ['tcc', '-std=c11'] if shutil.which('tcc') else ['cc', '-O0', '-std=c11']
SPECS = sorted(glob.glob(os.path.join(ROOT, 'specs', '*.yaml')) + glob.glob(os.path.join(ROOT, 'tests', 'specs', '*.yaml')))
TREES = ['specs/scene_tree.yaml', 'tests/specs/branches.yaml', 'tests/specs/branches_back.yaml']
RUNS, STEPS = (40, 150) if turns.FULL else (1, 60)
UNHEARD = TOLD(lambda *_: None)  # C keeps it
NOT_RUN = {'layers with a part of their operations', 'layers of which nothing says what a pass has removed', 'no T_next', 'a member behind a pointer', 'a key that is computed', 'an index by which nothing is found',
           'a hook that several containers share', 'a weight that is a key', 'a row that a function weighs', *(f'no member for {expired}' for expired in  # a function says it, of what is no member
                                                     ('scans_expiring_over', 'rung_is_over', 'tolled_is_over', 'listed_is_over'))}


def built(spec, folder, edit=None):
    made = Built(spec, str(folder))
    if edit is not None:
        with open(made.sources[0]) as stream:
            source = stream.read()
        old, new = edit
        assert old in source
        with open(made.sources[0], 'w') as stream:
            stream.write(source.replace(old, new))
    done = made.compile(COMPILER)
    assert done.returncode == 0, done.stdout
    return made, ctypes.CDLL(made.library)


def agree(spec, folder, runs, steps):
    made, library = built(spec, folder)
    assert set(made.left_out.values()) <= NOT_RUN
    wrong = []
    for subject in made.subjects:
        for seed in range(1, runs + 1):
            text = in_a_child(subject, library, seed, steps)
            if text:
                wrong.append('%s: seed %d: %s' % (subject.T, seed, text))
                break
    assert not wrong, '\n'.join(wrong)


@pytest.mark.parametrize('spec', turns.share(SPECS, 7), ids=os.path.basename)
def test_the_second_model_agrees(spec, tmp_path):
    agree(spec, tmp_path, RUNS, STEPS)


def test_its_c_keeps_to_the_types_of_the_header(tmp_path):
    """A row is of emit.size_type: tcc and older compilers only warn where another is handed on, gcc 14 refuses it."""
    if shutil.which('cc') is None:
        pytest.skip('no cc')
    done = Built(drawn.write(str(tmp_path), 36, 12), str(tmp_path)).compile(['cc', '-O0', '-std=c11'])
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize('spec', TREES)
def test_it_agrees_on_trees(spec, tmp_path):
    """One short run seldom expires what a pass is below, or moves a subtree under one."""
    agree(os.path.join(ROOT, spec), tmp_path, max(RUNS, 6), max(STEPS, 120))


@pytest.mark.parametrize('spec', turns.share(['tests/specs/scans.yaml', 'tests/specs/scans_trees.yaml', 'tests/oracle/scanned.yaml', 'tests/oracle/tried.yaml'], 4))
def test_it_agrees_on_what_few_containers_have(spec, tmp_path):
    """One short run seldom has several scans live while a key changes, or a subtree moves."""
    (tmp_path / 'ship.h').write_text(drawn.HEADER)
    path = os.path.join(ROOT, spec)
    if spec.startswith('tests/oracle/'):
        path = shutil.copy(path, str(tmp_path))
    agree(path, tmp_path, max(RUNS, 3), max(STEPS, 120))


# Of 36: T_add_from of reused slots read an element where the other container's lie.
@pytest.mark.parametrize('seed', sorted({36, *turns.share(range(1, 301 if turns.FULL else 61), 30)}))
def test_it_agrees_on_drawn_containers(seed, tmp_path):
    """Combinations of all axes that nobody chose: what a list of specs leaves out is where faults stay."""
    agree(drawn.write(str(tmp_path), seed, 12), tmp_path, 4 if turns.FULL else 1, 100)


@pytest.mark.parametrize('name', turns.share(['found', 'found_narrow'], 2))
def test_it_agrees_where_others_found_faults(name, tmp_path):
    """Each of these containers broke its contract in a way that this model did not draw."""
    (tmp_path / 'ship.h').write_text(drawn.HEADER)
    path = tmp_path / (name + '.yaml')
    shutil.copy(os.path.join(ROOT, 'tests', 'oracle', name + '.yaml'), str(path))
    agree(str(path), tmp_path, 40 if turns.FULL else 3, 120)


# What a break of the emitted code looks like, and a spec in which the model must see it.
BREAKS = [
    ('sorted_list', 'pass->next++;', ';'),
    ('sorted_list', 'pass->next--;', ';'),
    ('sorted_list', 'place < pass->next', 'place <= pass->next'),
    ('read_write_collection', 'pass->next--;', ';'),
    ('hashed_array', 'pass->next > hole', 'pass->next >= hole'),
    ('hashed_array', 'pass->next = 0;', ';'),
    ('slot_map', 'list->generations[id]++;', ';'),
    ('doubly_linked_list', 'pass->next = next;', ';'),
    ('doubly_linked_list', 'pass->next = slot;', ';'),
    ('timer_queue', 'a->due < b->due', 'a->due > b->due'),
    ('entity_list', 'crowd_destroys(list, gone);', ';'),
    ('colony', 'bespoke_bits_clear(list->alive, slot)', 'bespoke_bits_set(list->alive, slot)'),
    ('locking_list', 'return FLEET_ABSENT; /* its removal is pending already */', 'return FLEET_OK;'),
    ('lru_cache', 'pass->next = next;', ';'),
    ('branches_back', 'upward_quiet_pass_by_(cursor);', ';'),
    ('branches', 'list->born[slot] = list->births++;\n        if (slot == last)', 'if (slot == last)'),
    ('branches', 'slot == NULL ? NULL : slot->sibling', 'NULL'),
    ('branches_back', 'pass->next == (pass->back ? prev : next)', 'pass->next == next'),
    ('branches_back', 'pass->next = pass->back ? prev : next', 'pass->next = next'),
    ('branches_back', 'slot = slot->parent;\n    }\n    return slot != NULL;', 'slot = NULL;\n    }\n    return slot != NULL;'),
    ('branches_back', 'if (upward_around_passes_over_(&cursor)) {', 'if (0) {'),
    ('sorted_list', 'if (roster_is_taken_(list, from, place)) {', 'if (0) {'),
    ('sorted_list', 'place -= place == from + 1; /* it stays where it is */', ';'),
    ('rekeyed', 'if (rekeyed_id_links_is_taken_(list, from)) {', 'if (0) {'),
    ('indexes', 'indexes_ranked_key_by_rank_(&list->items[slot]) < key', 'indexes_ranked_key_by_rank_(&list->items[slot]) <= key'),
    ('indexes', 'if (key < indexes_ranked_key_by_rank_(&list->items[parent - 1])) {', 'if (key <= indexes_ranked_key_by_rank_(&list->items[parent - 1])) {'),
    ('indexes', 'if (indexes_tombs_is_taken_by_number_(list, indexes_tombs_key_by_number_(&list->items[slot]), slot)) {', 'if (0) {'),
    ('indexes', 'indexes_swap_index_drop_by_length_(list, slot, hash);', ';'),
    ('scans', 'record->at = record->back ? behind : before;', 'record->at = record->back ? before : behind;'),
    ('scans', 'record->at = to;', ';'),
    ('scans_trees', 'if (record->root == slot) {', 'if (0) {'),
    ('scans_trees', 'if (record->at == slot) {', 'if (0) {'),
    ('anywhere', '*inner = anywhere_swap_begin_after(cursor);', '*inner = anywhere_swap_begin(cursor->list);'),
    ('doubly_linked_list', 'list->changes++;', ';'),
    ('anywhere', '*pass = *(', '(void)*('),
    ('weighed', 'cached_lru_oldest_(list, equal)', 'cached_lru_oldest_(list, CACHED_LRU_NONE)'),
    ('weighed', '(count > 0 && !heavy_spliced_bears_(list, weight))', '(!heavy_spliced_bears_(list, weight))'),
    ('weighed', 'list->weight += cached_shifted_weight_of_(&list->items[slot]) - old_weight;', ';'),
    ('overwritten', 'if (!last_kept_stays_(', 'if (last_kept_stays_('),
    ('anywhere', 'pass->next = slot; /* from here', ' /* from here'),
    ('kinds', 'if (memcmp(kinds_digests_key_(&list->items[slot]), key, sizeof((((const struct asset *)0)->digest))) == 0) {', 'if (true) {'),
    ('kinds', 'strcmp(kinds_tags_key_(&list->items[kinds_tags_slot_(list, low)]), key) == 0', 'true'),
    ('kinds', 'memcmp(&a->guid, &b->guid', 'memcmp(&b->guid, &a->guid'),
    ('locked', 'list->journal[list->going[to] - 1].at = to;', ';'),
    ('locked', 'list->entering = list->journal[number].gone ? (uint32_t)number + 1 : 0;', ';'),
    ('locked', 'return list->locks > 0 || list->journal_count > 0;', 'return list->journal_count > 0;'),
    ('by_id', 'BY_ID_HOOKED_NONE ? 0 : bespoke_bits_behind(list->alive, position);', '0;'),
    ('bits', 'cursor->bit = (from - 1) % 64 + 64;', 'cursor->bit = (from - 1) % 64;'),
    ('layers', 'drawing ? list->states[layer].hidden : list->states[layer].disabled', 'list->states[layer].disabled'),
    ('layers', '*cursor = layers_placed_enter_(cursor->list, cursor->layer + 1,', '*cursor = layers_placed_enter_(cursor->list, cursor->layer + 2,'),
    ('kept_handles', '(other - other->layer)->shared.leaving = id + 1;\n    held_swap_layer_take_out_', 'held_swap_layer_take_out_'),
    ('layers', 'layers_of_rows_layer_take_from(&list->layers[layer],', 'layers_of_rows_layer_take_from(&list->layers[from],'),
    ('layers', 'layers_inline_layer_begin(&list->layers[layer]);', 'layers_inline_layer_begin(&list->layers[layer]);\n        cursor.list = NULL;'),
    ('layers', 'disabled) {\n            layers_pruned_layer_prune(', 'hidden) {\n            layers_pruned_layer_prune('),
    ('layers', 'tick.seconds = seconds * layers_before_time_scale(list, layer);', 'tick.seconds = seconds;'),
    ('layers', 'layers_waiting_layer_leave_(other, slot, true);', 'layers_waiting_layer_leave_(other, slot, false);'),
    ('layers', '*inner = layers_swapped_begin_after(cursor);', '*inner = layers_swapped_begin(cursor->list);'),
    ('sides', 'sides_swap_drop_heat_(list, list->ids[slot]);', ';'),
    ('rolled_back', 'rolled_beside_patch_(&from, list->beside, held[4]);', ';'),
    ('contexts', 'context_gap_removes(list, gone, list->context);', 'context_gap_removes(list, gone, NULL);'),
    ('reasons', 'leaves_gap_removes(list, gone, LEAVES_GAP_OVERWRITTEN);', 'leaves_gap_removes(list, gone, LEAVES_GAP_REMOVED);'),
]


@pytest.mark.parametrize('spec, old, new', turns.share(BREAKS, 4))
def test_the_second_model_notices(spec, old, new, tmp_path):
    path = next(path for path in SPECS if os.path.basename(path) == spec + '.yaml')
    made, library = built(path, tmp_path, (old, new))
    named = [subject for subject in made.subjects if subject.T in old]
    for seed, subject in itertools.product(range(1, 80), named or made.subjects):
        text = in_a_child(subject, library, seed, 120)
        assert not text.startswith('Traceback'), text  # the driver's own fault
        if text:
            return
    raise AssertionError('the model does not notice it')


@pytest.mark.parametrize('spec', ['shift_list', 'backward_list', 'read_write_collection'])
def test_no_element_may_be_moved_where_only_the_current_one_may_be_removed(spec, tmp_path):
    """The header promised that a moved element is visited, and with checks every move stopped the program."""
    made = Built(os.path.join(ROOT, 'specs', spec + '.yaml'), str(tmp_path))
    with open(made.sources[0]) as stream:
        source = stream.read()
    for subject in made.subjects:
        assert subject.settings['iteration.removes'] == 'current'
        assert ('no element may be moved.' in subject.contract) == ('move_to_back' in subject.operations)
        assert not any('is moved' in each for each in subject.contract)
        if 'move_to_back' in subject.operations:
            body = re.search(r'^\w+ %s_move_to_back\(.*?^}' % subject.T, source, re.M | re.S).group(0)
            assert 'a pass is live' in body
            assert 'No pass may be live.' in subject.operations['move_before'].brief


def interface(spec, T, folder):
    """The calls of one container of a spec, by their names."""
    made, library = built(os.path.join(ROOT, spec), folder)
    number = next(subject.number for subject in made.subjects if subject.T == T)
    library.o_told(UNHEARD)

    def call(name, *given):
        return getattr(library, 'o%d_%s' % (number, name))(*given)
    call('open')
    return call


def backward(call, *first):
    """Begins a backward pass over 1, 2, 3, makes a call, and returns what the pass visits."""
    for tag in (1, 2, 3):
        assert call('add', 0, tag, tag, 1, 0) == 0
    try:
        call('begin_backward', 0, 0)
    except AttributeError:
        call('begin', 0, 0)
    assert call(*first) == 0
    return list(iter(lambda: call('next', 0, 0), 0))


@pytest.mark.parametrize('spec, T', turns.share([
    ('tests/specs/links.yaml', 'back_relinked'), ('tests/specs/links.yaml', 'back_relinked_handles'), ('tests/specs/links.yaml', 'back_plain'),
    ('tests/specs/dense.yaml', 'resorted_back'), ('tests/specs/dense.yaml', 'shifted_back'), ('tests/specs/dense.yaml', 'compacted_both'),
    ('tests/specs/links.yaml', 'back_tied_both'), ('tests/specs/dense.yaml', 'placed_shift_both')], 2))
def test_an_add_that_names_no_position_comes_after_the_first_element(spec, T, tmp_path):
    """Also in a backward pass that has visited nothing yet."""
    assert backward(interface(spec, T, tmp_path), 'add', 0, 4, 4, 1, 0) == [3, 2, 1, 4]


@pytest.mark.parametrize('spec, T', [('tests/specs/moved.yaml', 'moved_shift_both'), ('tests/specs/moved.yaml', 'moved_both_links')])
def test_a_move_to_the_end_comes_where_an_add_comes(spec, T, tmp_path):
    """In a row it came first, over links last."""
    assert backward(interface(spec, T, tmp_path), 'move_to_back', 0, 2) == [3, 1, 2]


def test_an_add_where_a_pass_in_a_sorted_order_continues_comes_next(tmp_path):
    assert backward(interface('tests/specs/dense.yaml', 'sorted_shift_back', tmp_path), 'add', 0, 4, 4, 1, 0) == [4, 3, 2, 1]


@pytest.mark.parametrize('spec, T', [('tests/specs/dense.yaml', 'placed_shift_both'), ('tests/specs/links.yaml', 'back_tied_both')])
def test_an_insert_at_the_front_comes_next_also_among_late_elements(spec, T, tmp_path):
    call = interface(spec, T, tmp_path)
    for tag in (1, 2, 3):
        assert call('insert_after', 0, tag, tag, 1, 0, 0) == 0
    call('begin_backward', 0, 0)
    assert [call('next', 0, 0) for _ in range(3)] == [3, 2, 1]
    for tag in (4, 5):
        assert call('insert_after', 0, tag, tag, 1, 0, 0) == 0
    assert call('next', 0, 0) == 4
    assert call('insert_before', 0, 6, 6, 1, 0, 0) == 0
    assert [call('next', 0, 0) for _ in range(3)] == [6, 5, 0]


def test_the_handle_of_a_replaced_element_leads_to_the_new_one(tmp_path):
    call = interface('tests/specs/keys.yaml', 'replaced_reused', tmp_path)
    assert call('add', 0, 1, 7, 0, 0) == 0
    call('note', 0, 1, 0)
    call('begin', 0, 0)
    assert call('next', 0, 0) == 1
    assert call('add', 0, 2, 7, 0, 0) == 9
    assert call('named', 0, 0) == 2
    assert call('remove_current', 0) == 0
    assert (call('named', 0, 0), call('count', 0)) == (0, 0)
    with open(os.path.join(str(tmp_path), 'keys.h')) as stream:
        comments = ' '.join(stream.read().replace(' * ', ' ').split())
    assert 'the handle of the old element names the new one. ' in comments


def test_a_key_that_changes_during_a_clear_is_filed_among_those_that_stay(tmp_path):
    """Over links it was compared with the elements that the clear has not removed yet, and stayed before one that it belongs behind."""
    made, library = built(os.path.join(ROOT, 'tests/specs/passes_fail_fast.yaml'), tmp_path)
    number = next(subject.number for subject in made.subjects if subject.T == 'fast_linked_both')
    statuses = []

    def call(name, *given):
        return getattr(library, 'o%d_%s' % (number, name))(*given)

    def hears(_, l, kinds, tag):
        if tag == 1 and kinds & 1 << HOOKS.index('destroy'):
            statuses.extend([call('add', l, 5, 0, 1, 0), call('add', l, 6, 0, 1, 0), call('rekey', l, 5, 0, 2, 0, 0)])
    heard = TOLD(hears)
    library.o_told(UNHEARD)
    call('open')
    for tag in (1, 2, 3):
        assert call('add', 0, tag, 0, 9, 0) == 0
    library.o_told(heard)
    call('clear', 0)
    library.o_told(UNHEARD)
    assert statuses == [0, 0, 0]
    out = (ctypes.c_int * 101)()
    assert (list(out[:call('list', 0, out)]), call('check', 0)) == ([6, 5], 0)
