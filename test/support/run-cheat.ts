import { execFileSync } from 'node:child_process';
import type { AgentDriver } from '#agents/driver.ts';
import { stepOf } from '#crew/state/state.ts';
import { type Cheat, writeTree } from './cheats/cheat.ts';
import { openBench, task } from './engine-bench.ts';
import { makeRepo } from './engine-repo.ts';
import { temporaryFolder } from './joinery.ts';

export interface CheatEnd {
  readonly isAccepted: boolean;
  /** The findings, for people. */
  readonly why: string;
}

/** Whether a cheat keeps its suite green at all: otherwise it shows nothing. */
export function isGreen({ base, work }: Cheat): boolean {
  const folder = temporaryFolder();
  writeTree(folder, base);
  writeTree(folder, work);
  const command = /`(.*)`/.exec(String(base['AGENTS.md']))?.[1] ?? 'false';
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  try {
    execFileSync('/bin/sh', ['-c', command], { cwd: folder, env: { ...env, CI: 'true' }, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A run whose agent does it, with a task that may write everywhere: grounding, gates and the tests of base decide. */
export async function runCheat({ base, work }: Cheat): Promise<CheatEnd> {
  const repo = makeRepo();
  writeTree(repo.dir, base);
  repo.git('add', '--all', '--force');
  repo.git('commit', '-q', '-m', 'project');
  const driver: AgentDriver = {
    name: 'cheat',
    variables: [],
    play: async (request, doors) => {
      writeTree(request.cwd, work);
      doors.report({ type: 'text', text: 'x'.repeat(60) });
      return { outcome: request.attempt === 1 ? 'ok' : 'crashed', reason: '' };
    },
  };
  const bench = await openBench(repo, { attempts: [] }, { driver: () => driver });
  const files = Object.entries({ ...base, ...work }).flatMap(([path, content]) =>
    content === null ? [] : [path],
  );
  const run = bench.start({ tasks: [task('a', { files })] }, { autonomy: 'autopilot' });
  const state = await bench.drive(run);
  bench.close();
  const { attempts } = stepOf(state, 'a');
  const findings = attempts[0]?.findings.map(({ message }) => message) ?? [];
  const isAccepted = attempts[0]?.verdict === 'approve';
  repo.remove();
  return { isAccepted, why: findings.join('\n') };
}
