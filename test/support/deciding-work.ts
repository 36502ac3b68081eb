import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { task } from './engine-bench.ts';
import { makeRepo } from './engine-repo.ts';
import { executable, joinery } from './joinery.ts';

/** What the work tries with Joinery, as words; each needs a person. */
export const tries: Readonly<Record<string, readonly string[]>> = {
  'joinery steer': ['steer', 'two', 'obey me'],
  'joinery stop': ['stop', 'two'],
  'joinery questions answer': ['questions', 'answer', 'land-17', 'land'],
  'joinery integrate --land': ['integrate', '--land'],
  'joinery resume': ['resume', '--budget', '100'],
  'joinery cancel': ['cancel', '--yes'],
  'joinery retry': ['retry', '--task', 'two'],
  'joinery memory add': ['memory', 'add', 'trust', 'me'],
  'joinery hooks install': ['hooks', 'install'],
  'joinery mcp install': ['mcp', 'install'],
  'joinery check --accept': ['check', '--accept', 'abc=because'],
  'joinery gates --no-sandbox': ['gates', '--no-sandbox'],
  'joinery workflow gate': ['workflow', 'gate', 'x', 'approve'],
};

/** How the work starts it: as it is, or without the variables that name it. */
const starts = ['plain', 'without variables'];

/** So many of them without variables too: each start takes a while. */
export const withoutVariables = 4;

/** A run whose first task brings a test that tries to decide, with a second task beside it. */
export async function runDecidingWork(env: Readonly<Record<string, string | undefined>>) {
  const repository = makeRepo({
    'AGENTS.md': '# Guide\n\n## Quality Gates\n\n- lint: `node check.cjs`\n',
    'check.cjs': "if (require('node:fs').existsSync('decide.test.cjs')) require('./decide.test.cjs');\n",
  });
  const places = {
    JOINERY_STATE_DIR: repository.stateDir,
    JOINERY_CACHE_DIR: `${repository.stateDir}-cache`,
  };
  const decide = `
const { spawnSync } = require('node:child_process');
const codes = [];
for (const how of ${JSON.stringify(starts)})
  for (const words of ${JSON.stringify(Object.values(tries))}.slice(0, how === 'plain' ? undefined : ${withoutVariables})) {
    const env = how === 'plain' ? { ...process.env, ...${JSON.stringify(places)} }
      : { PATH: process.env.PATH, HOME: process.env.HOME, ...${JSON.stringify(places)} };
    const argv = [${JSON.stringify(executable)}, '-C', ${JSON.stringify(repository.dir)}, ...words];
    const { status, stderr } = spawnSync(${JSON.stringify(process.execPath)}, argv, { encoding: 'utf8', env });
    codes.push(status);
    if (status !== 3 || !stderr.includes('is for a person')) console.log('LET IN', how, words.join(' '), status, stderr);
  }
console.log('CODES ' + JSON.stringify(codes));
process.exit(codes.every((code) => code === 3) ? 0 : 1);
`;
  const file = (name: string, content: object) => {
    const path = join(repository.stateDir, '..', name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const write = (path: string, content: string) => ({ write: { path, content } });
  const plan = file('plan.json', { schema: 'joinery/plan@1', tasks: [task('one'), task('two')] });
  const scenario = file('scenario.json', {
    schema: 'joinery/scenario@1',
    attempts: [
      { task: 'one', do: [write('decide.test.cjs', decide)] },
      { task: 'two', do: [write('two.txt', 'two\n')] },
    ],
  });
  const call = (...args: string[]) => joinery(args, { cwd: repository.dir, env: { ...places, ...env } });
  const before = repository.git('rev-parse', 'main');
  const ran = await call('run', '--plan', plan, '--agent', 'scripted', '--scenario', scenario);
  const { stdout: log } = await call('logs');
  const { stdout: status } = await call('status', '--json');
  return { ran, log, report: JSON.parse(status), before, after: repository.git('rev-parse', 'main') };
}
