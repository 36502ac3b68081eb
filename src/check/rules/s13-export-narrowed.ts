import type { SeamProblem } from '#check/members/union-problems.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { symbolId } from '#schema/identity.ts';
import type { ProviderPlace } from './diagnosis.ts';
import { common, commonOfLoss, idOf, ownerPlace, placeOf, splitId } from './linked/diagnosis-parts.ts';
import type { Rule } from './rule.ts';

export const exportNarrowed = {
  id: 'S13',
  name: 'export-narrowed',
  category: 'connection',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.97,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'One branch stops exporting something, or makes it private; the other starts to import it.',
  example: { a: ["- export * from './dates';"], b: ["+ import { iso } from '@app/core';"] },
  move: 'Keep it public, or import it from where it is still exported.',
  proof: ['proven', 'likely'],
  owner: 'either',
  entails: 'missing-types',
  detect: {
    linked: {
      'symbol-hidden': ({ problem, consumer, provider }, { before, after }) => {
        const name = symbolPath(before.definition);
        const isSameName = after.definition.name === before.definition.name;
        const isHidden = after.definition.hidden === true;
        const now = isHidden
          ? 'private now'
          : isSameName
            ? 'no longer exported'
            : `private now, as ${after.definition.name},`;
        const [does, doing] = isHidden ? ['uses', 'using'] : ['imports', 'importing'];
        return {
          ...commonOfLoss(problem, idOf(before)),
          message: `${name} of ${before.path} is ${now} on ${provider.ref}; ${consumer.ref} ${does} it`,
          suggestion: `keep ${name} public on ${provider.ref}, or stop ${doing} it`,
          owner: 'provider',
          provider: placeOf(after, false),
        };
      },
      'star-narrowed': ({ problem, consumer, provider }, { source }) => {
        const [, name] = splitId(problem.provider);
        return {
          ...common(problem, symbolId(source, name)),
          message: `__all__ of ${source} no longer lists ${name} on ${provider.ref}; ${consumer.ref} gets it by a star import`,
          suggestion: `list ${name} in __all__, or import it by name`,
          provider: ownerPlace(provider, source, name),
        };
      },
      'barrel-narrowed': (seam) => {
        const { problem, consumer, provider } = seam;
        const [path, name] = splitId(problem.provider);
        return {
          ...common(problem, problem.provider),
          message: `${path} no longer passes on ${name} on ${provider.ref}; ${consumer.ref} imports it from there`,
          suggestion: `keep exporting ${name} from ${path}, or import it from where it is defined`,
          provider: formerExport(seam, path, name),
        };
      },
    },
  },
} satisfies Rule;

/** Where the barrel re-exported the name. */
function formerExport({ problem, provider }: SeamProblem, path: string, name: string): ProviderPlace | null {
  const before = provider.factsBefore(path);
  const entry =
    before?.exports.find((candidate) => candidate.name === name || candidate.name === '*') ??
    before?.imports.find((candidate) => candidate.local === name && candidate.scope === '');
  if (!entry) return null;
  const { line, column, endLine } = entry;
  return { file: path, line, column, endLine, symbol: problem.provider, removed: true };
}
