"""script/site: the pages as a site. A broken link fails the build."""

import json
import os
import re
import runpy
import subprocess
import sys
from types import SimpleNamespace

import pytest

from conftest import ROOT

SCRIPT = os.path.join(ROOT, 'script', 'site')


@pytest.fixture(scope='module')
def script():
    return runpy.run_path(SCRIPT)


def has_theme():
    code = "from mkdocs import utils; utils.get_theme_dir('material')"
    return subprocess.run([sys.executable, '-c', code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def test_broken_links_are_found(script, tmp_path):
    (tmp_path / 'folder').mkdir()
    (tmp_path / 'folder' / 'index.html').write_text('<a id="here" href="../page.html#there">up</a>')
    (tmp_path / 'page.html').write_text('<h1 id="there">x</h1><a href="folder/#here">y</a><a href="https://example.org">z</a>'
                                        '<a href="#there">w</a>')
    assert script['broken'](str(tmp_path)) == ([], 2)
    (tmp_path / 'bad.html').write_text('<a href="gone.html">a</a><a href="page.html#none">b</a><a href="#no">c</a>'
                                       '<script src="https://example.org/x.js"></script>')
    problems, _ = script['broken'](str(tmp_path))
    assert problems == ['bad.html: no such page: gone.html', 'bad.html: no such anchor: page.html#none', 'bad.html: no such anchor: #no',
                        'bad.html: loads https://example.org/x.js']


def test_the_navigation_has_every_page(script):
    def leaves(node):
        if isinstance(node, str):
            yield node
        else:
            for child in node.values() if isinstance(node, dict) else node:
                yield from leaves(child)
    assert sorted(leaves(script['navigation']())) == sorted(script['placed'](page) for page in script['pages']())


def test_anchors_are_those_of_the_pages(script):
    assert script['anchor_of']('5. Types that change', '-') == '5-types-that-change'
    assert script['anchor_of']("What a list's pass costs, and why", '-') == 'what-a-lists-pass-costs-and-why'


def test_code_is_not_changed(script):
    text = 'a [b](c)\n\n```c\nx[1](y)\n```\n\n[d](e)\n'
    assert script['outside_code'](text, lambda part: re.sub(r'\(', '{', part)) == 'a [b]{c)\n\n```c\nx[1](y)\n```\n\n[d]{e)\n'


def test_pictures_are_drawn(script, tmp_path, monkeypatch):
    """Those of docs/performance.md are not in the repository: where there is no site, nothing is linked."""
    folders = []
    monkeypatch.setitem(sys.modules, 'plots', SimpleNamespace(draw=folders.append))
    monkeypatch.setattr(sys, 'path', sys.path[:])
    named = script['PICTURE'].findall(script['read']('docs/performance.md'))
    with open(os.path.join(ROOT, 'docs', 'performance', 'pictures.json'), encoding='utf-8') as file:
        drawn = json.load(file)
    assert '](performance/' not in script['read']('docs/performance.md') and drawn['memory']
    assert [path for path, _ in named] == [f'performance/{name}.svg' for name in (*drawn['times'], 'memory')]
    script['stage'](str(tmp_path))
    page = (tmp_path / 'docs' / 'performance.md').read_text(encoding='utf-8')
    assert all(f'![{alternative}]({path})' in page for path, alternative in named)
    assert folders == [str(tmp_path / 'docs' / 'performance')]


@pytest.mark.skipif(not has_theme(), reason='mkdocs and mkdocs-material are not installed: script/setup docs')
def test_the_site_is_built(tmp_path):
    done = subprocess.run([sys.executable, SCRIPT, '-o', str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8')
    assert done.returncode == 0, done.stdout
    assert (tmp_path / 'site' / 'search' / 'search_index.json').exists()
