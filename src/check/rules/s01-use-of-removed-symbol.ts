import type { ReadMember } from '#check/members/member.ts';
import { symbolId } from '#schema/identity.ts';
import {
  common,
  commonOfLoss,
  modulePlace,
  ownerPlace,
  saidOfRemoval,
  splitId,
} from './linked/diagnosis-parts.ts';
import type { Rule } from './rule.ts';

export const useOfRemovedSymbol = {
  id: 'S01',
  name: 'use-of-removed-symbol',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.98,
  alarms: { merges: 1075, with: 1 },
  measured: { findings: 31, real: 31 },
  what: 'One branch removes a symbol, the other starts to use it. Each builds alone; together the use has nothing to refer to.',
  example: {
    a: ['- export function parseDate(text) { ... }'],
    b: ["+ import { parseDate } from './dates'", '+ const day = parseDate(row.created);'],
  },
  move: 'Restore the symbol, or replace its use with what the removing branch uses instead.',
  proof: ['proven', 'likely'],
  owner: 'neither',
  entails: 'missing-types',
  detect: {
    linked: {
      'symbol-removed': (seam, { before }) => {
        const said = saidOfRemoval(seam, before);
        const { provider: id } = seam.problem;
        // Other modules know a default export as `default`, whatever its own name.
        return splitId(id)[1] === 'default'
          ? { ...said, providerKey: id, provider: said.provider && { ...said.provider, symbol: id } }
          : said;
      },
      'module-deleted': ({ problem, consumer, provider }, { missing, isSeen }) => {
        // A file that is deleted and ignored in the same branch is probably generated from now on.
        const isIgnored = provider.changes.some(({ path }) => /(^|\/)\.gitignore$/.test(path));
        const successor = successorOf(provider, missing);
        return {
          ...commonOfLoss(problem, symbolId(missing, '')),
          ...(isIgnored ? { confidence: 'likely' as const } : {}),
          message: `${missing} was deleted on ${provider.ref}${successor === null ? '' : `, most of it is in ${successor} now`}; ${consumer.ref} imports it`,
          suggestion:
            successor === null ? `keep ${missing}, or stop importing it` : `import from ${successor}`,
          provider: isSeen ? modulePlace(missing, true) : null,
        };
      },
      'resolution-changed': ({ problem, consumer, provider }, { missing, documents }) => ({
        ...commonOfLoss(problem, symbolId(missing, '')),
        message: `${JSON.stringify(problem.provider)} leads to no file since ${provider.ref} changed ${documents.join(', ')}; ${consumer.ref} imports it`,
        suggestion: `import it by the name or alias that it has now, or add ${missing}`,
        owner: 'consumer',
        provider: modulePlace(documents[0] ?? missing, false),
      }),
      'import-dropped': ({ problem, consumer, provider }, { entry }) => {
        const [path, name] = splitId(problem.provider);
        const { line, column, endLine } = entry;
        return {
          ...commonOfLoss(problem, problem.provider),
          message: `${provider.ref} no longer imports ${name} in ${path}; ${consumer.ref} uses it there`,
          suggestion: `keep the import of ${name} from ${JSON.stringify(entry.from)}`,
          owner: 'either',
          provider: { file: path, line, column, endLine, symbol: symbolId(path, name), removed: true },
        };
      },
      'name-undefined': ({ problem, consumer, provider }) => {
        const [path, name] = splitId(problem.provider);
        return {
          ...common(problem, problem.provider),
          message: `${provider.ref} no longer defines ${name} in ${path}; ${consumer.ref} uses it there`,
          suggestion: `define or import ${name} in ${path}`,
          provider: null,
        };
      },
      'code-rehoused': ({ problem, consumer, provider }) => {
        const [path, name] = splitId(problem.provider);
        const [, scope] = splitId(problem.consumer);
        return {
          ...common(problem, problem.provider),
          message: `${provider.ref} moves code of ${path} into ${scope}, where ${name} is not defined; ${consumer.ref} uses it in that code`,
          suggestion: `pass ${name} to ${scope}`,
          provider: ownerPlace(provider, path, scope),
        };
      },
    },
  },
} satisfies Rule;

/** The file to which a branch moved more than half of what it moved or removed from another one; null: none. */
function successorOf({ delta }: ReadMember, file: string): string | null {
  const gone = [...delta.values()].flatMap((changes) =>
    changes.filter(
      (change) =>
        'before' in change && change.before.path === file && change.before.definition.container === null,
    ),
  );
  const targets = Map.groupBy(
    gone.flatMap((change) => ('after' in change && change.after.path !== file ? [change.after.path] : [])),
    (path) => path,
  );
  const [most] = [...targets].sort(([, a], [, b]) => b.length - a.length);
  return most && most[1].length * 2 > gone.length ? most[0] : null;
}
