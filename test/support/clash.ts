import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '#scripts/root.ts';
import { GitRepository } from './git-repository.ts';
import { parseScenario } from './scenario/parse-scenario.ts';
import type { Changes, Files, Scenario } from './scenario/scenario.ts';

/**
 * Two branches that are green alone and red together, judged by the project's own tests: `test/clashes/<language>-<name>.txt`, in
 * the format of scenarios. `status` is what facts alone say; the branch `fixed` is `b` written against `a`.
 */
export interface Clash {
  readonly name: string;
  /** Facts alone see it. */
  readonly isKnown: boolean;
  /** Its runner says which cases ran. */
  readonly namesCases: boolean;
  readonly scenario: Scenario;
}

const folder = join(root, 'test', 'clashes');
/** The project's own command, by language. */
const commands: Readonly<Record<string, readonly [string, ...string[]]>> = {
  js: ['npm', 'test'],
  ts: ['npm', 'test'],
  py: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
  go: ['go', 'test', './...'],
  rust: ['cargo', 'test', '--offline', '--quiet'],
  ruby: ['rake', 'test'],
  php: ['make', 'test'],
  java: ['make', 'test'],
};
const withoutCases = new Set(['php', 'java']);

export function readClashes(): Clash[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .toSorted()
    .map((file) => {
      const scenario = parseScenario(readFileSync(join(folder, file)));
      const name = basename(file, '.txt');
      const isKnown = scenario.expected.status !== 'pass';
      return { name, isKnown, namesCases: !withoutCases.has(languageOf(name)), scenario };
    });
}

function languageOf(name: string): string {
  return name.slice(0, name.indexOf('-'));
}

export interface BuiltClash {
  readonly repository: GitRepository;
  /** Whether the project's own tests pass there. */
  isGreen(ref: string): boolean;
}

/** A repository with `main`, `a`, `b`, what git makes of both (`union`), and `twin`: `b` merged with `a` and repaired. */
export function buildClash({ name, scenario }: Clash): BuiltClash {
  const repository = new GitRepository();
  const changesOf = (branch: string) =>
    scenario.branches.find((each) => each.name === branch)?.changes ?? new Map();
  repository.commit(textsOf(scenario.base));
  repository.git('checkout', '-q', '-b', 'a');
  repository.commit(textsOf(changesOf('a')));
  repository.git('checkout', '-q', '-b', 'b', 'main');
  repository.commit(textsOf(changesOf('b')));
  for (const branch of ['union', 'twin']) {
    repository.git('checkout', '-q', '-b', branch, 'b');
    repository.git('merge', '-q', '--no-edit', 'a');
  }
  repository.commit(textsOf(changesOf('fixed')));
  repository.git('checkout', '-q', 'main');
  const [program, ...args] = commands[languageOf(name)] ?? ['false'];
  return {
    repository,
    isGreen(ref) {
      const tree = new GitRepository();
      execFileSync('git', ['fetch', '-q', repository.dir, ref], { cwd: tree.dir });
      execFileSync('git', ['checkout', '-q', 'FETCH_HEAD'], { cwd: tree.dir });
      const { status, error } = spawnSync(program, args, { cwd: tree.dir, encoding: 'utf8' });
      if (error) throw error;
      return status === 0;
    },
  };
}

function textsOf(files: Files | Changes): Record<string, string | null> {
  return Object.fromEntries([...files].map(([path, content]) => [path, content?.toString('utf8') ?? null]));
}
