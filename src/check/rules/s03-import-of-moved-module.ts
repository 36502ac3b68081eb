import type { ReadMember } from '#check/members/member.ts';
import { pathInUnion } from '#check/members/union-problems.ts';
import type { Facts, Span } from '#code/facts/facts.ts';
import { dialectOf } from '#code/languages/index.ts';
import { absent } from '#code/link/absence.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { isResolutionDocument } from '#code/link/documents.ts';
import { type Place, type Problem, place } from '#code/link/problem.ts';
import type { Resolution } from '#code/resolve/resolution.ts';
import { symbolId } from '#schema/identity.ts';
import { commonOfLoss, idOf, modulePlace, placeOf, splitId } from './linked/diagnosis-parts.ts';
import type { CodePair, Found, Rule } from './rule.ts';

export const importOfMovedModule = {
  id: 'S03',
  name: 'import-of-moved-module',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.99,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 28, real: 28 },
  what: 'One branch moves a module or a symbol to another file; the other imports it from the old place.',
  example: { a: ['  lib/http.ts -> lib/net/http.ts'], b: ["+ import { get } from './lib/http'"] },
  move: 'Import from the new place.',
  proof: ['proven', 'likely'],
  owner: 'consumer',
  entails: 'missing-types',
  detect: {
    linked: {
      'module-moved': ({ problem, consumer, provider }, { from, to }) => ({
        ...commonOfLoss(problem, symbolId(from, '')),
        // A file in another language (`fast.py` → `fast.pyx`) may be built into the old module.
        ...(dialectOf(to) === dialectOf(from) ? {} : { confidence: 'likely' as const }),
        message: `${from} moved to ${to} on ${provider.ref}; ${consumer.ref} imports it from the old place`,
        suggestion: `import from ${to} instead of ${JSON.stringify(problem.provider)}`,
        fix: { from, to },
        provider: modulePlace(to, false),
      }),
      'importer-moved': ({ problem, consumer, provider }, { from }) => ({
        ...commonOfLoss(problem, symbolId(from, '')),
        message: `${from} moved to ${problem.file} on ${provider.ref}; the import ${JSON.stringify(problem.provider)} that ${consumer.ref} adds to it does not resolve from there`,
        suggestion: `write the import relative to ${problem.file}`,
        provider: modulePlace(problem.file, false),
      }),
      'symbol-moved': ({ problem, consumer, provider }, { change: { before, after } }) => {
        const [, name] = splitId(problem.provider);
        return {
          ...commonOfLoss(problem, idOf(before)),
          message: `${name} moved from ${before.path} to ${after.path} on ${provider.ref}; ${consumer.ref} uses it from the old place`,
          suggestion: `import ${name} from ${after.path}`,
          provider: placeOf(after, false),
        };
      },
    },
    code: lostImports,
  },
} satisfies Rule;

/**
 * A new import that led to a file of the repository and no longer does, because the other branch renames a package of
 * the workspace or changes `paths`. It may resolve to an installed package now, so the linker reports nothing.
 */
async function lostImports({ a, b, union }: CodePair): Promise<Found[]> {
  return [...(await lostBetween(a, b, union)), ...(await lostBetween(b, a, union))];
}

async function lostBetween(consumer: ReadMember, provider: ReadMember, union: CodeTree): Promise<Found[]> {
  const found: Found[] = [];
  if (!provider.changesResolution) return found;
  for (const path of consumer.suspects) {
    const facts = consumer.tree.facts(path);
    if (!facts) continue;
    const before = consumer.factsBefore(consumer.changed.get(path)?.oldPath ?? path);
    const old = new Set(specifiersOf(before).map(([specifier]) => specifier));
    const file = pathInUnion(path, union, consumer, provider);
    const kept = new Map(specifiersOf(union.facts(file)));
    for (const [specifier] of new Map(specifiersOf(facts))) {
      const at = kept.get(specifier);
      if (old.has(specifier) || specifier.startsWith('.') || !at) continue;
      const led = await consumer.tree.resolve(specifier, path);
      if (led.status === 'found' && led.exact && isLost(specifier, await union.resolve(specifier, file)))
        found.push(diagnosed(consumer, provider, { specifier, target: led.path, site: place(file, at, '') }));
    }
  }
  return found;
}

function specifiersOf(facts: Facts | undefined): [specifier: string, at: Span][] {
  const all = [...(facts?.imports ?? []), ...(facts?.exports ?? [])];
  return all.flatMap((entry) => (entry.from === null ? [] : [[entry.from, entry]]));
}

/** Unresolved imports are left to the linker; `@/x` may still be an alias of the bundler. */
function isLost(specifier: string, now: Resolution): boolean {
  switch (now.status) {
    case 'external':
      return true;
    case 'unknown':
      return now.isAlias === true || now.isUnlisted === true;
    case 'found':
      return !now.exact && /^[@~]\//.test(specifier);
    default:
      return false;
  }
}

interface LostImport {
  readonly specifier: string;
  /** The file that it resolved to. */
  readonly target: string;
  readonly site: Place;
}

const mostDocuments = 3;

function diagnosed(
  consumer: ReadMember,
  provider: ReadMember,
  { specifier, target, site }: LostImport,
): Found {
  const documents = provider.changes.flatMap(({ path }) => (isResolutionDocument(path) ? [path] : []));
  const statement = `${JSON.stringify(specifier)} no longer leads to ${target}`;
  const problem: Problem = {
    kind: 'module-missing',
    key: JSON.stringify(['import-lost', site.symbol, specifier]),
    consumer: site.symbol,
    provider: specifier,
    file: site.file,
    sites: [site],
    definedAt: [],
    proven: false,
    absence: absent('assumption'),
    tier: 'R1',
    statement,
    mismatch: null,
    tried: [],
  };
  return {
    problem,
    consumer,
    provider,
    diagnosis: {
      providerKey: symbolId(target, ''),
      confidence: 'likely',
      message: `${statement} since ${provider.ref} changed ${documents.slice(0, mostDocuments).join(', ')}; ${consumer.ref} imports it`,
      suggestion: `import ${target} by the name or alias that it has now`,
      provider: documents[0] === undefined ? null : modulePlace(documents[0], false),
    },
  };
}
