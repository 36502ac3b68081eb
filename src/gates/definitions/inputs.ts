import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import type { GateDefinitions } from '#schema/gates.ts';
import { pathsIn } from './command-files.ts';
import { gateSectionText } from './section.ts';

/** A file that decides what a gate runs, and which part of it does. */
export interface GateInput {
  /** From the top of the repository. */
  readonly glob: string;
  readonly part: GatePart;
  /** For people: "runner config". */
  readonly what: string;
}

type GatePart =
  | 'whole'
  | 'gate-section'
  | 'gates-setting'
  /** Compared setting by setting, see manifestChanges. */
  | 'package-settings'
  | 'python-tools'
  | 'cargo-lints';

/** Files that always affect the result. Matched by name, because any folder of a monorepo may have one. */
const always: readonly GateInput[] = [
  ...at('gate section', 'gate-section', ['AGENTS.md', 'CLAUDE.md']),
  ...at('gates setting', 'gates-setting', ['joinery.json', 'joinery.jsonc']),
  ...anywhere('package scripts', 'package-settings', ['package.json']),
  ...anywhere('tool config', 'python-tools', ['pyproject.toml']),
  ...anywhere('tool config', 'cargo-lints', ['Cargo.toml']),
  ...anywhere('test runner config', 'whole', [
    '{vitest,vite,jest,karma,playwright,cypress,wdio,ava,nightwatch}.config.*',
    'vitest.workspace.*',
    '{vitest,jest,playwright}.*.config.*',
    '.mocharc*',
    '.taprc',
    '.c8rc*',
    '.nycrc*',
    'pytest.ini',
    'conftest.py',
    'tox.ini',
    'noxfile.py',
    'setup.cfg',
    '.coveragerc',
    'phpunit.xml*',
    '.rspec',
    'nextest.toml',
    'pytest.toml',
    '.pytest.ini',
    '.pytest.toml',
    'angular.json',
    'project.json',
    'bunfig.toml',
    'deno.json{,c}',
    'babel.config.*',
    '.babelrc*',
    '.swcrc',
  ]),
  ...anywhere('linter or compiler config', 'whole', [
    'eslint.config.*',
    '.eslintrc*',
    '.eslintignore',
    'biome.json*',
    '.oxlintrc*',
    '.prettierrc*',
    'prettier.config.*',
    '.prettierignore',
    '.stylelintrc*',
    'stylelint.config.*',
    'tslint.json',
    'tsconfig*.json',
    'jsconfig*.json',
    'ruff.toml',
    '.ruff.toml',
    '.flake8',
    '.pylintrc',
    'mypy.ini',
    '.mypy.ini',
    'pyrightconfig.json',
    '.golangci.*',
    'clippy.toml',
    '.clippy.toml',
    'rustfmt.toml',
    '.rustfmt.toml',
    '.rubocop.yml',
    'phpstan.neon*',
    'detekt.y{,a}ml',
    '.shellcheckrc',
  ]),
  ...anywhere('build file', 'whole', [
    'Makefile',
    'makefile',
    'GNUmakefile',
    '{j,J}ustfile',
    'Taskfile.y{,a}ml',
    'turbo.json',
    'nx.json',
    'lerna.json',
    '.npmrc',
    '.yarnrc*',
    '.pnpmfile.cjs',
    'pnpm-workspace.yaml',
    'composer.json',
    'pom.xml',
    '{build,settings}.gradle{,.kts}',
    'gradle.properties',
    'Rakefile',
    'CMakeLists.txt',
    'mix.exs',
    '.pre-commit-config.y{,a}ml',
    'lefthook.y{,a}ml',
  ]),
  ...anywhere('build file', 'whole', [
    '.cargo/config',
    '.cargo/config.toml',
    '.husky/**',
    '.config/nextest.toml',
  ]),
  ...anywhere('package that tests are in', 'whole', ['__init__.py']),
  ...at('installed tools', 'whole', [
    '**/node_modules/**',
    '**/{.venv,venv,site-packages,__pypackages__}/**',
    '**/vendor/bin/**',
    '.yarn/**',
    '**/{sitecustomize,usercustomize,pytest,_pytest,unittest,coverage}.py',
  ]),
  ...at('CI', 'whole', [
    '.github/workflows/**',
    '.github/actions/**',
    '.gitlab-ci.yml',
    '.gitlab/**',
    '.circleci/**',
    '.buildkite/**',
    '.drone.yml',
    '.travis.yml',
    'Jenkinsfile*',
    'azure-pipelines*.yml',
    'bitbucket-pipelines.yml',
    '.woodpecker*',
    '.woodpecker/**',
  ]),
];

