"""run-modules.py <code cache>: reads {base, jobs} from stdin, each job an overlay of files and the modules to load.
Loads them in a separate process, calls their `added_feature`, and prints a list of what happened; null for a job that
did not finish. Sources stay in memory: trees differ in one or two files."""

import hashlib
import importlib
import importlib.abc
import importlib.machinery
import inspect
import json
import marshal
import os
import resource
import signal
import sys
import warnings

cache = sys.argv[1]
most_steps = 200
time_limit = 60
# CPU seconds, including loading: a call with made-up values may never return.
cpu_limit = 2


class Sources(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules among texts by path, and caches compiled code by text."""

    def __init__(self, files):
        self.files = files
        self.folders = {path.rsplit("/", depth)[0] for path in files for depth in range(1, path.count("/") + 1)}

    def find_spec(self, fullname, path=None, target=None):
        place = fullname.replace(".", "/")
        for file in (f"{place}/__init__.py", f"{place}.py"):
            if file in self.files:
                spec = importlib.machinery.ModuleSpec(
                    fullname, self, origin=file, is_package=file.endswith("/__init__.py")
                )
                spec.has_location = True
                return spec
        if place in self.folders:
            return importlib.machinery.ModuleSpec(fullname, None, is_package=True)
        return None

    def exec_module(self, module):
        source = self.files[module.__spec__.origin].encode()
        name = hashlib.sha256(module.__name__.encode() + b"\0" + source).hexdigest()
        path = os.path.join(cache, name)
        try:
            with open(path, "rb") as stored:
                code = marshal.load(stored)
        except (OSError, ValueError, EOFError):
            code = compile(source, module.__spec__.origin, "exec", dont_inherit=True)
            with open(f"{path}.{os.getpid()}", "wb") as stored:
                marshal.dump(code, stored)
            os.replace(f"{path}.{os.getpid()}", path)
        exec(code, module.__dict__)


class Probe:
    """A value that can be read, called and iterated, and records the names by which that was done."""

    def __init__(self, name, steps):
        object.__setattr__(self, "_own", (name, steps))

    def _note(self, step):
        name, steps = object.__getattribute__(self, "_own")
        steps.append(name + step)
        if len(steps) > most_steps:
            raise RuntimeError("enough")
        return Probe(name + step, steps)

    def __getattr__(self, key):
        if key.startswith("__"):
            raise AttributeError(key)
        return self._note("." + key)

    def __setattr__(self, key, value):
        self._note(f".{key}=")

    def __call__(self, *args, **kwargs):
        return self._note("()")

    def __getitem__(self, key):
        return self._note("[]")

    def __iter__(self):
        self._note(" iterated")
        return iter(())

    def __len__(self):
        return 0

    def __repr__(self):
        return object.__getattribute__(self, "_own")[0]


def describe(value):
    if inspect.iscoroutine(value):
        value.close()
        return "a coroutine"
    text = repr(value)
    return f"an instance of {type(value).__name__}" if " at 0x" in text else text[:2000]


def call(feature, make):
    steps = []
    try:
        return f"{describe(feature(make(steps)))} {' '.join(steps)}"
    except Exception as error:
        return f"raises {type(error).__name__}: {error} {' '.join(steps)}"


def observe(job):
    files = {path: text for path, text in {**base, **job["overlay"]}.items() if text is not None}
    sys.meta_path.insert(0, Sources(files))
    lines = []
    for name in job["modules"]:
        try:
            module = importlib.import_module(name)
        except BaseException as error:
            lines.append(f"does not load: {type(error).__name__}: {error}")
            continue
        lines.append("loads")
        feature = getattr(module, "added_feature", None)
        if feature is None:
            continue
        inputs = [lambda steps: Probe("value", steps)]
        inputs += [lambda steps, given=given: given for given in (None, 0, "x", [], {})]
        lines += [call(feature, make) for make in inputs]
    return "\n".join(lines)


def contained(job, work=observe):
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        signal.alarm(time_limit)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_limit, cpu_limit))
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        warnings.simplefilter("ignore")
        said = work(job).encode(errors="replace")
        with os.fdopen(write_end, "wb") as stream:
            stream.write(said)
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as stream:
        said = stream.read()
    _, status = os.waitpid(child, 0)
    return said.decode(errors="replace") if status == 0 else None


def preload():
    """Loads what a first job needs from the standard library, so that every other job finds it loaded."""

    def names(job):
        observe(job)
        return " ".join(sorted(name for name in sys.modules if name.split(".")[0] in sys.stdlib_module_names))

    for name in (contained(given["jobs"][0], names) or "").split():
        importlib.import_module(name)


given = json.load(sys.stdin)
base = given["base"]
preload()
print(json.dumps([contained(job) for job in given["jobs"]]))
