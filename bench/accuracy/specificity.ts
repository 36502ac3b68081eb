import { rmSync } from 'node:fs';
import { posix } from 'node:path';
import { checkBranches } from '#check/check.ts';
import { openRepository } from '#git/call/repository.ts';
import type { Finding } from '#schema/check-report.ts';
import { mergeText } from '#test/support/scenario/trees.ts';
import { sourcesOf } from '../corpora.ts';
import { type BenchRepository, branchOf, type Change, changesBetween, repositoryOf } from '../history.ts';
import { renderTable } from '../table.ts';
import { type Diagnostic, typeErrors } from './oracles/types.ts';
import { openProject, type Project, type ProjectPlan, projectPlans } from './project.ts';

/** Earlier versions of the accuracy projects. */
const earlier: Readonly<Record<string, readonly string[]>> = {
  '@tanstack/query-core': ['5.103.0', '5.105.0'],
  mobx: ['7.0.0', '7.0.5'],
  rxjs: ['7.5.0', '7.8.0'],
};

/**
 * Real work that is known to fit: the changes of a package between two versions, split by folder into branches. An alarm is
 * a finding whose union has no error that its members do not have.
 */
export async function specificity(cacheDir: string, full: boolean): Promise<string> {
  const rows: string[][] = [];
  const alarms: string[] = [];
  for (const plan of projectPlans) {
    for (const before of (earlier[plan.package] ?? []).slice(0, full ? 2 : 1)) {
      const result = await splitHistory(plan, before, cacheDir);
      rows.push(result.row);
      alarms.push(...result.alarms);
    }
  }
  return [
    'Real histories, split by folder into branches: findings that the type checker does not confirm are alarms',
    renderTable(['history', 'changed files', 'branches', 'pairs', 'findings', 'alarms'], rows),
    ...alarms,
  ].join('\n');
}

async function splitHistory(
  plan: ProjectPlan,
  before: string,
  cacheDir: string,
): Promise<{ row: string[]; alarms: string[] }> {
  const project = await openProject({ ...plan, version: before });
  const after = new Map([...sourcesOf(plan.package, plan.version)].filter(([path]) => plan.keep(path)));
  const own = new Map([...project.files].filter(([path]) => plan.keep(path)));
  const changes = changesBetween(own, after);
  const groups = byFolder(changes);
  const repository = await repositoryOf(
    project.files,
    groups.map((group, at) => branchOf(`b${at}`, group)),
  );
  try {
    const findings = await findingsOf(repository, cacheDir);
    const alarms = await unconfirmed(repository, project, findings);
    return {
      row: [
        `${plan.package} ${before} → ${plan.version}`,
        String(changes.length),
        String(groups.length),
        String((groups.length * (groups.length - 1)) / 2),
        String(findings.length),
        String(alarms.length),
      ],
      alarms: alarms.map(({ rule, message }) => `alarm: ${plan.package} ${before}: ${rule} ${message}`),
    };
  } finally {
    rmSync(repository.dir, { recursive: true, force: true });
  }
}

/** Groups changes by folder, at most eight files per branch. */
function byFolder(changes: readonly Change[]): Change[][] {
  const folders = Map.groupBy(changes, ({ path }) => posix.dirname(path));
  return [...folders.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / 8) }, (_, at) => group.slice(at * 8, at * 8 + 8)),
  );
}

async function findingsOf({ dir, branches }: BenchRepository, cacheDir: string): Promise<Finding[]> {
  const { report } = await checkBranches({
    repository: await openRepository(dir),
    base: 'main',
    branches,
    cacheDir,
    confirm: { by: 'none', demanded: false, timeLimitMs: 120_000 },
    today: '2026-01-01',
  });
  return report.findings.filter(({ confidence, rule }) => confidence !== 'possible' && rule !== 'T01');
}

async function unconfirmed(
  { git, branches }: BenchRepository,
  project: Project,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const treeOf = async (ref: string) => git.text(['rev-parse', `${ref}^{tree}`]);
  const members = new Map<string, string>();
  for (const ref of branches) members.set(ref, await treeOf(ref));
  // The check's own unions were deleted with its private object directory.
  const unions = await mergeText(
    git,
    findings.map((finding) => finding.branches),
  );
  const errors = await typeErrors(git, project, [
    ...findings.flatMap((finding) => finding.branches.flatMap((ref) => members.get(ref) ?? [])),
    ...unions.filter((tree) => tree !== null),
  ]);
  return findings.filter((finding, at) => {
    const known = finding.branches.flatMap((ref) => errors.get(members.get(ref) ?? '') ?? []);
    const union = errors.get(unions[at] ?? '') ?? [];
    return !union.some((error) => !known.some((other) => isSame(error, other)));
  });
}

function isSame(a: Diagnostic, b: Diagnostic): boolean {
  return a.file === b.file && a.code === b.code;
}
