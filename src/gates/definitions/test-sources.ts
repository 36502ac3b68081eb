import { posix } from 'node:path';
import { compileGlobs } from '#lib/glob.ts';
import { asObject } from '#lib/json-value.ts';
import { parseJson } from '#lib/parse-json.ts';

/** A place in a project that says how its tests are run, or how it is built. */
export interface TestSource {
  readonly kind: 'test' | 'build';
  readonly language: string;
  /** The project inside the repository: `packages/a`, or `` for the top. */
  readonly folder: string;
  /** Globs of the files that it is about, below the folder. */
  readonly files: string;
  /** Run in that folder. */
  readonly command: string;
  /** `package.json`. */
  readonly origin: string;
}

/** The texts of the manifests below, and the paths of all files. */
export interface ProjectFiles {
  readonly texts: ReadonlyMap<string, string>;
  readonly paths: readonly string[];
}

/** The runner of Python tests that is installed. pytest runs the tests of unittest as well. */
export type PythonRunner = 'pytest' | 'unittest';

/** Origin of a command that no file suggests. */
export const byDefault = 'by default';

/** The files of one folder. */
interface Folder {
  readonly path: string;
  text(name: string): string | undefined;
  has(name: string): boolean;
}

interface Language {
  readonly name: string;
  readonly files: string;
  /** One of them makes a folder a project of the language. */
  readonly manifests: readonly string[];
  /** Whether the tests of a project also run those of another one below it. */
  covers?(top: Folder, below: Folder): boolean;
  /** How it is tested; the first one counts. */
  tests(folder: Folder): readonly Said[];
  builds?(folder: Folder): readonly Said[];
}

interface Said {
  readonly command: string;
  readonly origin: string;
}

const says = (command: string, origin: string): Said => ({ command, origin });

/** What `npm init` writes if there are no tests. */
const placeholder = /no test specified/;

const javascript: Language = {
  name: 'javascript',
  files: '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte}',
  manifests: ['package.json'],
  covers: (top, below) => isWorkspace(top, below.path),
  tests(folder) {
    const { scripts, devDependencies, dependencies } = manifestIn(folder);
    const own = scripts?.test;
    const runner = ['vitest', 'jest'].find((name) => name in { ...dependencies, ...devDependencies });
    return [
      ...(typeof own === 'string' && own !== '' && !placeholder.test(own)
        ? [says(`${packageManager(folder)} test`, 'package.json')]
        : []),
      ...(runner === undefined ? [] : [says(runner === 'vitest' ? 'vitest run' : 'jest', 'package.json')]),
    ];
  },
};

function manifestIn(folder: Folder): Record<string, Record<string, unknown> | undefined> {
  return asObject(parseJson(folder.text('package.json') ?? '')) as ReturnType<typeof manifestIn>;
}

/** npm runs the scripts of any project; yarn and pnpm refuse those of another manager. */
function packageManager(folder: Folder): 'npm' | 'pnpm' | 'yarn' {
  if (folder.has('pnpm-lock.yaml')) return 'pnpm';
  return folder.has('yarn.lock') ? 'yarn' : 'npm';
}