function at(what: string, part: GatePart, globs: readonly string[]): GateInput[] {
  return globs.map((glob) => ({ glob, part, what }));
}

function anywhere(what: string, part: GatePart, names: readonly string[]): GateInput[] {
  return at(
    what,
    part,
    names.map((name) => `**/${name}`),
  );
}

/**
 * Everything that can decide what the gates of this commit run: the fixed list, files named in commands, and files found by
 * following scripts and settings.
 */
export function gateInputs(
  { gates }: Pick<GateDefinitions, 'gates'>,
  followed: readonly string[] = [],
  /** Folders of the project's dependencies. */
  folders: readonly string[] = [],
): GateInput[] {
  const named = new Set([...gates.flatMap(({ command }) => pathsIn(command)), ...followed]);
  const installed = folders.map((folder) => `${folder.replace(/(?<!\/)\/+$/, '')}/**`);
  return [
    ...always,
    ...at('installed tools', 'whole', installed),
    ...at('used by a gate', 'whole', [...named].sort()),
  ];
}

const pythonTools =
  /^(pytest|ruff|mypy|pyright|basedpyright|black|isort|flake8|pylint|coverage|tox|nox|hatch|poe|taskipy|pdm|ty|bandit)$/;

/** The relevant part of a file's text in a comparable form; unparsable files are compared as a whole. */
export function gatePart(part: Exclude<GatePart, 'package-settings'>, text: string): string {
  switch (part) {
    case 'whole':
      return text;
    case 'gate-section':
      return gateSectionText(text);
    case 'gates-setting':
      return picked(text, (value) => pick(value, ['gates', 'ground', 'grounding', 'worktree']));
    case 'python-tools':
      return fromToml(text, ({ tool }) => {
        const tools = isFields(tool) ? tool : {};
        const { version: _, build: __, metadata: ___, ...hatch } = isFields(tools.hatch) ? tools.hatch : {};
        const names = Object.keys(tools).filter((name) => pythonTools.test(name));
        return { ...pick(tools, names), hatch };
      });
    case 'cargo-lints':
      return fromToml(text, ({ lints, workspace, profile, test, alias }) => ({
        lints,
        workspaceLints: (workspace as Record<string, unknown> | undefined)?.lints,
        profile,
        test,
        alias,
      }));
  }
}

type Fields = Record<string, unknown>;

function picked(text: string, choose: (value: Fields) => unknown): string {
  try {
    const errors: [] = [];
    const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
    return errors.length > 0 || !isFields(value) ? text : canonical(choose(value));
  } catch {
    // Nested too deeply.
    return text;
  }
}

function fromToml(text: string, choose: (value: Fields) => unknown): string {
  try {
    return canonical(choose(parseToml(text)));
  } catch {
    return text;
  }
}

function pick(value: unknown, keys: readonly string[]): Fields {
  if (!isFields(value)) return {};
  return Object.fromEntries(keys.flatMap((key) => (key in value ? [[key, value[key]]] : [])));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sorts keys, so that reordering lines is no change. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isFields(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : typeof inner === 'bigint'
        ? String(inner)
        : inner,
  );
}
