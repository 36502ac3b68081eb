import { expect, test } from 'vitest';
import { fingerprint } from '#test/support/git-repository.ts';
import { hostileRepositories, startProject } from '#test/support/hostile-repositories.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';
import { chance } from '#test/support/seed.ts';
import { Trap } from '#test/support/trap.ts';

const some = chance('hostile repositories', { normal: 5, wide: 20, soak: hostileRepositories.length });
const chosen = some.pick(hostileRepositories).map((each) => [each.name, each] as const);
/** What a terminal obeys, line feeds and tabs aside. */
const control = /[^\P{C}\n\t]/u;

test.each(chosen)(
  'a check neither runs, writes, hangs nor fails on %s',
  async (_, { build, args }) => {
    const repository = startProject();
    const trap = new Trap();
    build(repository, trap);
    const before = fingerprint(repository.dir);
    const cache = temporaryFolder();
    const { code, stdout, stderr } = await joinery(['check', ...(args ?? ['main', 'a', 'b'])], {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache },
    });
    expect(trap.isSprung).toBe(false);
    expect([0, 1, 2, 3]).toContain(code);
    expect(stderr).not.toMatch(/defect of joinery|^\s+at .*:\d+:\d+\)?$/m);
    expect(stdout + stderr).not.toMatch(control);
    expect(stdout + stderr).not.toContain('root:x:0');
    expect(fingerprint(repository.dir)).toEqual(before);
  },
  180_000,
);
