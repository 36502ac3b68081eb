import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ReplayReport } from '#schema/replay.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

function clashing() {
  const repository = new GitRepository();
  repository.commit({
    'app/__init__.py': '',
    'app/api.py': 'def get(id):\n    return id\n',
    'tsconfig.json': '{"compilerOptions":{"strict":true,"types":[],"noEmit":true},"include":["web"]}',
    'web/user.ts': 'export interface User { name: string }\n',
  });
  repository.branch('a', {
    'app/api.py': 'def fetch(id):\n    return id\n',
    'web/user.ts': 'export interface User { name: string | null }\n',
  });
  repository.branch('b', {
    'app/use.py': 'from app.api import get\n\nget(1)\n',
    'web/use.ts':
      "import type { User } from './user.js';\nexport const size = (user: User) => user.name.length;\n",
  });
  const cache = temporaryFolder();
  const env = { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache };
  const run = (...args: string[]) => joinery(args, { cwd: repository.dir, env });
  return { repository, run };
}

test('a finding is reproduced from its commits alone, wherever the branches point now', async () => {
  const { repository, run } = clashing();
  const { stdout } = await run('check', '--json');
  const file = join(temporaryFolder(), 'report.json');
  writeFileSync(file, stdout);
  const { findings } = JSON.parse(stdout);
  expect(findings.map(({ rule }: { rule: string }) => rule)).toEqual(['S02', 'V01']);
  repository.git('branch', '-f', 'a', 'main');

  for (const { id, witness } of findings) {
    expect(witness.command).toBe(`joinery replay ${id}`);
    const again = await run('replay', id.slice(0, 6), '--json');
    expect(again.code).toBe(0);
    const replay = ReplayReport.strict().parse(JSON.parse(again.stdout));
    expect(replay).toMatchObject({
      proof: 'confirmed',
      unionTree: { reported: witness.unionTree, rebuilt: witness.unionTree },
      finding: { id, witness: { absentOn: ['a', 'b'] } },
    });
  }
  const shown = await run('replay', findings[0].id, '--report', file);
  expect(shown.stdout).toContain('def fetch(id)');
  expect(shown.stdout).toMatch(/Reproduced: present in the union [0-9a-f]{12}, absent on a and b/);

  expect((await run('replay', 'nothing')).code).toBe(3);
  expect((await run('replay', '')).code).toBe(3);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(findings[0].witness.unionTree, '0'.repeat(40)));
  const other = await run('replay', findings[0].id, '--report', file);
  expect(other.code).toBe(1);
  expect(other.stdout).toContain('Not reproduced');

  repository.git('reflog', 'expire', '--expire=now', '--all');
  repository.git('gc', '-q', '--prune=now');
  const gone = await run('replay', findings[0].id);
  expect(gone.code).toBe(3);
  expect(gone.stderr).toContain('is gone');
});
