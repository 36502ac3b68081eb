/**
 * `node scripts/with-node.js bench/accuracy/alarms.ts <clone> <owner/name> <merges> [--held-out] [--risk] [--more]`: runs every
 * rule on the newest merges of a real history in which main had moved and the text merges, as `joinery backtest` replays them.
 * `--more` continues after the known merges. People kept these merges unchanged, so a finding counts as an alarm. Figures go to
 * `alarms.json` beside this file; `npm run generate` shows them in docs/accuracy.md and writes them into the rules.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBranches } from '#check/check.ts';
import { registry } from '#check/rules/registry.ts';
import type { Rule } from '#check/rules/rule.ts';
import { openRepository } from '#git/call/repository.ts';
import { type MergeCommit, mergesInto } from '#git/merges/merge-commits.ts';
import { defaultBranch } from '#git/refs/refs.ts';
import { isJoineryError } from '#schema/errors.ts';
import { needsRisk } from '#schema/rules.ts';
import { type Alarm, addHistory, readAlarms, writeAlarms } from './alarm-data.ts';

/** At most this many merges are examined: in most of them main had not moved. */
const mostLookedAt = 4000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    'held-out': { type: 'boolean', default: false },
    risk: { type: 'boolean', default: false },
    more: { type: 'boolean', default: false },
  },
});
const [dir = '', name = '', wanted = '100'] = positionals;
const repository = await openRepository(dir);
const ref = await defaultBranch(repository);
const tip = await repository.git.text(['rev-parse', ref]);
const { merges } = await mergesInto(repository.git, tip, mostLookedAt);
const cacheDir = mkdtempSync(join(tmpdir(), 'joinery-alarms-'));
/** Without T01, which selects the merges, and without rules that run checkers. */
const asked = Object.values<Rule>(registry).flatMap(({ id, detect, needsRisk }) =>
  id === 'T01' || detect.checker || (needsRisk && !values.risk) ? [] : [id],
);
const address = `https://github.com/${name}`;
const known = values.more ? readAlarms().find(({ repository: each }) => each === address) : undefined;
if (known && (known.commit !== tip || known.asked.join() !== asked.join()))
  throw new Error('more merges can be added at the same commit and with the same rules only');
const commits = [...(known?.merges ?? [])];
const alarms: Alarm[] = [...(known?.alarms ?? [])];
const total = commits.length + Number(wanted);
const last = merges.findIndex(({ commit }) => commit === commits.at(-1));
try {
  for (const merge of merges.slice(last + 1)) {
    if (commits.length >= total) break;
    const found = await replay(merge);
    if (found === null) continue;
    commits.push(merge.commit);
    alarms.push(...found);
    for (const { rule, message } of found) console.log(`${merge.commit.slice(0, 12)} ${rule} ${message}`);
  }
} finally {
  rmSync(cacheDir, { recursive: true, force: true });
}
writeAlarms(
  addHistory(readAlarms(), {
    repository: address,
    commit: tip,
    heldOut: values['held-out'],
    asked,
    merges: commits,
    alarms,
  }),
);
console.log(`${name}: ${alarms.length} findings in ${commits.length} merges`);

/** What check reports about a merge before it happened; null if nothing could clash, or the text conflicts. */
async function replay({ commit, parents }: MergeCommit): Promise<Alarm[] | null> {
  const [before = '', merged = ''] = parents;
  if (parents.length !== 2 || (await isAncestor(before, merged))) return null;
  try {
    const { report } = await checkBranches({
      repository,
      base: ref,
      branches: ['topic'],
      commits: new Map([
        [ref, before],
        ['topic', merged],
      ]),
      cacheDir,
      confirm: { by: 'none', demanded: false, timeLimitMs: 0 },
      today: '2026-01-01',
    });
    if (report.findings.some(({ rule }) => rule === 'T01')) return null;
    const findings = [...report.findings, ...(values.risk ? await weighed(before, merged) : [])];
    return findings.map(({ rule, confidence, message }) => ({ rule, commit, confidence, message }));
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    console.log(`${commit.slice(0, 12)} left out: ${error.message}`);
    return null;
  }
}

/** Rules of the graph compare branches with each other: here the changes of main and the branch since they forked. */
async function weighed(before: string, merged: string) {
  const fork = await repository.git.text(['merge-base', before, merged]);
  const { report } = await checkBranches({
    repository,
    base: 'fork',
    branches: ['main', 'topic'],
    commits: new Map([
      ['fork', fork.split('\n')[0] ?? ''],
      ['main', before],
      ['topic', merged],
    ]),
    cacheDir,
    confirm: { by: 'none', demanded: false, timeLimitMs: 0 },
    wantsRisk: true,
    today: '2026-01-01',
  });
  return report.findings.filter(({ rule }) => needsRisk(rule));
}

async function isAncestor(before: string, merged: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', before, merged];
  return (await repository.git.run(args, { accept: [0, 1] })).code === 0;
}
