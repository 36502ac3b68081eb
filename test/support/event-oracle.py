"""Lets the listeners of trees receive what their publishers send, over in-memory brokers.

`python3 event-oracle.py <tree>...` prints, by tree, what a listener could not use, and how many messages were received or had no listener.
"""

import importlib
import inspect
import io
import json
import pathlib
import sys
import types
from contextlib import redirect_stdout

queues = {}
tasks = {}
counts = {"received": 0, "unheard": 0}
failures = []


def deliver(listener, *args, **kwargs):
    counts["received"] += 1
    try:
        listener(*args, **kwargs)
    except (KeyError, TypeError) as error:
        failures.append(f"{type(error).__name__}: {error}")


class Bus:
    """Replaces a bus of the tree that stores no listeners itself."""

    def __init__(self):
        self.listeners = {}

    def on(self, topic):
        def remember(listener):
            self.listeners.setdefault(topic, []).append(listener)
            return listener

        return remember

    def emit(self, topic, payload):
        if self.listeners and topic not in self.listeners:
            counts["unheard"] += 1
        for listener in self.listeners.get(topic, []):
            deliver(listener, payload)


class Channel:
    """The pika channel, for publishers and consumers."""

    consumers = {}

    def basic_publish(self, exchange, routing_key, body):
        if self.consumers and routing_key not in self.consumers:
            counts["unheard"] += 1
        for consume in self.consumers.get(routing_key, []):
            deliver(consume, self, None, None, body)

    def basic_consume(self, queue, on_message_callback, **_):
        self.consumers.setdefault(queue, []).append(on_message_callback)


class Task:
    def __init__(self, function, is_bound):
        self.function = function
        self.is_bound = is_bound

    def delay(self, *args, **kwargs):
        deliver(self.function, *([self] if self.is_bound else []), *args, **kwargs)

    def apply_async(self, args=(), kwargs=None, **_):
        self.delay(*args, **(kwargs or {}))


class Celery:
    def __init__(self, *_, **__):
        pass

    def task(self, *given, name=None, bind=False, **_):
        def made(function):
            task = Task(function, bind)
            tasks[name or function.__name__] = task
            return task

        return made(*given) if given else made

    def send_task(self, name, args=(), kwargs=None, **_):
        if name not in tasks:
            counts["unheard"] += 1
        else:
            tasks[name].apply_async(args, kwargs)


class KafkaProducer:
    def __init__(self, **_):
        pass

    def send(self, topic, value=None, **_):
        queues.setdefault(topic, []).append(value)


class KafkaConsumer:
    def __init__(self, *topics, **_):
        self.topics = topics

    def __iter__(self):
        counts["unheard"] += sum(len(sent) for topic, sent in queues.items() if topic not in self.topics)
        for topic in self.topics:
            for value in queues.get(topic, []):
                counts["received"] += 1
                yield types.SimpleNamespace(value=value)


def module(name, **names):
    made = types.ModuleType(name)
    for key, value in names.items():
        setattr(made, key, value)
    return made


def call(function):
    """Calls a function with values chosen by its parameter names."""
    known = {"channel": Channel(), "celery": Celery(), "user": types.SimpleNamespace(id=1)}
    return function(*[known.get(name, 1) for name in inspect.signature(function).parameters])


def judge(tree):
    queues.clear()
    tasks.clear()
    Channel.consumers = {}
    counts.update(received=0, unheard=0)
    failures.clear()
    before = set(sys.modules)
    sys.modules["celery"] = module("celery", Celery=Celery, shared_task=Celery().task)
    sys.modules["kafka"] = module("kafka", KafkaProducer=KafkaProducer, KafkaConsumer=KafkaConsumer)
    sys.path.insert(0, tree)
    importlib.invalidate_caches()
    try:
        if (pathlib.Path(tree) / "app/events.py").exists():
            importlib.import_module("app.events").Bus = Bus
        functions = []
        for path in sorted(pathlib.Path(tree).rglob("*.py")):
            name = ".".join(path.relative_to(tree).with_suffix("").parts)
            made = importlib.import_module(name)
            functions += [each for each in vars(made).values() if inspect.isfunction(each) and each.__module__ == name]
        senders = [each for each in functions if "event" not in inspect.signature(each).parameters and "body" not in inspect.signature(each).parameters]
        # Brokers with callbacks need their listeners first; Kafka messages wait for their consumers.
        for name in ("listen", None, "listen"):
            for each in senders:
                if (each.__name__ == "listen") == (name == "listen"):
                    try:
                        call(each)
                    except (KeyError, TypeError) as error:
                        failures.append(f"{type(error).__name__}: {error}")
        return {"missing": sorted(set(failures)), **counts}
    finally:
        sys.path.remove(tree)
        for name in set(sys.modules) - before:
            del sys.modules[name]


told = {}
for each in sys.argv[1:]:
    with redirect_stdout(io.StringIO()):
        told[each] = judge(each)
print(json.dumps(told))
