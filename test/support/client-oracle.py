"""Serves the application of a tree and lets its Python client send a request: `python3 client-oracle.py <tree> <node>`.

Prints `answered`, or what the client got instead. Flask and FastAPI are served from here, Express by the program `node`.
"""

import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from threading import Thread

import flask

tree, node = Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(tree))


def serve() -> int:
    """Starts the application on a free port of the loopback interface."""
    if not (tree / "api" / "main.py").exists():
        server = subprocess.Popen(
            [node, Path(__file__).with_name("serve-express.js"), tree / "src" / "app.ts"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return int(server.stdout.readline())
    app = import_module("api.main").app
    listening = socket.create_server(("127.0.0.1", 0))
    if isinstance(app, flask.Flask):
        from werkzeug.serving import make_server

        run = make_server("127.0.0.1", 0, app, fd=listening.fileno()).serve_forever
    else:
        import uvicorn

        server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
        run = lambda: server.run(sockets=[listening])  # noqa: E731
    Thread(target=run, daemon=True).start()
    return listening.getsockname()[1]


port = serve()
find = socket.getaddrinfo


def at_home(host, _port, *rest, **options):
    """Clients name port 8000 of this machine."""
    assert (host, _port) == ("localhost", 8000), f"{host}:{_port} is elsewhere"
    return find("127.0.0.1", port, *rest, **options)


socket.getaddrinfo = at_home
[client] = [path for folder in ("client", "jobs") for path in (tree / folder).glob("*.py")]
module = import_module(f"{client.parent.name}.{client.stem}")
[call] = [value for name, value in vars(module).items() if name in ("load", "sync")]
try:
    answer = call("1")
    is_order = answer.get("id") == "1" if isinstance(answer, dict) else answer.status_code == 200
    print("answered" if is_order else answer)
except ValueError as error:
    print(type(error).__name__)
