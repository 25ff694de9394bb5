"""All combinations of the policy axes, listed once for all tests: listing takes seconds.

The list is kept in the file that BESPOKE_TEST_LIST names (the build folder's), with a digest of what it follows from.
"""

import glob
import hashlib
import os
import pickle
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from generator.language import combinations as language  # noqa: E402


def _digest():
    digest = hashlib.sha256()
    for path in sorted(glob.glob(os.path.join(ROOT, 'generator', '**', '*.py'), recursive=True)):
        with open(path, 'rb') as file:
            digest.update(file.read())
    return digest.hexdigest()


def combinations():
    """As generator.language.combinations.combinations, in a list."""
    kept = os.environ.get('BESPOKE_TEST_LIST')
    if not kept:
        return list(language.combinations())
    digest = _digest()
    if os.path.exists(kept):
        with open(kept, 'rb') as file:
            of, found = pickle.load(file)
        if of == digest:
            return found
    found = list(language.combinations())
    part = f'{kept}.{os.getpid()}'
    with open(part, 'wb') as file:
        pickle.dump((digest, found), file)
    os.replace(part, kept)
    return found
