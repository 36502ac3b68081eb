import type { SeamProblem } from '#check/members/union-problems.ts';
import type { Change } from './linked/cause.ts';
import { saidOfCall } from './linked/mismatched-call.ts';
import type { Rule } from './rule.ts';

export const keywordParameterRenamed = {
  id: 'S05',
  name: 'keyword-parameter-renamed',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'php', 'csharp', 'ruby'],
  precision: 0.96,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'One branch renames a parameter that callers may pass by name; the other adds a call with the old name.',
  example: {
    a: ['- def connect(host, timeout=5):', '+ def connect(host, timeout_s=5):'],
    b: ['+ connect(host, timeout=2)'],
  },
  move: 'Pass the argument by its new name.',
  proof: ['proven', 'likely'],
  owner: 'consumer',
  detect: {
    linked: {
      'keyword-gone': (seam) => saidOfCall(seam, renamedParameter(seam)),
    },
  },
} satisfies Rule;

/** The new name of a keyword that the call still passes. */
function renamedParameter({ problem, provider }: SeamProblem): { from: string; to: string } | null {
  for (const change of provider.delta.get(problem.provider) ?? []) {
    if (change.kind !== 'signature') continue;
    const renames = [
      ...change.changes.flatMap((entry) =>
        entry.how === 'parameter-renamed' ? [{ from: entry.name, to: entry.to }] : [],
      ),
      ...renamedOptions(change),
    ];
    const followed = renames.find(({ from }) => problem.mismatch?.unexpected.includes(from));
    if (followed) return followed;
  }
  return null;
}

/** Keys of inline option types: if exactly one was removed and one added, it was renamed. */
function renamedOptions({ before, after }: Change<'signature'>): { from: string; to: string }[] {
  const now = after.definition.signature?.parameters ?? [];
  return (before.definition.signature?.parameters ?? []).flatMap((parameter, index) => {
    const old = new Set(parameter.shape?.keys.map(({ name }) => name));
    const current = new Set(now[index]?.shape?.keys.map(({ name }) => name));
    const [from, ...otherGone] = old.difference(current);
    const [to, ...otherNew] = current.difference(old);
    return from && to && otherGone.length + otherNew.length === 0 ? [{ from, to }] : [];
  });
}
