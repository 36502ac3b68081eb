import type { ChangedCall } from '#check/members/changed-calls.ts';
import type { SeamProblem } from '#check/members/union-problems.ts';
import type { Parameter } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { BrokenContract } from './contracts/contract.ts';
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
    call: swallowedKeyword,
  },
} satisfies Rule;

/** A parameter got another name in its place, and `**kwargs` now takes the old one without a complaint. */
function swallowedKeyword({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const [old, current] = [before, now].map(({ definition }) => definition.signature?.parameters ?? []);
  const rest = current?.find(({ kind }) => kind === 'keyword-rest');
  if (!old || !current || !rest || rest.typeName !== null) return null;
  const isKnown = (list: readonly Parameter[], name: string) => list.some((each) => each.name === name);
  for (const keyword of now.use.call?.keywords ?? []) {
    const at = old.findIndex(({ name }) => name === keyword);
    const [was, is] = [old[at], current[at]];
    if (!was || !is || isKnown(current, keyword) || isKnown(old, is.name) || was.kind !== is.kind) continue;
    if (was.default !== is.default || rest.shape?.keys.some(({ name }) => name === keyword)) continue;
    const name = symbolPath(now.definition);
    return {
      statement: `${name} has no parameter ${keyword}; **${rest.name} takes it`,
      message: `${keyword} of ${name} is now ${is.name} on ${provider.ref}; ${consumer.ref} passes ${keyword}, which lands in **${rest.name}`,
      suggestion: `pass ${is.name} instead of ${keyword}`,
    };
  }
  return null;
}

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
