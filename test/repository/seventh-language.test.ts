import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { runNode, temporaryFolder } from '../support/joinery.ts';

/** Joinery's sources with Bash: a copy of `test/support/bash-language`, and a line with its import in the table of languages. */
function withBash(): string {
  const own = fileURLToPath(new URL('../..', import.meta.url));
  const folder = temporaryFolder();
  for (const part of ['bin', 'src', 'package.json'])
    cpSync(join(own, part), join(folder, part), { recursive: true });
  symlinkSync(join(own, 'node_modules'), join(folder, 'node_modules'));
  const languages = join(folder, 'src', 'code', 'languages');
  cpSync(join(own, 'test', 'support', 'bash-language'), join(languages, 'bash'), { recursive: true });
  const table = readFileSync(join(languages, 'index.ts'), 'utf8');
  writeFileSync(
    join(languages, 'index.ts'),
    `import { bashEntry } from './bash/index.ts';\n${table.replace('  cssModuleEntry,\n', '  cssModuleEntry,\n  bashEntry,\n')}`,
  );
  return join(folder, 'bin', 'joinery.js');
}

const library = (name: string) =>
  `${name}() {\n  echo "$(date): $1" >> "$LOG_FILE"\n  chmod 600 "$LOG_FILE"\n}\n`;
const job = (closedAfter: number, added: string) => {
  const steps = ['read', 'write', 'check', 'flush', 'sync', 'close', 'done'].map((step) => `echo ${step}`);
  return ['if test -n "$1"; then', ...steps.toSpliced(5, 0, added).toSpliced(closedAfter, 0, 'fi'), ''].join(
    '\n',
  );
};

test('a seventh language is a folder and a line: names, text rules and reports work at once', async () => {
  const repository = new GitRepository();
  repository.commit({
    'lib/log.sh': library('say'),
    'lib/old.sh': 'greet() {\n  echo "$1"\n}\n',
    'run.sh': job(8, 'true'),
  });
  repository.branch('a', {
    'lib/log.sh': library('report'),
    'lib/old.sh': 'true\n',
    'run.sh': job(1, 'true'),
  });
  repository.branch('b', {
    'jobs/say.sh': 'source lib/log.sh\nsay hello\n',
    'jobs/greet.sh': 'source lib/old.sh\ngreet world\n',
    'run.sh': job(8, 'fi; if true; then true'),
  });
  const { code, stdout, stderr } = await runNode(
    [withBash(), 'check', '--base', 'main', 'a', 'b', '--confirm', 'none', '--json'],
    { cwd: repository.dir, env: { JOINERY_CACHE_DIR: temporaryFolder() } },
  );
  const { findings } = CheckReport.parse(JSON.parse(stdout));
  expect(
    findings.map(({ rule, sites }) => `${rule} ${sites.find(({ role }) => role === 'consumer')?.file}`),
  ).toEqual(['S01 jobs/greet.sh', 'S02 jobs/say.sh', 'T03 run.sh']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
});
