import { asObject } from '#lib/json-value.ts';
import { parseJson } from '#lib/parse-json.ts';
import type { GateDefinitions } from '#schema/gates.ts';

/** Files at the top of a repository that show how its tests are run. */
export const runnerFiles = [
  'package.json',
  'pytest.ini',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'conftest.py',
  'go.mod',
  'Cargo.toml',
] as const;

type Tests = Pick<GateDefinitions, 'gates' | 'subsystems'>;

interface Detected {
  readonly kind?: 'build';
  readonly title: string;
  readonly files: string;
  readonly command: string;
  readonly origin: string;
}

/** The runner of Python tests that is installed. pytest runs the tests of unittest as well. */
export type PythonRunner = 'pytest' | 'unittest';

/** Origin of a command that no file suggests. */
export const byDefault = 'by default';

/**
 * Tests and builds of a project without gates: the commands that its files suggest. Python tests need no settings, so that where no file
 * says how they run, the installed runner does.
 */
export function detectGates(
  files: ReadonlyMap<string, string>,
  timeoutMs: number,
  installed: PythonRunner | null,
): Tests {
  const found = [script(files), python(files, installed), go(files), ...rust(files)].filter(
    (each) => each !== null,
  );
  return {
    gates: found.map(({ title, command, origin, kind = 'test' as const }) => ({
      id: `${title}/${kind}`,
      kind,
      command,
      subsystem: title,
      timeoutMs,
      origin,
    })),
    subsystems: Object.fromEntries(found.map(({ title, files: glob }) => [title, [glob]])),
  };
}

/** What `npm init` writes if there are no tests. */
const placeholder = /no test specified/;

function script(files: ReadonlyMap<string, string>): Detected | null {
  const text = files.get('package.json');
  if (text === undefined) return null;
  const { scripts, devDependencies, dependencies } = readManifest(text);
  const of = (command: string) => ({
    title: 'javascript',
    files: '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte}',
    command,
    origin: 'package.json',
  });
  const own = scripts?.test;
  if (typeof own === 'string' && own !== '' && !placeholder.test(own)) return of('npm test');
  const runner = ['vitest', 'jest'].find((name) => name in { ...dependencies, ...devDependencies });
  if (runner === undefined) return null;
  return of(runner === 'vitest' ? 'vitest run' : 'jest');
}

function readManifest(text: string): Record<string, Record<string, unknown> | undefined> {
  return asObject(parseJson(text)) as ReturnType<typeof readManifest>;
}

function python(files: ReadonlyMap<string, string>, installed: PythonRunner | null): Detected | null {
  const origin = ['pytest.ini', 'conftest.py', 'pyproject.toml', 'setup.cfg', 'tox.ini'].find((name) => {
    const text = files.get(name);
    return text !== undefined && (/^(pytest|conftest)/.test(name) || /pytest/.test(text));
  });
  const of = { title: 'python', files: '**/*.py' };
  if (origin !== undefined) return { ...of, command: 'python3 -m pytest', origin };
  if (installed === null) return null;
  const command = installed === 'pytest' ? 'python3 -m pytest' : 'python3 -m unittest -v';
  return { ...of, command, origin: byDefault };
}

function go(files: ReadonlyMap<string, string>): Detected | null {
  if (!files.has('go.mod')) return null;
  return { title: 'go', files: '**/*.go', command: 'go test -v ./...', origin: 'go.mod' };
}

/** `cargo check` runs build scripts and macros of the tree, so it counts as a build. */
function rust(files: ReadonlyMap<string, string>): Detected[] {
  if (!files.has('Cargo.toml')) return [];
  const own = { title: 'rust', files: '**/*.rs', origin: 'Cargo.toml' };
  return [
    { ...own, kind: 'build', command: 'cargo check --offline --all-targets --message-format short' },
    { ...own, command: 'cargo test --offline' },
  ];
}
