import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AgentWish } from '#app/planning/consulting.ts';
import { listRuns } from '#app/runs/list-runs.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { factsOfText } from '#code/extraction/read-apart.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { auditDocuments } from '#handoff/audit/audit-documents.ts';
import { checkRecords } from '#handoff/audit/check-records.ts';
import { verifyClaims } from '#handoff/audit/verify-claims.ts';
import type { AuditReport, CodeClaim } from '#schema/audit.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { auditRun } from './audit-run.ts';
import { readDiff } from './changed-ranges.ts';
import { judgeClaims } from './judge-claims-here.ts';
import { readFolder, realFolder } from './read-folder.ts';

export interface AuditWishes {
  /** A folder or a run; undefined: the newest run, else the current folder. */
  readonly target: string | undefined;
  /** What the work is compared with. */
  readonly base: string | undefined;
  /** The agent that judges claims about code which the code does not contradict; undefined: none. */
  readonly judge: AgentWish | undefined;
}

/** Checks whether the agents that left these handoffs worked as a team. */
export async function auditHere(
  surroundings: Surroundings,
  { target, base, judge }: AuditWishes,
): Promise<AuditReport> {
  surroundings.terminal.progress('reading the handoffs');
  const { cwd } = surroundings;
  const isFolder = target !== undefined && (isWritten(target) || isThere(cwd, target));
  const audit =
    (isFolder ? null : await auditOfRun(surroundings, target)) ??
    (await auditFolder(cwd, target ?? '.', base));
  const first = audit.report(audit.code);
  if (judge === undefined) return first;
  const judged = await judgeClaims(surroundings, judge, first.code.claims, audit.read);
  const report = audit.report({ ...first.code, ...judged });
  // A judge that was named but did not answer leaves the result open.
  const isOpen = report.code.judge?.status === 'no-answer' && report.exitCode === exitCodes.ok;
  return isOpen ? { ...report, exitCode: exitCodes.needsPerson } : report;
}

/** The material, read once, and the report computed from its claims. */
export interface OpenAudit {
  readonly code: AuditReport['code'];
  report(code: AuditReport['code']): AuditReport;
  /** The source file that a claim is about. */
  read(claim: CodeClaim): string | null;
}

/** True for a path (`./x`, `a/b`): a run id never looks like that. */
function isWritten(target: string): boolean {
  return target.includes('/') || target.startsWith('.');
}

function isThere(cwd: string, target: string): boolean {
  return statSync(resolve(cwd, target), { throwIfNoEntry: false }) !== undefined;
}

/** Null if there is no such run: the target is then a folder. */
async function auditOfRun(
  surroundings: Pick<Surroundings, 'cwd' | 'env' | 'terminal'>,
  target: string | undefined,
): Promise<OpenAudit | null> {
  if ((await repositoryAround(surroundings.cwd)) === null) return null;
  return withRuns(surroundings, async (room) => {
    const runs = (await listRuns(room)).runs.map(({ run }) => run);
    const suits = target === undefined ? runs : runs.filter((run) => run.startsWith(target));
    return suits.length === 0 ? null : auditRun(room, room.choose(target));
  });
}

async function auditFolder(cwd: string, target: string, base: string | undefined): Promise<OpenAudit> {
  const path = realFolder(cwd, target);
  const repository = await repositoryAround(path);
  const folder = readFolder(path, repository?.workTree ?? null);
  const diff = await readDiff(repository, base);
  const code = {
    read: folder.readBeside,
    changed: diff.status === 'checked' ? diff.changed : null,
    factsOf: factsOfText,
  };
  const { documents, readBeside } = folder;
  const { agents } = checkRecords(documents, readBeside);
  return {
    code: {
      diff: { status: diff.status, detail: diff.detail },
      claims: await verifyClaims(agents, code),
      judge: null,
    },
    report: (known) =>
      auditDocuments({
        subject: { kind: 'folder', name: folder.name, path: folder.path },
        documents,
        readBeside,
        verify: () => known,
      }),
    read: ({ file }) => {
      const found = readBeside(file);
      return typeof found === 'string' ? null : found.text;
    },
  };
}

/** Null outside a repository: an audit does not need one. */
async function repositoryAround(dir: string): Promise<Repository | null> {
  try {
    return await openRepository(dir);
  } catch {
    return null;
  }
}
