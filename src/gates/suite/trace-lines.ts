import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { asObject, asString } from '#lib/json-value.ts';
import { parseJsonFile } from '#lib/parse-json.ts';

/** Variables with which a run tells which lines ran, and how to read it afterwards. */
interface Tracing {
  readonly env: Readonly<Record<string, string>>;
  /** Of the lines of interest, those that ran; null where no program of a known language ran. */
  read(): readonly string[] | null;
}

/**
 * Which of these lines a run executes: Node by its own coverage, Python by its trace hook. Whatever transforms the sources before they run
 * (a bundler, a loader) makes the answer unknown, never wrong.
 */
export function traceLines(
  /** The tree in which it runs. */
  root: string,
  /** Where it may write. */
  folder: string,
  /** `src/label.js:2`. */
  lines: readonly string[],
  env: Readonly<Record<string, string>>,
): Tracing {
  const v8 = join(folder, 'v8');
  const python = join(folder, 'python');
  mkdirSync(v8, { recursive: true });
  mkdirSync(python, { recursive: true });
  writeFileSync(join(python, 'sitecustomize.py'), hook);
  const wanted = lines.filter((line) => /\.py:\d+$/.test(line));
  const { PYTHONPATH = '' } = env;
  return {
    env: {
      NODE_V8_COVERAGE: v8,
      ...(wanted.length === 0
        ? {}
        : {
            PYTHONPATH: [python, PYTHONPATH].filter(Boolean).join(delimiter),
            JOINERY_TRACE: JSON.stringify(wanted.map((line) => join(root, line))),
            JOINERY_TRACE_TO: python,
          }),
    },
    read() {
      const found = [...executedByNode(v8, root, lines), ...executedByPython(python, root)];
      return found.length === 0 ? null : [...new Set(found)];
    },
  };
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

function executedByNode(folder: string, root: string, lines: readonly string[]): string[] {
  const files = Map.groupBy(lines, (line) => line.replace(/:\d+$/, ''));
  const scripts = readdirSync(folder).flatMap((name) => {
    const { result } = asObject(parseJsonFile(join(folder, name)));
    return Array.isArray(result) ? result.map(asObject) : [];
  });
  return [...files].flatMap(([file, own]) => {
    const url = pathToFileURL(join(root, file)).href;
    const source = textOf(join(root, file));
    const runs = scripts.filter((script) => (asString(script.url) ?? '').split('?')[0] === url).map(rangesOf);
    return own.filter((line) =>
      runs.some((ranges) => isExecuted(ranges, source, Number(line.split(':').at(-1)))),
    );
  });
}

function rangesOf({ functions }: Readonly<Record<string, unknown>>): readonly Range[] {
  return (Array.isArray(functions) ? functions : []).flatMap((each) => {
    const { ranges } = asObject(each);
    return Array.isArray(ranges) ? (ranges as Range[]) : [];
  });
}

/** The innermost range around the line counts. The outermost must be the whole file as it is: else other code ran. */
function isExecuted(ranges: readonly Range[], source: string, line: number): boolean {
  const [whole] = ranges;
  if (whole?.startOffset !== 0 || whole.endOffset !== source.length) return false;
  const lines = source.split('\n');
  const text = lines[line - 1] ?? '';
  const at = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + text.search(/\S|$/);
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= at && at < endOffset);
  const size = ({ startOffset, endOffset }: Range) => endOffset - startOffset;
  const innermost = around.reduce<Range | null>(
    (best, each) => (best === null || size(each) <= size(best) ? each : best),
    null,
  );
  // A line that only begins a function has run when the function has: `function f() {` stands outside of it.
  return (innermost?.count ?? 0) > 0;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function executedByPython(folder: string, root: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('lines-'))
    .flatMap((name) => textOf(join(folder, name)).split('\n'))
    .filter((line) => line !== '')
    .map((line) => line.replace(`${root}/`, ''));
}

/** Runs before any test; a sitecustomize of the project still runs after it. */
const hook = `import atexit, json, os, sys, threading
wanted = {}
for place in json.loads(os.environ.get("JOINERY_TRACE", "[]")):
    path, line = place.rsplit(":", 1)
    wanted.setdefault(os.path.realpath(path), {})[int(line)] = place
seen = set()
known = {}
def places_of(name):
    if name not in known:
        known[name] = wanted.get(os.path.realpath(name))
    return known[name]
def each_line(frame, event, arg):
    place = places_of(frame.f_code.co_filename).get(frame.f_lineno)
    if place and event == "line":
        seen.add(place)
    return each_line
def each_call(frame, event, arg):
    return each_line if places_of(frame.f_code.co_filename) else None
def tell():
    if seen:
        with open(os.path.join(os.environ["JOINERY_TRACE_TO"], "lines-%d" % os.getpid()), "w") as out:
            out.write("\\n".join(sorted(seen)))
if wanted:
    atexit.register(tell)
    threading.settrace(each_call)
    sys.settrace(each_call)
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [each for each in sys.path if os.path.abspath(each or ".") != here]
sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize
except ImportError:
    pass
`;
