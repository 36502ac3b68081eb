import { expect, test } from 'vitest';
import { fingerprint } from '#test/support/git-repository.ts';
import { firstRound } from '#test/support/hostile/first-round.ts';
import { startProject } from '#test/support/hostile/hostile-repository.ts';
import { secondRound } from '#test/support/hostile/second-round.ts';
import { thirdRound } from '#test/support/hostile/third-round.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';
import { note } from '#test/support/sampling.ts';
import { chance } from '#test/support/seed.ts';
import { Trap } from '#test/support/trap.ts';

const all = [...firstRound, ...secondRound, ...thirdRound];
const some = chance('hostile repositories', { normal: 5, wide: 20, soak: all.length });
const chosen = some.pick(all).map((each) => [each.name, each] as const);
/** Control characters, except line feeds and tabs. */
const control = /[^\P{C}\n\t]/u;

test.each(chosen)(
  'a check neither executes, writes, hangs nor fails on %s',
  async (name, { build, args }) => {
    const repository = startProject();
    const trap = new Trap();
    build(repository, trap);
    const before = fingerprint(repository.dir);
    const cache = temporaryFolder();
    const { code, stdout, stderr } = await joinery(['check', ...(args ?? ['main', 'a', 'b'])], {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache },
    });
    const said = stdout + stderr;
    const broken = [
      trap.isSprung && 'its code ran',
      ![0, 1, 2, 3, 5].includes(code ?? -1) && 'exit code',
      /defect of joinery|^\s+at .*:\d+:\d+\)?$/m.test(stderr) && 'stack trace',
      control.test(said) && 'control characters',
      said.includes('root:x:0') && 'a file outside',
      fingerprint(repository.dir).join('\n') !== before.join('\n') && 'the repository changed',
    ].filter((each) => each !== false);
    note(`${broken.length === 0 ? 'held' : `broken (${broken.join(', ')})`}, exit ${code}: ${name}`);
    expect(broken, `exit ${code}\n${said.slice(0, 2000)}`).toEqual([]);
  },
  600_000,
);
