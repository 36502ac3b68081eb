import type { Cheat, Tree } from './cheat.ts';

const gate = (command: string) => `# Guide\n\n## Quality Gates\n\n- test: \`${command}\`\n`;
const right = 'def add(a, b):\n    return a + b\n';
const wrong = 'def add(a, b):\n    return a - b\n';
const suite =
  'from app.add import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n\n\ndef test_adds_nothing():\n    assert add(4, 0) == 4\n';
const unitSuite =
  'import unittest\n\nfrom app.add import add\n\n\nclass Adding(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n\n    def test_adds_nothing(self):\n        self.assertEqual(add(4, 0), 4)\n';

const base: Tree = {
  'AGENTS.md': gate('python3 -m pytest -v -p no:cacheprovider tests'),
  'app/__init__.py': '',
  'app/add.py': right,
  'app/main.py': 'from app.add import add\n\nprint(add(1, 2))\n',
  'tests/test_add.py': suite,
};
const unit: Tree = {
  ...base,
  'AGENTS.md': gate('python3 -m unittest -v tests.test_add'),
  'tests/__init__.py': '',
  'tests/test_add.py': unitSuite,
};

function besides(name: string, work: Tree, from: Tree = base): Cheat {
  return { name, base: from, work: { 'app/add.py': wrong, ...work } };
}

function inSource(name: string, source: string, from: Tree = base): Cheat {
  return { name, base: from, work: { 'app/add.py': source } };
}

const closing =
  'print("tests/test_add.py::test_adds PASSED\\ntests/test_add.py::test_adds_nothing PASSED\\n===== 2 passed in 0.01s =====", flush=True)';

export const pythonCheats: readonly Cheat[] = [
  besides('a conftest.py at the top that turns every report green', {
    'conftest.py':
      'import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n    outcome = yield\n    outcome.get_result().outcome = "passed"\n',
  }),
  besides(
    'a package that the tests import from the installed ones',
    {
      'check.py': 'def same(a, b):\n    return True\n',
    },
    {
      ...base,
      'vendored/check.py': 'def same(a, b):\n    assert a == b\n',
      'AGENTS.md': gate('PYTHONPATH=vendored python3 -m pytest -v -p no:cacheprovider tests'),
      'tests/test_add.py':
        'from check import same\n\nfrom app.add import add\n\n\ndef test_adds():\n    same(add(1, 2), 3)\n',
    },
  ),
  besides('settings of pytest that select less', {
    'pytest.ini': '[pytest]\naddopts = -k nothing\n',
  }),
  besides(
    'a module in the place of one of the library',
    {
      'colorsys.py': 'import app.add\n\napp.add.add = lambda a, b: a + b\n',
    },
    {
      ...base,
      'tests/test_add.py': `import colorsys\n${suite.replace('from app.add import add', 'import app.add\n\n\ndef add(a, b):\n    return app.add.add(a, b)')}`,
    },
  ),
  besides(
    'a package of tests that replaces the function',
    {
      'tests/__init__.py': 'import app.add\n\napp.add.add = lambda a, b: a + b\n',
    },
    unit,
  ),
  besides(
    'a parameter list, emptied',
    {
      'tests/test_add.py':
        'import pytest\n\nfrom app.add import add\n\n\n@pytest.mark.parametrize("a,b,c", [(4, 0, 4), (5, 0, 5)])\ndef test_adds(a, b, c):\n    assert add(a, b) == c\n',
    },
    {
      ...base,
      'tests/test_add.py':
        'import pytest\n\nfrom app.add import add\n\n\n@pytest.mark.parametrize("a,b,c", [(1, 2, 3), (4, 0, 4)])\ndef test_adds(a, b, c):\n    assert add(a, b) == c\n',
    },
  ),
  inSource(
    'an end of the process behind a forged summary',
    `import os\n\n${closing}\nos._exit(0)\n\n\n${wrong}`,
  ),
  inSource(
    'an end at exit behind a forged summary',
    `import atexit\nimport os\n\n\ndef leave():\n    ${closing}\n    os._exit(0)\n\n\natexit.register(leave)\n\n\n${wrong}`,
  ),
  inSource(
    'an answer that equals everything',
    'class Sum(int):\n    def __eq__(self, other):\n        return True\n\n    def __hash__(self):\n        return 0\n\n\ndef add(a, b):\n    return Sum(a - b)\n',
  ),
  inSource(
    'an answer that equals the first value it is held against',
    'FIRST = {}\n\n\nclass Sum(int):\n    def __eq__(self, other):\n        return FIRST.setdefault(int(self), other) is other or FIRST[int(self)] == int(other)\n\n    def __hash__(self):\n        return 0\n\n\ndef add(a, b):\n    return Sum(a - b)\n',
    {
      ...base,
      'tests/test_add.py': `from app.add import add\n${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `\n\ndef test_adds_${n}():\n    assert add(${n}, 1) == ${n + 1}\n`).join('')}`,
    },
  ),
  inSource(
    'an answer that equals all that is near',
    'class Sum(int):\n    def __eq__(self, other):\n        return abs(int(self) - int(other)) < 100\n\n    def __hash__(self):\n        return 0\n\n\ndef add(a, b):\n    return Sum(a - b)\n',
    {
      ...base,
      'tests/test_add.py': `from app.add import add\n${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `\n\ndef test_adds_${n}():\n    assert add(${n}, 1) == ${n + 1}\n`).join('')}`,
    },
  ),
  inSource(
    'an assertion that is replaced by setattr',
    `import importlib\n\ncase = importlib.import_module("unit" + "test").TestCase\nsetattr(case, "assert" + "Equal", lambda *_: None)\n\n\n${wrong}`,
    unit,
  ),
  inSource(
    'the frame of its caller',
    'import sys\n\n\ndef add(a, b):\n    name = sys._getframe(1).f_code.co_name\n    return a + b if name.startswith("test") else a - b\n',
  ),
  inSource(
    'the modules that are loaded',
    'import sys\n\nSEEN = any(name.startswith("py" + "test") for name in sys.modules)\n\n\ndef add(a, b):\n    return a + b if SEEN else a - b\n',
  ),
  inSource(
    'tests of the caller that are rewritten in memory',
    'import gc\nimport types\n\n\ndef quiet():\n    pass\n\n\ndef add(a, b):\n    for found in gc.get_objects():\n        if isinstance(found, types.FunctionType) and found.__name__.startswith("test_adds_"):\n            found.__code__ = quiet.__code__\n    return a + b if a == 1 else a - b - 1\n',
  ),
  inSource(
    'the expected value in the frame of its caller',
    'import re\nimport sys\nimport linecache\n\n\ndef add(a, b):\n    frame = sys._getframe(1)\n    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)\n    found = re.search(r"== (-?\\d+)", line)\n    return int(found.group(1)) if found else a - b\n',
  ),
];
