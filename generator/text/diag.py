"""Located messages: what is wrong, where it stands, what would be right.

Nothing in here knows YAML or C. A `Span` points into a `Source`; a `Diagnostic` says something about it;
`Diagnostics` collects them; `render` turns one into text.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import re
import unicodedata
from typing import Iterable, List, Optional, Tuple, Union

# code -> (title, explanation, what to do). `bespoke explain BSPnnnn` prints these.
#   BSP00xx files and YAML (loader)        BSP01xx keys and values (schema)
#   BSP02xx combinations (rules)           BSP03xx names, expressions, types, headers
#   BSP04xx output and check               BSP05xx environment
CODES = {
    # -- BSP00xx: files and YAML -------------------------------------------------------------------------
    'BSP0001': (
        'file cannot be read',
        'The file does not exist, is a folder, or the system did not let Bespoke read it.',
        'Check the path and the permissions. Paths are relative to the working folder.'),
    'BSP0002': (
        'file is not UTF-8',
        'Specs are UTF-8 text. The file holds bytes that are not, at the place shown.',
        'Save the file as UTF-8; a byte order mark is accepted.'),
    'BSP0003': (
        'file is too large',
        'A spec may hold at most 1 MiB. A larger file is hardly a spec and would take very long to read.',
        'Check that the right file was given, or spread the containers over several files.'),
    'BSP0004': (
        'file is empty',
        'The file holds nothing, or nothing but comments.',
        "Write a spec, or let `bespoke new` write one to start from."),
    'BSP0005': (
        'not valid YAML',
        'The text breaks the rules of YAML at the place shown, so that what follows cannot be understood.',
        'Most often a value needs quotes, a bracket or quote is not closed, or a line is indented wrongly.'),
    'BSP0006': (
        'tab used as white space',
        'YAML does not allow tabs for indentation, since their width differs from editor to editor.',
        'Use spaces, and set the editor to insert spaces in YAML files.'),
    'BSP0007': (
        'key given twice',
        'YAML readers silently keep one of two equal keys. Which one was meant cannot be known.',
        'Remove one of the two.'),
    'BSP0008': (
        'anchors and aliases are not supported',
        'YAML anchors (&name) and aliases (*name) can make a small file expand without bounds, and hide where a '
        'value comes from. Specs do without them.',
        "Write the value out. If '&' or '*' belongs to C code, put the whole value in quotes."),
    'BSP0009': (
        'tags are not supported',
        'A YAML tag (!name or !!name) asks the reader to build a special object. Specs hold plain text, numbers, '
        'lists and mappings only.',
        "Remove the tag. If '!' belongs to C code, put the whole value in quotes."),
    'BSP0010': (
        'nested too deep',
        'Lists and mappings may be nested 32 levels deep, which is far more than any spec needs.',
        'Check the brackets and the indentation.'),
    'BSP0011': (
        'several documents in one file',
        "A line '---' begins another YAML document. A spec is a single document.",
        "Put the second document into a file of its own, or remove the '---'."),
    'BSP0012': (
        'merge keys are not supported',
        "The YAML 1.1 merge key '<<' copies the keys of another mapping. It hides where a value comes from.",
        'Write the keys out, or use a preset or an include.'),
    'BSP0013': (
        'key is not text',
        'The keys of a mapping must be plain text. A list, a mapping or nothing at all cannot be a key.',
        "Write the key as a word. A value that begins with '{' or '[' needs quotes."),
    'BSP0014': (
        'too many values',
        'A spec may hold at most 20,000 keys and values.',
        'Spread the containers over several files.'),
    'BSP0015': (
        'control character',
        'The text holds a character that is not visible or that changes the direction of the text, so that it can '
        'look different from what it is.',
        'Remove the character.'),
    # -- BSP01xx: keys and values ------------------------------------------------------------------------
    'BSP0101': (
        'unknown key',
        'A key of the spec is not one that Bespoke knows at this place.',
        'Check its spelling and the group it stands in; the help lists the keys that are known there.'),
    'BSP0102': (
        'value missing',
        'A key was given no value, or a key that must be there is not.',
        'Give a value, or leave the key out if it is optional. Every container needs an `element`.'),
    'BSP0103': (
        'invalid value',
        'The value is not one that the key takes: not one of its words, out of range, or of another kind.',
        'Use one of the values that the help lists.'),
    'BSP0104': (
        'wrong shape',
        'A mapping stands where one value is expected, a value where a mapping is, or a list where neither '
        'may be.',
        'Write it as the help shows. `{a: b}` and indented lines with `a: b` mean the same.'),
    'BSP0105': (
        'no containers',
        'A spec declares containers, and this one has none. Only a file that others include may do without.',
        'Add `containers:` with at least one container.'),
    'BSP0106': (
        'file includes itself',
        'A file includes itself, directly or by way of others.',
        'Move what both need into a third file that includes neither.'),
    'BSP0107': (
        'file cannot be included',
        'A file that is named under `include` cannot be read. Paths are relative to the file that names '
        'them.',
        'Check the path.'),
    'BSP0108': (
        'version of the language',
        'Every spec says with `bespoke: 1` which version of the language it is written in, so that later '
        'versions can read it as it was meant.',
        'Write `bespoke: 1` at the top, or update Bespoke if the spec is newer.'),
    'BSP0109': (
        'containers in an included file',
        'What is included is shared by several specs; its containers would be emitted several times.',
        'Keep `defaults` and `presets` in the included file and containers in files of their own.'),
    'BSP0110': (
        'preset defined twice',
        "The name of a preset is taken, by another one or by one of Bespoke's own.",
        'Choose another name. A preset can build on another with `preset: NAME`.'),
    'BSP0111': (
        'containers disagree about their files',
        'All containers of a spec go into the same files, so what concerns the files must be the same for '
        'all.',
        'Say it once, under `defaults`, or spread the containers over several specs.'),
    'BSP0112': (
        'spec cannot name a header',
        'The emitted files are named after the spec: `fleet.yaml` gives `fleet.h`. The name must work on '
        'every system, and must not be that of a header of the system.',
        'Rename the spec.'),
    'BSP0113': (
        'unknown preset',
        "There is no preset of that name, neither one of Bespoke's own nor under `presets`.",
        'Check its spelling; the help lists the presets. `include` the file that defines it.'),
    'BSP0114': (
        'preset builds on itself',
        'Presets build on each other in a circle, so none of them has a beginning.',
        'Take `preset` out of one of them.'),
    # -- BSP02xx: combinations ---------------------------------------------------------------------------
    'BSP0201': (
        'key means nothing here',
        'A key was given that has no effect beside the values of other keys.',
        'Leave it out, or change the other value so that it counts.'),
    'BSP0202': (
        'removal cannot keep the contract',
        'The way in which elements are removed cannot keep what another key promises to callers.',
        'Change one of the two; the help lists what would work. `removal: auto` picks a way that works.'),
    'BSP0203': (
        'predicate missing',
        'This way of removal asks the elements whether they have expired, so it must know how.',
        'Give `removal: {expired: ...}`: a C expression over `element`, or the name of a function.'),
    'BSP0204': (
        'duplicates cannot be told by address',
        'An element that is held by value is copied in. Before that it has no address in the container, so '
        'there is nothing to compare.',
        'Give an `identity`, or hold the elements by pointer.'),
    'BSP0205': (
        'key missing',
        'Elements are to be told apart by a key, but there is none.',
        'Give `identity: {key: element->id}`.'),
    'BSP0206': (
        'pointers have no value to compare',
        'For elements held by pointer, being equal would be being the same address.',
        'Leave `identity` out, or give a key.'),
    'BSP0207': (
        'values cannot be compared',
        'C has no `==` for structs and unions, and for floating point it is not what makes two values the '
        'same. A key is an integer of at most 64 bits.',
        'Give an `identity: {key: ...}` that is an integer.'),
    'BSP0208': (
        'place written into a value',
        'An intrusive index is a member of the element that says where the element is. An element held by '
        'value is where its address says.',
        'Use `index: none`, or hold the elements by pointer.'),
    'BSP0209': (
        'member of the index missing',
        'An intrusive index needs a member of the element to keep the place in.',
        'Give `index: {kind: intrusive, field: NAME}`; the member is a `uint32_t`.'),
    'BSP0210': (
        'index and duplicates',
        'An index knows one place for each element. If an element may be in twice, there are two.',
        'Use `duplicates: reject`, or `index: none`.'),
    'BSP0211': (
        'index by address of values',
        'Elements held by value are found by their address without any index.',
        'Use `index: none`, or give an `identity: {key: ...}` to find elements by.'),
    'BSP0212': (
        'one journal for all changes',
        'Deferred changes wait in one journal, in the order in which they were made. If only adds or only '
        'removals waited, the order would be lost.',
        'Defer both or neither.'),
    'BSP0213': (
        'inline storage without a maximum',
        'Inline storage is an array in the struct of the container, and C must know its size.',
        'Give `capacity: {inline: true, max: 64}`.'),
    'BSP0214': (
        'removal in inline storage',
        'This way of removal needs more slots than there are elements, which inline storage cannot give it.',
        'Use another removal, or let the container allocate.'),
    'BSP0215': (
        'storage that never grows',
        'The storage has its full size from the start, so keys about growing, shrinking or allocating mean '
        'nothing.',
        'Leave the key out.'),
    'BSP0216': (
        'start above the maximum',
        'The first allocation would be larger than the container may ever be.',
        'Lower `capacity.initial`, or raise `capacity.max`.'),
    'BSP0217': (
        'stable addresses in storage that grows',
        'An array that grows moves its elements.',
        'Use `storage: chunked`, or give a `capacity.max`, so that room for all is made once.'),
    'BSP0218': (
        'stable addresses in storage that shrinks',
        'An array that shrinks moves its elements.',
        'Use `storage: chunked`, leave out `capacity.shrink`, or use `addresses: moving`.'),
    'BSP0219': (
        'too few bits in handles',
        'The bits that a handle spends on the slot cannot number as many slots as the container may have.',
        'Lower `capacity.max`, or raise `handles.index_bits`.'),
    'BSP0220': (
        'shrinking without a share',
        '`capacity.shrink.after` says how long too little must be used, but not what too little is.',
        'Give `capacity: {shrink: {below: 25%, after: 2 s}}`.'),
    'BSP0221': (
        'move hook of elements that do not move',
        'The move hook is called when an element gets another address, which stable addresses rule out.',
        'Leave the hook out.'),
    'BSP0222': (
        'one function for two purposes',
        'The emitted code declares each function that a spec names. Under one name there can be only one, '
        'with one list of parameters.',
        'Use a function for each purpose; both can call a third.'),
    'BSP0223': (
        'incomplete allocator',
        'An allocator of your own is three functions: `alloc`, `realloc` and `free`.',
        'Name all three.'),
    'BSP0224': (
        'test of a predicate that is a function',
        '`test.expire` tells the generated test how to make an element expire. Where the predicate is a '
        'function, the test brings its own.',
        'Leave `test.expire` out.'),
    'BSP0225': (
        'preset needs a key',
        'A preset leaves to you what it cannot know: the predicate, the member, the maximum.',
        'Give the key that the message names.'),
    'BSP0226': (
        'inline storage too large',
        'A container whose elements lie in its struct is often a variable on the stack or in another '
        'struct.',
        'Lower `capacity.max`, or let the container allocate.'),
    'BSP0227': (
        'no removal keeps the contract',
        'Removal was left to Bespoke, but no way of removal keeps everything that the other keys ask for.',
        'Change one of the keys that the message names.'),
    'BSP0228': (
        'member of a type without members',
        'A key names a member of the element, but the element is a number or a pointer.',
        'Leave the key out, or hold structs.'),
    'BSP0229': (
        'key with an intrusive index',
        'An intrusive index is a member of the element that says where it is, so it finds that very element and no '
        'equal one.',
        'Use `index: hash` to find elements by key, or leave out `identity`.'),
    'BSP0230': (
        'no library to allocate from',
        'With `emit.freestanding` nothing of a C library is called, and malloc is one of its functions.',
        'Name an allocator of your own, or use `capacity.inline`, or links in the elements.'),
    'BSP0231': (
        'not a type of sizes',
        'With `emit.size_type` counts, places and rows have a type of yours instead of size_t. It must be unsigned, since '
        'arithmetic may go below zero and come back, at least as wide as int, and no wider than size_t.',
        'Use `uint32_t`, or leave `emit.size_type` out.'),
    'BSP0232': (
        'name of the engine that no header declares',
        'What `emit.export`, `emit.assert` and `emit.size_type` name must be declared where the emitted files use it: by '
        '`emit.header`, which they include first, or by the header of an element. In these, and in all that they include, the '
        'name does not occur. It is a warning, since a compiler may be told of it by an option.',
        'Name the header that declares it as `emit.header`.'),
    'BSP0233': (
        'no such operation',
        '`emit.operations` names the operations that are emitted, as the table in the header calls them, without the name of the '
        'container: `add`, `remove_current`; `each` is the loop. Which there are depends on the contract.',
        'Name one that the container has: the message lists them, and so does `bespoke explain`.'),
    'BSP0240': (
        'nothing to put into columns',
        'With `layout: soa` the container keeps each member of its elements in an array of its own. Elements that live '
        'elsewhere keep their members.',
        'Hold the elements by value, or leave the layout out.'),
    'BSP0241': (
        'members missing',
        'With `layout: soa` the container must know the members of its elements, and their types.',
        'Run `bespoke type import SPEC`, or give `element: {fields: {x: float, y: float}}`.'),
    'BSP0242': (
        'element has no members',
        'With `layout: soa` the element is a struct whose members lie in columns of their own. A number, a pointer, a '
        'union or an enum has none.',
        'Leave `element.type` out, or name a struct.'),
    'BSP0243': (
        'unknown member',
        'An expression looks at a member of the element that is not among `element.fields`.',
        'Check its spelling, or add it to the fields.'),
    'BSP0244': (
        'unknown hot member',
        '`element.hot` lists the members that get a column each. One of them is no member of the element.',
        'Check its spelling, or add it to `element.fields`.'),
    'BSP0245': (
        'all members are hot',
        'With `element.hot` some members get a column each, and the others lie together beside them. Here there are no others.',
        'Leave out `element.hot`, or name fewer members.'),
    'BSP0246': (
        'member without a column',
        'A column is an array of one member, whose cells are assigned when elements move. C does not assign arrays, and a bit-field '
        'or a member without a name cannot be an array.',
        'List in `element.hot` the members that loops look at; the others lie together, and may be of any kind.'),
    'BSP0247': (
        'other members than those of the type',
        '`element.fields` lists the members of an element, and a type lock says what was read of them from the header. The two '
        'differ, so that a member would be lost, or is not there.',
        'Leave out `element.fields`.'),
    'BSP0250': (
        'replaced by itself',
        'Elements held by pointer and known by their address are equal only to themselves, so there is nothing to replace.',
        'Use `duplicates: reject`, or give an `identity.key`.'),
    'BSP0251': (
        'replacing is not deferred',
        'With `duplicates: replace` an element takes the place of an equal one at once. Changes that wait in a journal '
        'have no place until it is replayed.',
        'Use `duplicates: reject`, or `removal: {when: immediate}`.'),
    'BSP0252': (
        'dense index without small keys',
        'A dense index is a table with an entry for every key from 0 on. Only small integers can be looked up in it.',
        'Give an `identity.key` that is a small integer, or use `index: hash`.'),
    'BSP0253': (
        'dense index that would grow in inline storage',
        'Without `index.keys` the table of a dense index grows with the largest key. Inline storage lies in the struct.',
        'Give `index: {kind: dense, keys: ...}`.'),
    'BSP0254': (
        'too many keys for a table',
        'A dense index has four bytes for each key up to `index.keys`, whether an element has it or not.',
        'Lower `index.keys`, or use `index: hash`.'),
    'BSP0255': (
        'layers without names',
        'A layered container is a fixed number of containers, one for each name in `layers`.',
        'Name them: `layers: [ground, units, air]`.'),
    'BSP0260': (
        'intrusive elements without links',
        'An intrusive element holds its links itself: the container must know which members of it they are.',
        'Name them: `element: {type: struct ship, header: ship.h, link: {next: team_next, prev: team_prev, owner: team}}`.'),
    'BSP0261': (
        'intrusive element twice in one container',
        'An element has one set of members for a container, so it can have one place in it.',
        'Leave `duplicates` out, or hold the elements by pointer.'),
    'BSP0262': (
        'key with intrusive elements',
        'An element that holds its own links says itself whether it is in; no equal one is looked for.',
        'Leave `identity` out, or hold the elements by pointer, with `index: hash`.'),
    'BSP0263': (
        'one member for two purposes',
        'A member that leads to the next element in two containers at once would be overwritten by each of them.',
        'Give the element a member for each.'),
    'BSP0264': (
        'no way back',
        'A singly linked list knows of each element the next one only, so no pass can go from the last to the first.',
        'Use `storage.links: double`, or let passes go forward.'),
    'BSP0265': (
        'a tree with links one way',
        'An element of a tree leaves with all below it, the last one first. Links that only lead on do not lead back to it.',
        'Use `storage.links: double`.'),
    'BSP0266': (
        'a tree walked backward',
        'A pass over a tree visits each element before those below it. From the last to the first they would come before it.',
        'Use `iteration.direction: forward`.'),
    'BSP0270': (
        'membership of no container',
        'A membership names containers of the same file, each once.',
        'Write the names as they stand below `containers`.'),
    'BSP0271': (
        'containers of different elements',
        'An element that leaves all its containers in one call has one type, so they must hold elements of that type.',
        'Name containers of the same `element.type`.'),
    'BSP0272': (
        'an element cannot be found',
        'To leave a container in constant time an element must be known by its address: by links in it, by an index in it, or '
        'by a hash table of addresses.',
        'Use `element: {link: ...}`, `index: {field: ...}` or `index: hash` with `identity: address`.'),
    'BSP0273': (
        'a removal that may have to wait',
        'Leaving all containers is one call, which must succeed whatever is under way.',
        'Use `removal: {when: immediate}` and `iteration: {removes: any}`.'),
    'BSP0274': (
        'destroyed too early',
        'A destroy hook may free the element, and then it cannot leave the containers that come after.',
        'Name the container with the hook last.'),
    'BSP0275': (
        'an owner of two types',
        'Two containers share the member that says which container an element is in, so its type is not known.',
        'Give the element an owner for each.'),
    'BSP0280': (
        'sorted by what?',
        "`ordering: sorted` keeps elements in the order of a key or of a comparison, which is yours to give.",
        "Give `sort.key` or `sort.less`."),
    'BSP0281': (
        'a key and a comparison',
        "`sort.key` and `sort.less` are two ways to say which of two elements comes first.",
        "Leave one out."),
    'BSP0282': (
        'an element comes in ahead of a pass',
        "Where elements come in between others, a pass that runs may have the new one ahead of it, and knows only places: it "
        "cannot go by it and leave it for the next pass.",
        "Use `iteration.adds: visited`, or let elements be added last: `sort.when: begin`, `ordering: insertion`."),
    'BSP0283': (
        'a replaced element and its order',
        "With `duplicates: replace` a new element takes over the place of an equal one. Where elements are sorted as they "
        "come in, its place may be another.",
        "Use `sort.when: begin`, or `duplicates: reject`, and remove the old one first."),
    'BSP0284': (
        'what is full?',
        'With `when_full: overwrite` an add to a full container removes the element at the other end. Without a maximum it grows '
        'instead.',
        'Give `capacity.max`.'),
    # -- BSP03xx: names, expressions, types, headers -----------------------------------------------------
    'BSP0301': (
        'unusable name',
        'A name from the spec becomes a name in C, and in C++ where the header is included there. Keywords,'
        ' reserved names and names of the standard library are taken.',
        'Choose another name, or set a prefix with `emit: {prefix: ...}`.'),
    'BSP0302': (
        'not an expression',
        'The text must be exactly one C expression that changes nothing: no statements, no assignments, no '
        'comments, no second expression.',
        'Put longer code into a function and give its name.'),
    'BSP0303': (
        'not a type',
        'The text must be one C type whose values can be copied: `struct ship`, `uint32_t`, `cpBody *`.',
        'For arrays, functions and anonymous structs, write a typedef or a struct in a header and name it '
        'here.'),
    'BSP0304': (
        'not the name of a header',
        'The text stands behind #include in the emitted code: `ship.h` or `<chipmunk/chipmunk.h>`.',
        'Write it without quotes, relative to the spec or to a folder given with -I.'),
    'BSP0305': (
        'type named like a container',
        'The emitted code declares the names of its containers; a type cannot have one of them, too.',
        'Rename the container.'),
    'BSP0306': (
        'two containers of one name',
        'Two containers of a spec would declare the same name in C, sometimes only as a macro: `fleetList` '
        'and `fleet_list` both give FLEET_LIST_EACH.',
        'Rename one, or give it an `emit: {prefix: ...}`.'),
    'BSP0307': (
        'header not found',
        'The header is neither beside the spec nor in the folders given with -I. Bespoke reads it only for '
        'the types of locks, but a wrong name would else only show when the files are compiled.',
        'Check the name, give the folder with -I, or write `<name>` to leave it to the compiler.'),
    'BSP0308': (
        'header missing',
        'The emitted code uses a type that C does not know by itself, so it must include the header that '
        'declares it.',
        'Give `element: {type: ..., header: ...}`.'),
    'BSP0309': (
        'spec named like the header of its element',
        '`ship.yaml` gives `ship.h`, which would have to include the other `ship.h`.',
        'Rename the spec.'),
    'BSP0310': (
        'function named like one of the container',
        'The container declares that name itself, as one of its operations, or a program that its generated test prints does.',
        'Rename the function.'),
    'BSP0311': (
        'member named like a function of the container',
        'With `layout: soa` every member of the element gives two functions, T_member and T_const_member. One of them '
        'has the name of something else that the container declares, such as T_count.',
        'Rename the member.'),
    'BSP0320': (
        'damaged type lock',
        'A type lock holds what `bespoke type import` read of a type in a header. This one is empty, or cut off, or holds '
        'something that no lock has, such as the marks of a merge.',
        'Run `bespoke type import SPEC`, which makes it anew from the header; or take back the one that was checked in.'),
    'BSP0321': (
        'version of a type lock',
        'The type lock is of a version that this Bespoke does not know.',
        'Update Bespoke, or run `bespoke type import SPEC`, which writes the lock again.'),
    'BSP0322': (
        'type lock was edited by hand',
        'The fingerprint at the end of a type lock is over all that stands above it, and does not fit any more. What a lock '
        'says is taken at its word, so it must be what the header says.',
        'Run `bespoke type import SPEC`, which writes it again.'),
    'BSP0323': (
        'type lock of another type',
        'The file in which the lock of a type is looked for holds that of another one: two types whose names differ in signs '
        'only, as `struct ship` and `struct_ship`, would share a file.',
        'Rename one of the types, or put the specs into two folders.'),
    'BSP0324': (
        'header cannot be read',
        'libclang found an error in the header, or in one that it includes. What is read of a header with errors may be wrong '
        'without a sign of it: a struct whose members have unknown types still has a size.',
        'Mend the header, name the folders with -I and the definitions with -D as in the build, or give --compile-commands.'),
    'BSP0325': (
        'no such type in the header',
        'The header that a container names declares no type of that name, nor does what it includes.',
        'Check the spelling; the help names what comes near. `struct ship` and `ship` are two names in C.'),
    'BSP0326': (
        'not a type of values',
        'The name stands for a function, or for nothing at all. No container can hold it.',
        'Name a struct, a union, an enum, a number or a pointer.'),
    'BSP0327': (
        'type that cannot be described',
        'A lock holds what a header says as C would write it again, with the layout that comes of it. Types that need '
        'attributes without a name, blocks, and structs laid out by options of the compiler cannot be written so.',
        'Give the type of the member a name with a typedef, or hold the elements by pointer.'),
    'BSP0328': (
        'type is not what its lock says',
        'The header has changed since the type was imported, so that what was generated may not fit any more.',
        'Run `bespoke type import SPEC` and `bespoke generate SPEC`, and check in what they write; in a CMake build, build '
        'the target bespoke-regen.'),
    'BSP0330': (
        'type that cannot be copied',
        'A container that holds elements by value copies them. That cannot be done with a type that is only declared, an array, '
        'a struct that ends in an array without a length, or one with const members.',
        'Use `element: {by: pointer}`.'),
    'BSP0331': (
        'no such member in the type',
        'A key names a member of the element that its type does not have, as far as is known from its lock.',
        'Check the spelling. If the header has changed, run `bespoke type import SPEC`.'),
    # -- BSP04xx: output and check -----------------------------------------------------------------------
    'BSP0402': (
        'a file that Bespoke did not write is in the way',
        'A file with the name of an output exists, and has no banner of Bespoke. It may be somebody\'s work, so that '
        'nothing was written.',
        'Move the file away, or generate into another folder with -o.'),
    'BSP0403': (
        'generated file was edited by hand',
        'The banner of a generated file holds a seal over its tokens and comments. It does not match any more, so '
        'somebody has changed the file. Formatting it in another style does not break the seal.',
        'Make the change in the spec, then run `bespoke generate --force`, which overwrites the file.'),
    'BSP0404': (
        'output would leave its folder',
        'An output file is a link that leads out of the output folder, or its name holds a path.',
        'Remove the link.'),
    'BSP0405': (
        'file cannot be written',
        'The system did not let Bespoke write a file. No output file was changed.',
        'Check the path, the permissions and the space left.'),
    'BSP0406': (
        'two specs give the same file',
        'Output files are named after the spec file. Two specs of one call would write to the same place.',
        'Rename one of the specs, or generate them into different folders.'),
    'BSP0407': (
        'two specs give the same C name',
        'Containers of the same name cannot be linked into one program, wherever their specs lie.',
        'Rename one of them, or give it an `emit.prefix`.'),
    'BSP0408': (
        'generated file is stale',
        'A generated file is not what its spec says now: the spec, something it includes, or Bespoke has changed '
        'since the file was generated.',
        'Run `bespoke generate` and check in what it writes.'),
    'BSP0409': (
        'generated file is missing',
        'A spec gives a file that is not in the output folder.',
        'Run `bespoke generate` and check in what it writes.'),
    'BSP0410': (
        'file without a spec',
        'A file with a banner of Bespoke is in the output folder, but no spec gives it any more; or a type lock is left whose type '
        'no spec beside it has elements of.',
        'Remove it, or bring its spec back. `bespoke type import SPEC` removes such locks.'),
    'BSP0411': (
        'nothing to work on',
        'There is no spec, or no folder to compare with. A check that could not run is a failure.',
        'Name the specs on the command line, or put them into specs/; name the output folder with -o.'),
    # -- BSP05xx: environment ----------------------------------------------------------------------------
    'BSP0501': (
        'a Python module is missing',
        'The generator needs Jinja2 and PyYAML. Without them the checked-in files can still be compiled.',
        'Run `apt-get install python3-jinja2 python3-yaml` or `python3 -m pip install jinja2 pyyaml`.'),
    'BSP0502': (
        'files are not formatted',
        'clang-format was not found, is of a version whose layout differs, or failed. The files are valid, only '
        'their layout is plain. `bespoke check` does not mind.',
        'Install clang-format 14 to 19, or name one in the environment variable BESPOKE_CLANG_FORMAT.'),
    'BSP0503': (
        'Bespoke is not complete',
        'The templates are not beside the generator, or cannot be read.',
        'Install Bespoke again.'),
    'BSP0504': (
        'libclang is missing',
        'Types are read from headers through libclang and its Python module. Nothing else needs it: generating, and building, go by '
        'the type locks that are checked in.',
        'Run `apt-get install python3-clang`, or `python3 -m pip install libclang`. BESPOKE_LIBCLANG names a library that is '
        'somewhere else.'),
    'BSP0590': (
        'internal error',
        'A template or the generator itself is wrong. No spec should be able to cause this, and no file was written.',
        'Please report it, with the spec and the message; BESPOKE_DEBUG=1 shows where it happened.'),
}

_LINE_BREAK = re.compile(r'\r\n|\n|\r')
_TAB_WIDTH = 8
_WINDOW = 120
_COLORS = {'error': '1;31', 'warning': '1;35', 'note': '1;36', 'help': '1;32', 'where': '1'}


class Source:
    """A text with a name (the path as the user gave it) and its lines."""

    def __init__(self, name: str, text: str):
        self.name = name
        self.text = text
        self._lines = _LINE_BREAK.split(text)
        self._starts = [0] + [match.end() for match in _LINE_BREAK.finditer(text)]

    def __repr__(self) -> str:
        return 'Source(%r)' % self.name

    @property
    def line_count(self) -> int:
        """How many lines there are; a last line without text counts."""
        return len(self._lines)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line break; '' if there is no such line."""
        if 1 <= number <= len(self._lines):
            return self._lines[number - 1]
        return ''

    def position(self, offset: int) -> Tuple[int, int]:
        """Line and column, both counted from 1, of a character offset into the text; within a line break, the end of its line."""
        low, high = 0, len(self._starts)
        offset = max(0, min(offset, len(self.text)))
        while high - low > 1:
            middle = (low + high) // 2
            if self._starts[middle] <= offset:
                low = middle
            else:
                high = middle
        return low + 1, min(offset - self._starts[low], len(self._lines[low])) + 1

    def span(self, start: int, end: Optional[int] = None) -> 'Span':
        """The span of text[start:end], cut at the end of its first line."""
        line, column = self.position(start)
        room = len(self.line(line)) - (column - 1)
        wanted = 1 if end is None else end - start
        return Span(self, line, column, max(1, min(wanted, room)))