function isWorkspace(top: Folder, path: string): boolean {
  const { workspaces } = asObject(parseJson(top.text('package.json') ?? ''));
  const listed = Array.isArray(workspaces) ? workspaces : asObject(workspaces).packages;
  const globs = [
    ...(Array.isArray(listed) ? listed.map(String) : []),
    ...[...(top.text('pnpm-workspace.yaml') ?? '').matchAll(/^[^\S\n]*-[^\S\n]*['"]?([^'"#\s]+)/gm)].map(
      ([, glob = '']) => glob,
    ),
  ];
  return compileGlobs(globs.map((glob) => glob.replace(/^\.\/|\/$/g, '')))(posix.relative(top.path, path));
}

const python: Language = {
  name: 'python',
  files: '**/*.py',
  manifests: [
    'pyproject.toml',
    'setup.py',
    'setup.cfg',
    'pytest.ini',
    'tox.ini',
    'noxfile.py',
    'conftest.py',
  ],
  covers: () => true,
  tests(folder) {
    const settings = ['pytest.ini', 'conftest.py', 'pyproject.toml', 'setup.cfg', 'tox.ini'].filter((name) =>
      /^(pytest|conftest)/.test(name) ? folder.has(name) : /pytest/.test(folder.text(name) ?? ''),
    );
    // tox and nox install what they test with from the network: pytest, where it is set up, needs nothing.
    return [
      ...settings.map((origin) => says('python3 -m pytest', origin)),
      ...(/^\[testenv/m.test(folder.text('tox.ini') ?? '') ? [says('tox', 'tox.ini')] : []),
      ...(folder.has('noxfile.py') ? [says('nox', 'noxfile.py')] : []),
    ];
  },
};

const go: Language = {
  name: 'go',
  files: '**/*.go',
  manifests: ['go.mod'],
  tests: () => [says('go test -v ./...', 'go.mod')],
};

/** `cargo check` runs build scripts and macros of the tree, so it counts as a build. */
const rust: Language = {
  name: 'rust',
  files: '**/*.rs',
  manifests: ['Cargo.toml'],
  covers: (top) => /^\[workspace\]/m.test(top.text('Cargo.toml') ?? ''),
  tests: () => [says('cargo test --offline', 'Cargo.toml')],
  builds: () => [says('cargo check --offline --all-targets --message-format short', 'Cargo.toml')],
};

const maven: Language = {
  name: 'maven',
  files: '**/*.{java,kt,scala,groovy}',
  manifests: ['pom.xml'],
  covers: () => true,
  tests: (folder) => [says(`${folder.has('mvnw') ? './mvnw' : 'mvn'} -B -o test`, 'pom.xml')],
};

const gradle: Language = {
  name: 'gradle',
  files: '**/*.{java,kt,kts,scala,groovy}',
  manifests: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
  covers: () => true,
  tests: (folder) => [
    says(
      `${folder.has('gradlew') ? './gradlew' : 'gradle'} --offline test`,
      gradle.manifests.find((name) => folder.has(name)) ?? 'build.gradle',
    ),
  ],
};

const php: Language = {
  name: 'php',
  files: '**/*.php',
  manifests: ['composer.json'],
  tests(folder) {
    const { scripts } = asObject(parseJson(folder.text('composer.json') ?? ''));
    return 'test' in asObject(scripts) ? [says('composer test', 'composer.json')] : [];
  },
};

const ruby: Language = {
  name: 'ruby',
  files: '**/*.rb',
  manifests: ['Rakefile'],
  tests(folder) {
    const text = folder.text('Rakefile') ?? '';
    const task = /TestTask|task\s+:?["']?test\b/.test(text)
      ? 'test'
      : /RSpec::Core::RakeTask|task\s+:?["']?spec\b/.test(text)
        ? 'spec'
        : null;
    const through = folder.has('Gemfile.lock') ? 'bundle exec ' : '';
    return task === null ? [] : [says(`${through}rake ${task}`, 'Rakefile')];
  },
};

const languages: readonly Language[] = [javascript, python, go, rust, maven, gradle, php, ruby];

/** The recipes of a project, for whatever no manifest says how to test. */
const recipes = [
  { file: 'Makefile', says: /^test\s*:(?!=)/m, command: 'make test' },
  { file: 'makefile', says: /^test\s*:(?!=)/m, command: 'make test' },
  { file: 'GNUmakefile', says: /^test\s*:(?!=)/m, command: 'make test' },
  { file: 'justfile', says: /^test\b[^\n=]*:(?!=)/m, command: 'just test' },
  { file: 'Justfile', says: /^test\b[^\n=]*:(?!=)/m, command: 'just test' },
] as const;

const manifestNames: ReadonlySet<string> = new Set([
  ...languages.flatMap(({ manifests }) => manifests),
  ...recipes.map(({ file }) => file),
  ...['pnpm-workspace.yaml', 'Gemfile.lock', 'pnpm-lock.yaml', 'yarn.lock', 'mvnw', 'gradlew'],
]);

/** Samples and foreign code have manifests of their own. */
const foreign =
  /(^|\/)(node_modules|vendor|third_party|\.venv|venv|target|__fixtures__|fixtures?|testdata|test-data|samples?|examples?)\//;
/** Read as text: lock files only have to be there. */
const onlyListed = /(^|\/)(Gemfile\.lock|pnpm-lock\.yaml|yarn\.lock|mvnw|gradlew)$/;
const ciFile = /^(\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.circleci\/config\.yml|\.travis\.yml)$/;
const pythonTest = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/;
const mostFolders = 200;
const mostTests = 20;

/** The files to read: what says how a project is tested. */
export function sourceFiles(paths: readonly string[]): string[] {
  const manifests = paths.filter(
    (path) => manifestNames.has(posix.basename(path)) && !foreign.test(path) && !onlyListed.test(path),
  );
  const nearest = manifests.toSorted((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
  const tests = paths.filter((path) => pythonTest.test(path) && !foreign.test(path)).slice(0, mostTests);
  return [...nearest.slice(0, mostFolders), ...tests, ...paths.filter((path) => ciFile.test(path))];
}

export interface TestSources {
  /** How each project of the repository is tested and built. */
  readonly chosen: readonly TestSource[];
  /** What else says it, less trusted first. */
  readonly others: readonly TestSource[];
  /** Lines of CI files: never run, only quoted. */
  readonly proposals: readonly { readonly origin: string; readonly line: string }[];
}

/**
 * How a repository is tested, by its files alone: for each language and project the first source that says it. A project below another one
 * of its language has no tests of its own where the upper one runs them.
 */
export function readTestSources(
  { texts, paths }: ProjectFiles,
  /** Null: by the text of its tests. */
  installed: PythonRunner | null = null,
): TestSources {
  const all = new Set(paths);
  const folderAt = (path: string): Folder => {
    const inside = path === '' ? '' : `${path}/`;
    return {
      path,
      text: (name) => texts.get(inside + name),
      has: (name) => all.has(inside + name) || texts.has(inside + name),
    };
  };
  const chosen: TestSource[] = [];
  const others: TestSource[] = [];
  for (const language of languages) {
    const taken: Folder[] = [];
    for (const path of foldersWith(language.manifests, texts)) {
      const folder = folderAt(path);
      const isCovered = taken.some((top) => isBelow(path, top.path) && language.covers?.(top, folder));
      if (isCovered) continue;
      const of = (kind: 'test' | 'build') => (said: Said) => sourceOf(language, folder, kind, said);
      const [first, ...rest] = language.tests(folder).map(of('test'));
      if (first) taken.push(folder);
      chosen.push(...(language.builds?.(folder) ?? []).map(of('build')), ...(first ? [first] : []));
      others.push(...rest);
    }
  }
  const top = folderAt('');
  const plain = plainPython(top, texts, installed);
  if (plain !== null && !chosen.some(({ language }) => language === 'python')) chosen.push(plain);
  const made = recipes.flatMap(({ file, says: pattern, command }) =>
    pattern.test(top.text(file) ?? '') ? [{ ...anything, command, origin: file }] : [],
  );
  const hasTests = chosen.some(({ kind }) => kind === 'test');
  return {
    chosen: [...chosen, ...(hasTests ? [] : made.slice(0, 1))],
    others: [...others, ...(hasTests ? made : made.slice(1))],
    proposals: proposalsIn(texts),
  };
}

const anything = { kind: 'test', language: 'make', folder: '', files: '**' } as const;

function sourceOf(language: Language, folder: Folder, kind: TestSource['kind'], said: Said): TestSource {
  const { path } = folder;
  const origin = said.origin === byDefault ? byDefault : posix.join(path, said.origin);
  return {
    kind,
    language: language.name,
    folder: path,
    files: language.files,
    command: said.command,
    origin,
  };
}

/** The folders with a manifest, upper ones first. */
function foldersWith(manifests: readonly string[], texts: ReadonlyMap<string, string>): string[] {
  const found = [...texts.keys()]
    .filter((path) => manifests.includes(posix.basename(path)) && !foreign.test(path))
    .map((path) => posix.dirname(path).replace(/^\.$/, ''));
  return [...new Set(found)].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

function depth(path: string): number {
  return path === '' ? 0 : path.split('/').length;
}

function isBelow(path: string, top: string): boolean {
  return path !== top && (top === '' || path.startsWith(`${top}/`));
}

/** Python tests need no settings: where no file says how they run, their text does, or the runner that is installed. */
function plainPython(
  top: Folder,
  texts: ReadonlyMap<string, string>,
  installed: PythonRunner | null,
): TestSource | null {
  const tests = [...texts].filter(([path]) => pythonTest.test(path));
  if (tests.length === 0 && installed === null) return null;
  const isPytest = tests.some(([, text]) => /^(async )?def test|^[^\S\n]*(import|from) pytest\b/m.test(text));
  const runner = installed ?? (isPytest ? 'pytest' : 'unittest');
  const command = runner === 'pytest' ? 'python3 -m pytest' : 'python3 -m unittest -v';
  return sourceOf(python, top, 'test', says(command, byDefault));
}

const runsTests = /\b(test|tests|pytest|vitest|jest|mocha|rspec|phpunit|tox|nox)\b/;
const mostProposals = 5;

function proposalsIn(texts: ReadonlyMap<string, string>): TestSources['proposals'] {
  return [...texts]
    .filter(([path]) => ciFile.test(path))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, index) => {
        const [, command] = /^\s*(?:- +)?(?:run:|script:|- )\s*(\S.*)$/.exec(line) ?? [];
        const isRun = command !== undefined && !/^(name|uses|if|with|key):|^[|>]/.test(command);
        return isRun && runsTests.test(command)
          ? [{ origin: `${path}:${index + 1}`, line: command.trim() }]
          : [];
      }),
    )
    .slice(0, mostProposals);
}
