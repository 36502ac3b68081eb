import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shells } from '#cli/args/completion.ts';
import { CompletionReport } from '#schema/command-reports.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery } from '../support/joinery.ts';

/** What bash suggests at the end of a line. */
function offered(script: string, line: string, cwd: string): string[] {
  const ask = `${script}
words=(${line}); COMP_WORDS=("\${words[@]}"); [[ ${JSON.stringify(line)} == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _joinery; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', ask], { cwd, encoding: 'utf8' }).split('\n').filter(Boolean);
}

test.skipIf(spawnSync('bash', ['--version']).status !== 0)(
  'bash completes commands, options, values and branches',
  async () => {
    const repository = new GitRepository();
    repository.commit({ 'a.txt': 'a\n' });
    repository.branch('feat/one', {});
    const { code, stdout } = await joinery(['completion', 'bash']);
    expect(code).toBe(0);
    const complete = (line: string) => offered(stdout, line, repository.dir);
    expect(complete('joinery back')).toEqual(['backtest']);
    expect(complete('joinery check --str')).toEqual(['--strict']);
    expect(complete('joinery check --format ')).toContain('sarif');
    expect(complete('joinery check feat')).toEqual(['feat/one']);
    const elsewhere = (line: string) => offered(stdout, line, '/');
    expect(elsewhere(`joinery -C ${repository.dir} check feat`)).toEqual(['feat/one']);
    expect(elsewhere(`joinery check -C ${repository.dir} feat`)).toEqual(['feat/one']);
    expect(elsewhere('joinery -C /us')).toContain('/usr');
    expect(complete('joinery completion ')).toEqual(expect.arrayContaining(['bash', 'fish']));
  },
);

test.each(shells)('there is a script for %s', async (shell) => {
  const { stdout } = await joinery(['completion', shell, '--json']);
  expect(CompletionReport.parse(JSON.parse(stdout)).script).toContain('backtest');
});

test('another shell gets the names of the supported ones', async () => {
  const { code, stderr } = await joinery(['completion', 'csh']);
  expect(code).toBe(3);
  expect(stderr).toContain('fish');
});
