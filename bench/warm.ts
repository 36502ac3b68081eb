import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Branch } from '#test/support/scenario/scenario.ts';
import { type BenchRepository, earlierSources, realBranches, repositoryOf } from './history.ts';
import { type CheckCost, medianCpu, runCheck } from './measure.ts';
import type { BenchOptions, Part } from './part.ts';
import { judge, percent, renderTable, seconds } from './table.ts';

export const warm: Part = {
  name: 'warm',
  summary: 'a check of 20 branches again, and after one of them got a commit',
  run: runWarm,
};

const branchCount = 20;
const filesPerBranch = 25;
const touchedFiles = 5;

async function runWarm({ full }: BenchOptions): Promise<string> {
  const base = earlierSources();
  const branches = realBranches(branchCount, filesPerBranch);
  const repository = await repositoryOf(base, [...branches, nextOf(branches[0])]);
  const tips = repository.branches.slice(0, branchCount);
  const samples: Record<'cold' | 'repeat' | 'commit', CheckCost[]> = { cold: [], repeat: [], commit: [] };
  try {
    const commits = await twoCommits(repository);
    for (let round = 0; round < (full ? 5 : 3); round++) {
      const cache = mkdtempSync(join(tmpdir(), 'joinery-warm-'));
      await repository.git.run(['update-ref', `refs/heads/${tips[0]}`, commits.before]);
      samples.cold.push(await runCheck(repository.dir, cache, tips));
      samples.repeat.push(await runCheck(repository.dir, cache, tips));
      await repository.git.run(['update-ref', `refs/heads/${tips[0]}`, commits.after]);
      samples.commit.push(await runCheck(repository.dir, cache, tips));
      rmSync(cache, { recursive: true, force: true });
    }
  } finally {
    rmSync(repository.dir, { recursive: true, force: true });
  }
  const cold = medianCpu(samples.cold);
  const shareOf = (kind: 'repeat' | 'commit') => medianCpu(samples[kind]) / cold;
  const row = (label: string, kind: 'repeat' | 'commit', limit: number) => [
    label,
    seconds(medianCpu(samples[kind])),
    percent(shareOf(kind)),
    `at most ${limit * 100} %`,
    judge(shareOf(kind) <= limit),
  ];
  return [
    `${base.size} files, ${branchCount} branches × ${filesPerBranch} changed files of real version pairs, base unmoved, --confirm none`,
    renderTable(
      ['', 'CPU', 'of cold', 'limit', 'verdict'],
      [
        ['cold, empty cache', seconds(cold), '100 %', '', ''],
        row('unchanged repeat', 'repeat', 0.05),
        row(`one branch got a commit touching ${touchedFiles} files`, 'commit', 0.1),
      ],
    ),
  ].join('\n');
}

/** The first branch after one more commit: a line at the end of five of its files. */
function nextOf(branch: Branch | undefined): Branch {
  const changes = new Map(branch?.changes);
  const kept = [...changes].flatMap(([path, content]) =>
    content === null ? [] : [[path, content] as const],
  );
  for (const [path, content] of kept.slice(0, touchedFiles))
    changes.set(path, Buffer.concat([content, Buffer.from('\nexport const addedLater = 1;\n')]));
  return { name: 'next', changes };
}

async function twoCommits({ git, branches }: BenchRepository): Promise<{ before: string; after: string }> {
  const before = await git.text(['rev-parse', `refs/heads/${branches[0]}`]);
  const identity = ['-c', 'user.name=Joinery', '-c', 'user.email=joinery@localhost'];
  const after = await git.text([
    ...identity,
    'commit-tree',
    `refs/heads/${branches.at(-1)}^{tree}`,
    '-p',
    before,
    '-m',
    'next',
  ]);
  return { before, after };
}
