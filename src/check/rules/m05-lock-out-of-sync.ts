import { absent } from '#code/link/absence.ts';
import { claimAbsence } from './claims/claim.ts';
import type { Claimed, Rule } from './rule.ts';
import { lockOf, manifestOf, outOfSync } from './settings/locked-names.ts';
import type { Sighting, Survey } from './survey/survey.ts';

export const lockOutOfSync = {
  id: 'M05',
  name: 'lock-out-of-sync',
  category: 'dependency',
  severity: 'minor',
  languages: ['any'],
  precision: 0.95,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'The text of the manifest and of its lock file merges, but the merged lock file no longer has what the merged manifest asks for, though it has in every branch alone. A clean install (`npm ci`) then fails. Read: package-lock.json, pnpm-lock.yaml, yarn.lock, poetry.lock, uv.lock.',
  example: { a: ['+ "left-pad" in package.json'], b: ['~ package-lock.json written again from scratch'] },
  move: 'Write the lock file again after the merge.',
  proof: ['proven'],
  claims: 'absence',
  owner: 'either',
  detect: { survey: staleLocks },
} satisfies Rule;

async function staleLocks(survey: Survey): Promise<Claimed<Sighting>[]> {
  const { sides, union } = survey;
  if (union === null) return [];
  const touching = new Map<string, Set<(typeof sides)[number]>>();
  for (const side of sides)
    for (const { path } of side.changes) {
      const manifest = manifestOf(path);
      if (manifest !== null) touching.set(manifest, (touching.get(manifest) ?? new Set()).add(side));
    }
  const found: Claimed<Sighting>[] = [];
  for (const [manifest, involved] of touching) {
    const lock = lockOf(union, manifest);
    const [first, second] = involved;
    if (!lock || !first || !second || !survey.isApart(first, second)) continue;
    const known = new Set<string>();
    for (const { tree } of sides)
      for (const name of await outOfSync(survey.read, tree, manifest, lock.path)) known.add(name);
    const open = [...(await outOfSync(survey.read, union, manifest, lock.path))].filter(
      (name) => !known.has(name),
    );
    const [name] = open;
    if (name === undefined) continue;
    found.push({
      key: `${lock.path} ${open.sort().join(' ')}`,
      provider: { side: first, file: manifest, line: 1, name: '' },
      sites: [{ side: second, file: lock.path, line: 1, name: '' }],
      subject: lock.path,
      confidence: claimAbsence(absent()),
      message: `merged, ${lock.path} does not have ${open.join(', ')} as ${manifest} asks for it`,
      suggestion: `write it again after the merge: ${lock.command}`,
    });
  }
  return found;
}
