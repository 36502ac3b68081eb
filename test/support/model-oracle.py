"""Runs the queries of trees against a database that their migrations have made: `python3 model-oracle.py <tree>...` prints errors by tree.

Each function `load(session)` below `app/` is called with a session of SQLAlchemy over SQLite.
"""

import importlib
import json
import sys
from pathlib import Path

import sqlalchemy
from sqlalchemy.orm import Session


def errors_of(tree):
    before = set(sys.modules)
    sys.path.insert(0, str(tree))
    importlib.invalidate_caches()
    engine = sqlalchemy.create_engine("sqlite://", poolclass=sqlalchemy.pool.StaticPool)
    errors = []
    try:
        with engine.begin() as connection:
            for path in sorted(tree.glob("db/migrations/*.sql")):
                for statement in filter(str.strip, path.read_text().split(";")):
                    connection.execute(sqlalchemy.text(statement))
        for path in sorted(tree.glob("app/*.py")):
            module = importlib.import_module(f"app.{path.stem}")
            if hasattr(module, "load"):
                with Session(engine) as session:
                    module.load(session)
    except Exception as error:  # Whatever the framework or the database raises counts.
        errors.append(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    finally:
        sys.path.remove(str(tree))
        for name in set(sys.modules) - before:
            if name.split(".")[0] == "app":
                del sys.modules[name]
    return errors


print(json.dumps({Path(each).name: errors_of(Path(each)) for each in sys.argv[1:]}))
