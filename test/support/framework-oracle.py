"""Runs Alembic, Django with its REST framework, FastAPI and Flask on trees: `python3 framework-oracle.py <tree>…` prints their errors by tree.

Each tree runs in a separate process, because their modules have the same names.
"""

import json
import os
import re
import sys
from importlib import import_module
from pathlib import Path

import fastapi
import flask
from alembic.script import ScriptDirectory
from django.apps import apps
from django.conf import settings
from starlette.routing import Match


def sampled(path: str) -> str:
    """A path for a request: a number where one is required, otherwise a word."""
    plain = re.sub(
        r"\((?:\?P<\w+>)?([^()]*)\)", lambda part: "1" if part[1] == r"\d+" else "sample", path
    )
    plain = re.sub(r"[\^$\\]|/\?", "", plain) if plain != path or "^" in path else path
    return re.sub(r"\{[^}]*\}|<[^>]*>", lambda part: "1" if "int" in part[0] else "sample", plain)


def alembic_errors(tree: Path) -> list[str]:
    if not (tree / "alembic" / "versions").is_dir():
        return []
    heads = ScriptDirectory(str(tree / "alembic")).get_heads()
    return [f"{len(heads)} heads"] if len(heads) > 1 else []


def django_errors(tree: Path) -> list[str]:
    names = sorted(path.parent.parent.name for path in tree.glob("*/migrations/0*.py"))
    roots = sorted(tree.glob("*/urls.py"))
    if not names and not roots:
        return []
    for folder in tree.glob("*/migrations"):
        # Django reads migrations only from packages.
        (folder / "__init__.py").touch()
    settings.configure(INSTALLED_APPS=sorted(set(names)), USE_TZ=True, ALLOWED_HOSTS=["*"])
    apps.populate(settings.INSTALLED_APPS)
    from django.db.migrations.loader import MigrationLoader

    conflicts = MigrationLoader(None, ignore_no_migrations=True).detect_conflicts()
    errors = [f"leaf nodes of {app}: {len(leaves)}" for app, leaves in sorted(conflicts.items())]
    included = "\n".join(path.read_text() for path in roots)
    for path in roots:
        module = f"{path.parent.name}.urls"
        if f'include("{module}")' not in included:
            errors += unreachable_in_django(module)
    return errors


def unreachable_in_django(module: str) -> list[str]:
    from django.urls import get_resolver
    from django.urls.resolvers import URLResolver

    resolver = get_resolver(module)

    def flat(patterns, prefix=""):
        for pattern in patterns:
            path = f"{prefix}{pattern.pattern}"
            if isinstance(pattern, URLResolver):
                yield from flat(pattern.url_patterns, path)
            else:
                yield path, pattern.callback

    return [
        f"{path} is answered by another view"
        for path, view in flat(resolver.url_patterns)
        if resolver.resolve(f"/{sampled(path)}").func is not view
    ]


def application_errors(tree: Path) -> list[str]:
    if not (tree / "api" / "main.py").exists():
        return []
    app = import_module("api.main").app
    if isinstance(app, flask.Flask):
        urls = app.url_map.bind("localhost")
        return [
            f"{rule} is answered by another view"
            for rule in app.url_map.iter_rules()
            for method in rule.methods - {"HEAD", "OPTIONS"}
            if rule.endpoint != "static"
            and urls.match(sampled(str(rule)), method=method)[0] != rule.endpoint
        ]
    if not isinstance(app, fastapi.FastAPI):
        return []
    errors = []
    for route in app.routes:
        for method in route.methods - {"HEAD"}:
            scope = {"type": "http", "method": method, "path": sampled(route.path), "root_path": ""}
            first = next(each for each in app.routes if each.matches(scope)[0] is Match.FULL)
            if first is not route:
                errors.append(f"{method} {route.path} is answered by another route")
    return errors


def judge(tree: Path) -> list[str]:
    sys.path.insert(0, str(tree))
    os.chdir(tree)
    try:
        return [*alembic_errors(tree), *django_errors(tree), *application_errors(tree)]
    except Exception as error:  # noqa: BLE001
        return [f"{type(error).__name__}: {error}"]


def in_a_process(tree: Path) -> list[str]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as answer:
            json.dump(judge(tree), answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        told = answer.read()
    os.waitpid(child, 0)
    return json.loads(told)


print(json.dumps({Path(tree).name: in_a_process(Path(tree)) for tree in sys.argv[1:]}))
