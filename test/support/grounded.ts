import { followedFiles } from '#gates/definitions/followed-files.ts';
import { gateInputs } from '#gates/definitions/inputs.ts';
import { openRepository } from '#git/call/repository.ts';
import type { Change, FileChange, Paths } from '#grounding/change/change.ts';
import { readChange } from '#grounding/change/read-change.ts';
import { type Grounding, ground } from '#grounding/ground.ts';
import { changedLines } from '#lib/changed-lines.ts';
import { type GroundFinding, GroundingPolicy } from '#schema/grounding.ts';
import { type Files, GitRepository } from './git-repository.ts';
import { temporaryFolder } from './joinery.ts';

export type ToldInTest = Partial<
  Pick<Change, 'declared' | 'granted' | 'others' | 'claim' | 'gateRuns' | 'criteria'>
> & { readonly policy?: object };

/** Grounds a real repository with one commit and one branch on top of it. */
export async function grounded(base: Files, changed: Files, told: ToldInTest = {}): Promise<Grounding> {
  const repository = new GitRepository();
  const from = repository.commit(base);
  const tip = repository.branch('work', changed);
  return groundCommits(repository.dir, from, tip, told);
}

/** The same without git, for tests that try many changes. Imports are left out. */
export function groundedValues(base: Files, changed: Files, { policy, ...told }: ToldInTest = {}): Grounding {
  const tip = { ...base, ...changed };
  const paths = (files: Files): Paths => {
    const all = Object.keys(files).filter((path) => files[path] !== null);
    return {
      has: (path) => all.includes(path),
      isDirectory: (path) => all.some((each) => path === '' || each.startsWith(`${path}/`)),
      matching: (test) => all.filter(test).sort(),
    };
  };
  return ground({
    files: fileChanges(base, changed),
    base: paths(base),
    tip: paths(tip),
    declared: null,
    granted: [],
    others: [],
    claim: { status: 'none' },
    imports: { before: [], after: [], loads: new Map(), unknown: [] },
    gateInputs: gateInputs({ gates: [] }, followedFiles([], followable(base))),
    gateRuns: null,
    criteria: [],
    ...told,
    policy: GroundingPolicy.parse(policy ?? {}),
  });
}

function followable(base: Files) {
  const texts = new Map(
    Object.entries(base).flatMap(([path, text]) => (text === null ? [] : [[path, text]])),
  );
  return { has: (path: string) => texts.has(path), texts };
}

function fileChanges(base: Files, changed: Files): FileChange[] {
  const gone = Object.keys(changed).filter((path) => changed[path] === null && base[path] !== undefined);
  const taken = new Set<string>();
  const come = Object.entries(changed).filter(([path, text]) => text !== null && base[path] !== text);
  const changes = come.map(([path, after]): FileChange => {
    const isNew = base[path] === undefined;
    const oldPath = isNew
      ? (gone.find((old) => !taken.has(old) && isAlike(base[old] ?? '', after ?? '')) ?? path)
      : path;
    if (oldPath !== path) taken.add(oldPath);
    const before = base[oldPath] ?? null;
    const lines = changedLines(before ?? '', after ?? '');
    const status = oldPath !== path ? 'renamed' : isNew ? 'added' : 'modified';
    return { status, path, oldPath, before, after, lines, unreadable: null };
  });
  const deleted = gone
    .filter((path) => !taken.has(path))
    .map((path): FileChange => {
      const before = base[path] ?? '';
      const lines = changedLines(before, '');
      return { status: 'deleted', path, oldPath: path, before, after: null, lines, unreadable: null };
    });
  return [...changes, ...deleted];
}

function isAlike(before: string, after: string): boolean {
  return changedLines(before, after).removed.length * 2 < before.split('\n').length;
}

export async function groundCommits(
  dir: string,
  base: string,
  tip: string,
  { policy, criteria = [], ...told }: ToldInTest = {},
): Promise<Grounding> {
  const repository = await openRepository(dir);
  const change = await readChange(
    {
      git: repository.git,
      base,
      tip,
      cacheDir: temporaryFolder(),
      maxCacheBytes: 2 ** 30,
      pythonRoots: [],
    },
    {
      declared: null,
      granted: [],
      others: [],
      claim: { status: 'none' },
      gateInputs: gateInputs({ gates: [] }),
      gateRuns: null,
      ...told,
      policy: GroundingPolicy.parse(policy ?? {}),
    },
  );
  return ground({ ...change, criteria });
}

export function findingsOf({ checks }: Grounding, check: GroundFinding['check']): GroundFinding[] {
  return checks.find(({ name }) => name === check)?.findings ?? [];
}

export function statusOf({ checks }: Grounding, check: GroundFinding['check']): string {
  return checks.find(({ name }) => name === check)?.status ?? 'absent';
}

/** The blocking findings of one check for a change, without git. */
export function blockingIn(base: Files, changed: Files, check: GroundFinding['check']): GroundFinding[] {
  return findingsOf(groundedValues(base, changed), check).filter(({ severity }) => severity === 'blocking');
}
