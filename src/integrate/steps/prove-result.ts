import { type Conservation, conserve } from '#integrate/conserve/conserve.ts';
import type { Integration, IntegrationRequest } from '#integrate/integration.ts';
import type { Receipt } from '#schema/integration.ts';
import { count, type StepRecord } from './step-record.ts';

/** Proves that every change of every merged branch is in the result. */
export async function proveConservation(
  { progress, scratch, target, decisions }: IntegrationRequest,
  record: StepRecord,
  commit: string,
): Promise<Pick<Conservation, 'conserved'> | Integration> {
  progress('looking for lost work');
  const { lost, superseded, conserved } = await conserve(
    scratch,
    target.commit,
    record.merged,
    commit,
    decisions,
  );
  if (lost.length > 0) {
    record.add('conservation', 'fail', `${count(lost.length, 'change')} of the branches not in the result`);
    return record.end('lost', { lost });
  }
  const entities = [...conserved.values()].reduce((sum, each) => sum + each.entities.length, 0);
  const replaced = superseded.length > 0 ? `, ${superseded.length} superseded` : '';
  record.add(
    'conservation',
    'pass',
    `${count(entities, 'added or changed entity', 'added or changed entities')} in the result${replaced}`,
  );
  return { conserved };
}

/** Runs the gates of the target on the result, except its tests. */
export async function runTargetGates(
  { progress, gates }: IntegrationRequest,
  record: StepRecord,
  commit: string,
): Promise<{ readonly evidence: Receipt['evidence'] } | Integration> {
  progress('running the gates');
  const evidence = await gates(commit);
  if (evidence === null) return { evidence: [] };
  const bad = evidence.filter(({ status }) => status !== 'pass' && status !== 'warn');
  const isUnclear = bad.every(({ status }) => status === 'inconclusive' || status === 'skipped');
  const detail = evidence.map(({ gate, status }) => `${gate} ${status}`).join(', ');
  record.add('gates', bad.length === 0 ? 'pass' : isUnclear ? 'undecided' : 'fail', detail);
  if (bad.length > 0) return record.end(isUnclear ? 'undecided' : 'blocked');
  return { evidence };
}

/** Checks the contract on the result; null when it is fulfilled or there is none. */
export async function checkContract(
  { contract }: IntegrationRequest,
  record: StepRecord,
  commit: string,
): Promise<Integration | null> {
  const kept = await contract(commit, record.merged);
  record.add('contract', kept?.status ?? 'skipped', kept?.detail ?? 'there is none');
  if (kept?.status === 'fail') return record.end('blocked');
  return kept?.status === 'undecided' ? record.end('undecided') : null;
}