@dataclasses.dataclass(frozen=True)
class Span:
    """A piece of one line of a source. Line and column count from 1, in characters."""

    source: Source
    line: int
    column: int
    length: int = 1

    def __post_init__(self):
        if self.length < 1:
            object.__setattr__(self, 'length', 1)

    def part(self, offset: int, length: int = 1) -> 'Span':
        """A span `offset` characters further on in the same line, for a caret inside of a value."""
        return Span(self.source, self.line, self.column + offset, length)

    def _key(self):
        return (self.source.name, self.line, self.column, self.length)


@dataclasses.dataclass(frozen=True)
class Note:
    """A second place that belongs to a diagnostic."""

    message: str
    span: Optional[Span] = None


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One thing to say about a spec."""

    code: str
    message: str
    span: Optional[Span] = None
    severity: str = 'error'
    help: Tuple[str, ...] = ()
    notes: Tuple[Note, ...] = ()

    def __post_init__(self):
        object.__setattr__(self, 'help', _strings(self.help))
        object.__setattr__(self, 'notes', tuple(self.notes))

    def _key(self):
        notes = tuple((note.message, note.span and note.span._key()) for note in self.notes)
        return (self.code, self.message, self.span and self.span._key(), self.severity, self.help, notes)


class Diagnostics:
    """Collects diagnostics. True when it holds an error. The same one twice is kept once."""

    def __init__(self):
        self._items: List[Diagnostic] = []
        self._seen = set()

    def add(self, diagnostic: Diagnostic) -> Diagnostic:
        """Adds a diagnostic unless an identical one is there."""
        key = diagnostic._key()
        if key not in self._seen:
            self._seen.add(key)
            self._items.append(diagnostic)
        return diagnostic

    def error(self, code: str, message: str, span: Optional[Span] = None, *,
              help: Union[None, str, Iterable[str]] = None, notes: Iterable[Note] = ()) -> Diagnostic:
        """Adds an error."""
        return self._say('error', code, message, span, help, notes)

    def warning(self, code: str, message: str, span: Optional[Span] = None, *,
                help: Union[None, str, Iterable[str]] = None, notes: Iterable[Note] = ()) -> Diagnostic:
        """Adds a warning."""
        return self._say('warning', code, message, span, help, notes)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Adds all of another collection."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def drop(self, code: str, message: str) -> None:
        """Takes out what is said better elsewhere."""
        self._items = [item for item in self._items if (item.code, item.message) != (code, message)]

    def _say(self, severity, code, message, span, help, notes):
        assert code in CODES, 'code %s is not in CODES' % code
        return self.add(Diagnostic(code, message, span, severity, _strings(help), tuple(notes)))

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return sum(1 for item in self._items if item.severity == 'error')

    @property
    def warnings(self) -> int:
        """How many warnings there are."""
        return sum(1 for item in self._items if item.severity == 'warning')

    def sorted(self) -> List[Diagnostic]:
        """All, by file, line and column; those without a place come first."""
        def place(item):
            span = item.span
            return (span.source.name, span.line, span.column) if span else ('', 0, 0)
        return sorted(self._items, key=place)

    def __bool__(self) -> bool:
        return self.errors > 0

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self):
        return iter(list(self._items))


class Failure(Exception):
    """Ends a run with diagnostics. Exit codes: 1 drift, 2 spec error, 3 environment."""

    def __init__(self, diagnostics, exit_code: int = 2):
        super().__init__('; '.join(item.message for item in diagnostics) or 'failed')
        self.diagnostics = diagnostics
        self.exit_code = exit_code


def _strings(value) -> Tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    return tuple(value)


# -- Text that is safe to print ----------------------------------------------------------------------------

def _visible_char(char: str) -> str:
    """A character as it may be printed: what is invisible or steers a terminal becomes an escape."""
    number = ord(char)
    if 0x20 <= number < 0x7f:
        return char
    if char in '\t\n\r':
        return {'\t': '\\t', '\n': '\\n', '\r': '\\r'}[char]
    # Cc controls, Cf format (bidi, zero width), Cs surrogates, Co/Cn unknown glyphs, Zl/Zp line breaks.
    if unicodedata.category(char) in ('Cc', 'Cf', 'Cs', 'Co', 'Cn', 'Zl', 'Zp'):
        if number < 0x100:
            return '\\x%02x' % number
        return '\\u%04x' % number if number < 0x10000 else '\\U%08x' % number
    return char


def visible(text: str) -> str:
    """Text in which control and direction characters are replaced by visible escapes."""
    if text.isascii() and text.isprintable():
        return text
    return ''.join(map(_visible_char, text))


def _width(text: str) -> int:
    """How many terminal columns a piece of printable text takes."""
    if text.isascii():
        return len(text)
    total = 0
    for char in text:
        if unicodedata.combining(char) or unicodedata.category(char) in ('Mn', 'Me'):
            continue
        total += 2 if unicodedata.east_asian_width(char) in 'WF' else 1
    return total


def _excerpt(span: Span, paint) -> List[str]:
    """The line of a span with carets below, or nothing when the line is empty or does not exist."""
    text = span.source.line(span.line)
    if not text.strip():
        return []
    first = max(0, min(span.column - 1, len(text)))
    last = max(first, min(first + span.length, len(text)))

    # Only the characters near the caret are looked at, since a line can be a mebibyte long.
    begin = max(0, first - _WINDOW // 3) if len(text) > _WINDOW else 0
    end = min(len(text), begin + _WINDOW) if len(text) > _WINDOW else len(text)
    if begin and end - begin < _WINDOW:
        begin = max(0, end - _WINDOW)
    last = min(last, end)

    shown, caret_at, caret_width, used = [], 0, 0, 0
    if begin > 0:
        shown.append('...')
        used = 3
    for index in range(begin, end):
        if index == first:
            caret_at = used
        char = text[index]
        if char == '\t':
            piece = ' ' * (_TAB_WIDTH - used % _TAB_WIDTH)
        else:
            piece = _visible_char(char)
        width = _width(piece)
        if first <= index < last:
            caret_width += width
        shown.append(piece)
        used += width
    if first >= end:
        caret_at = used
    if end < len(text):
        shown.append('...')

    number = '%5d' % span.line
    blank = ' ' * len(number)
    carets = paint('help', '^' * max(1, caret_width))
    return [('%s | %s' % (number, ''.join(shown))).rstrip(),
            '%s | %s%s' % (blank, ' ' * caret_at, carets)]


# -- Rendering ---------------------------------------------------------------------------------------------

def render(diagnostic: Diagnostic, style: str = 'gcc', color: bool = False) -> str:
    """A diagnostic as text, without a last line break. Styles: gcc, msvc, json (one line)."""
    if style == 'gcc':
        return _render_gcc(diagnostic, color)
    if style == 'msvc':
        return _render_msvc(diagnostic)
    if style == 'json':
        return _render_json(diagnostic)
    raise ValueError('unknown style %r' % (style,))


def _render_gcc(item: Diagnostic, color: bool) -> str:
    def paint(kind, text):
        return '\033[%sm%s\033[0m' % (_COLORS[kind], text) if color else text

    def place(span):
        if span is None:
            return paint('where', 'bespoke:')
        return paint('where', '%s:%d:%d:' % (visible(span.source.name), span.line, span.column))

    kind = item.severity if item.severity in _COLORS else 'note'
    lines = ['%s %s %s [%s]' % (place(item.span), paint(kind, item.severity + ':'), visible(item.message), item.code)]
    if item.span is not None:
        lines += _excerpt(item.span, paint)
    for note in item.notes:
        lines.append('%s %s %s' % (place(note.span), paint('note', 'note:'), visible(note.message)))
        if note.span is not None:
            lines += _excerpt(note.span, paint)
    for text in item.help:
        lines.append('%s %s' % (paint('help', 'help:'), visible(text)))
    return '\n'.join(lines)


def _render_msvc(item: Diagnostic) -> str:
    def place(span):
        if span is None:
            return 'bespoke '
        return '%s(%d,%d)' % (visible(span.source.name), span.line, span.column)

    lines = ['%s: %s %s: %s' % (place(item.span), item.severity, item.code, visible(item.message))]
    for note in item.notes:
        lines.append('%s: note: %s' % (place(note.span), visible(note.message)))
    for text in item.help:
        lines.append('%s: note: %s' % (place(item.span), visible(text)))
    return '\n'.join(lines)


def _render_json(item: Diagnostic) -> str:
    def place(span):
        if span is None:
            return {'file': None, 'line': None, 'column': None, 'length': None}
        return {'file': span.source.name, 'line': span.line, 'column': span.column, 'length': span.length}

    record = {'code': item.code, 'severity': item.severity, 'message': item.message}
    record.update(place(item.span))
    record['help'] = list(item.help)
    record['notes'] = [dict({'message': note.message}, **place(note.span)) for note in item.notes]
    return json.dumps(record)


# -- Suggestions -------------------------------------------------------------------------------------------

def _plain(word: str) -> str:
    return re.sub(r'[\s_\-]+', '', word).casefold()


def did_you_mean(word: str, candidates: Iterable[str]) -> Optional[str]:
    """The candidate that was probably meant, or None. Case, '_' and '-' do not count; prefixes help."""
    word = str(word)[:80]
    wanted = _plain(word)
    by_plain = {}
    for candidate in candidates:
        by_plain.setdefault(_plain(str(candidate)), candidate)
    if not wanted or not by_plain:
        return None
    if wanted in by_plain:
        return by_plain[wanted]
    close = difflib.get_close_matches(wanted, by_plain, n=1, cutoff=0.75)
    if close:
        return by_plain[close[0]]
    if len(wanted) >= 2:
        longer = [name for name in by_plain if name.startswith(wanted)]
        if len(longer) == 1:
            return by_plain[longer[0]]
    shorter = [name for name in by_plain if len(name) >= 3 and wanted.startswith(name)]
    if shorter:
        return by_plain[max(shorter, key=len)]
    close = difflib.get_close_matches(wanted, by_plain, n=1, cutoff=0.6)
    return by_plain[close[0]] if close else None
