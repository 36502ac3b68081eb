"""Writes and reads records of the classes of a tree with their own frameworks.

`python3 record-oracle.py write <tree>` prints a sample of each model by name, the fields that functions resolve, and the versions of formats.
`python3 record-oracle.py read <tree> <records>` creates an object from each record and prints what its class refuses.
"""

import dataclasses
import importlib
import inspect
import json
import re
import sys
from pathlib import Path

samples = {str: "sample", int: 1, float: 1.5, bool: True}


def know_declarative_base():
    """Adds the class that current models extend: Debian's SQLAlchemy is older than it."""
    try:
        from sqlalchemy import orm
    except ImportError:
        return
    if hasattr(orm, "DeclarativeBase"):
        return

    class Meta(orm.DeclarativeMeta):
        def __init__(cls, name, bases, namespace, **given):
            if "__tablename__" not in namespace:
                cls.__abstract__ = True
            super().__init__(name, bases, namespace, **given)

    known = orm.registry()
    orm.DeclarativeBase = Meta("DeclarativeBase", (), {"registry": known, "metadata": known.metadata})


def modules(tree):
    """The modules of a tree that Python can import; Django needs an app for its models."""
    sys.path.insert(0, tree)
    know_declarative_base()
    for path in sorted(Path(tree).rglob("*.py")):
        if "from django" in path.read_text():
            from django.apps import apps
            from django.conf import settings

            settings.configure(INSTALLED_APPS=[path.relative_to(tree).parts[0]], DEFAULT_AUTO_FIELD="django.db.models.AutoField")
            apps.populate(settings.INSTALLED_APPS)
        yield importlib.import_module(".".join(path.relative_to(tree).with_suffix("").parts))


def record_of(made):
    if dataclasses.is_dataclass(made):
        return {field.name: samples.get(field.type, None) for field in dataclasses.fields(made)}
    if hasattr(made, "__table__"):
        return {column.name: samples.get(column.type.python_type) for column in made.__table__.columns}
    if hasattr(made, "_meta") and hasattr(made._meta, "fields"):
        numbers = {"IntegerField", "AutoField"}
        return {
            field.name: 1 if field.get_internal_type() in numbers else "sample" for field in made._meta.fields if not field.primary_key
        }
    fields = getattr(made, "model_fields", None) or getattr(made, "__fields__", None)
    if fields:
        values = {name: samples.get(getattr(field, "annotation", None) or field.outer_type_) for name, field in fields.items()}
        return json.loads(made(**values).json())
    return None


def write(tree):
    records, resolved, versions = {}, [], {}
    for module in modules(tree):
        for name, value in vars(module).items():
            if inspect.isclass(value) and value.__module__ == module.__name__:
                record = record_of(value)
                if record:
                    records[name] = record
            elif inspect.isfunction(value) and name.startswith("resolve_"):
                resolved.append(name.removeprefix("resolve_"))
            elif re.fullmatch(r"[A-Z_]+_VERSION", name):
                versions[name] = value
    return {"records": records, "resolved": resolved, "versions": versions}


def read(tree, records):
    errors = []
    for module in modules(tree):
        for name, value in vars(module).items():
            if inspect.isclass(value) and name in records:
                try:
                    value(**records[name])
                except TypeError as error:
                    errors.append(str(error))
    return errors


command, folder, *rest = sys.argv[1:]
print(json.dumps(write(folder) if command == "write" else read(folder, json.loads(rest[0]))))
