import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GatesReport } from '#schema/gates.ts';
import { GitRepository } from './git-repository.ts';
import { joinery, type Outcome, temporaryFolder } from './joinery.ts';

/** AGENTS.md with these gates. */
export const guide = (...lines: string[]) => `# Guide\n\n## Quality Gates\n\n${lines.join('\n')}\n`;

/** A runner that prints like vitest, from a file with a line per test: `name pass` or `name fail`. */
const runner = `
const lines = require('node:fs').readFileSync('tests.txt', 'utf8').trim().split('\\n').filter(Boolean);
const tests = lines.map((line) => line.split(' '));
const failed = tests.filter(([, how]) => how === 'fail' || (how === 'flaky' && once()));
function once() {
  const mark = process.env.FLAKY_MARK;
  const isMarked = require('node:fs').existsSync(mark);
  if (isMarked && process.env.FLAKY_AGAIN) require('node:fs').rmSync(mark);
  else require('node:fs').writeFileSync(mark, '');
  return !isMarked;
}
for (const [name] of failed) console.log(' FAIL  a.test.ts > ' + name);
const passed = tests.length - failed.length;
if (tests.length === 0) console.log('No test files found, exiting with code 0');
else console.log('      Tests  ' + (failed.length ? failed.length + ' failed | ' : '') + passed + ' passed (' + tests.length + ')');
process.exit(failed.length ? 1 : 0);
`;

/** A repository with gates, and a folder for their state. */
export class Project extends GitRepository {
  readonly state = temporaryFolder();

  constructor(files: Readonly<Record<string, string>>) {
    super();
    this.commit({
      '.gitignore': 'ignored/\n',
      'joinery.json': '{"gates":{"env":["FLAKY_*"]}}\n',
      'run.js': runner,
      'tests.txt': 'adds pass\n',
      ...files,
    });
  }

  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    const own = { JOINERY_STATE_DIR: this.state, JOINERY_CACHE_DIR: this.state, LC_ALL: 'C.UTF-8' };
    return joinery(args, { cwd: this.dir, env: { ...own, ...env } });
  }

  async gates(...args: string[]): Promise<GatesReport & { code: number | null }> {
    const { code, stdout } = await this.run(['gates', '--json', ...args]);
    return { ...GatesReport.parse(JSON.parse(stdout)), code };
  }
}

/** A project whose gates are lint and test. */
export const tested = () =>
  new Project({ 'AGENTS.md': guide('- lint: `node --check run.js`', '- test: `node run.js`') });

export function evidenceOf(project: Project): { claim: string; task: string | null }[] {
  return evidenceFiles(project.state).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { claim: string; task: string | null }),
  );
}

function evidenceFiles(state: string): string[] {
  return readdirSync(state)
    .map((name) => join(state, name, 'evidence', 'evidence.jsonl'))
    .filter((file) => existsSync(file));
}
