"""Reads folders from stdin, one per line. For each: imports every module below it and calls the functions
named `test_*` of modules named `test_*`, in a separate process. pytest runs functions that need fixtures.
Prints one JSON list of errors per folder."""

import ast
import contextlib
import importlib
import inspect
import io
import json
import os
import pathlib
import sys

sys.dont_write_bytecode = True


def parse_errors(paths):
    for path in paths:
        try:
            ast.parse(path.read_text(), str(path))
        except SyntaxError as error:
            yield f"{path}: {error.msg}"


def import_errors(paths):
    for path in sorted(paths):
        parts = path.with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        try:
            module = importlib.import_module(name)
            if parts[-1].startswith("test_"):
                tests = [value for key, value in vars(module).items() if key.startswith("test_") and callable(value)]
                if any(inspect.signature(test).parameters for test in tests):
                    yield from pytest_errors(path)
                else:
                    for test in tests:
                        test()
        except Exception as error:
            yield f"{path}: {type(error).__name__}: {error}"


def pytest_errors(path):
    import pytest

    class Failures:
        found = []

        def pytest_runtest_logreport(self, report):
            if report.failed:
                self.found.append(f"{path}: {report.nodeid}: {report.longreprtext.splitlines()[-1]}")

    failures = Failures()
    pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", ".", str(path)], plugins=[failures])
    return failures.found


def errors_of(folder):
    root = os.path.join(folder, "src") if os.path.isdir(os.path.join(folder, "src")) else folder
    os.chdir(root)
    sys.path.insert(0, root)
    paths = [path for path in pathlib.Path(".").rglob("*.py")]
    return list(parse_errors(paths)) or list(import_errors(paths))


for line in sys.stdin.read().splitlines():
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.redirect_stdout(io.StringIO()):
            found = errors_of(line)
        os.write(write_end, json.dumps(found).encode())
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as stream:
        print(stream.read(), flush=True)
    os.waitpid(child, 0)
