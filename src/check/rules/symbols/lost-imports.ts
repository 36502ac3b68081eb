import type { ReadMember } from '#check/members/member.ts';
import { pathInUnion } from '#check/members/union-problems.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import type { Facts, Span } from '#code/facts/facts.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { isResolutionDocument } from '#code/link/documents.ts';
import { type Place, type Problem, place } from '#code/link/problem.ts';
import type { Resolution } from '#code/resolve/resolution.ts';
import { symbolId } from '#schema/identity.ts';
import { followed, modulePlace } from './diagnosis-parts.ts';

/**
 * S03: a new import that led to a file of the repository and no longer does, because the other branch renames a package of
 * the workspace or changes `paths`. It may lead to an installed package now, so linking alone is silent.
 */
export async function lostImports(
  a: ReadMember,
  b: ReadMember,
  union: CodeTree,
): Promise<DiagnosedProblem[]> {
  return [...(await lostBetween(a, b, union)), ...(await lostBetween(b, a, union))];
}

async function lostBetween(
  consumer: ReadMember,
  provider: ReadMember,
  union: CodeTree,
): Promise<DiagnosedProblem[]> {
  const found: DiagnosedProblem[] = [];
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

/** What linking reports itself is not lost here; `@/x` may still be an alias of the bundler. */
function isLost(specifier: string, now: Resolution): boolean {
  switch (now.status) {
    case 'external':
      return true;
    case 'unknown':
      return /^an alias/.test(now.reason);
    case 'found':
      return !now.exact && /^[@~]\//.test(specifier);
    default:
      return false;
  }
}

interface LostImport {
  readonly specifier: string;
  /** The file that it led to. */
  readonly target: string;
  readonly site: Place;
}

const mostDocuments = 3;

function diagnosed(
  consumer: ReadMember,
  provider: ReadMember,
  { specifier, target, site }: LostImport,
): DiagnosedProblem {
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
      rule: 'S03',
      providerKey: symbolId(target, ''),
      confidence: 'likely',
      message: `${statement} since ${provider.ref} changed ${documents.slice(0, mostDocuments).join(', ')}; ${consumer.ref} imports it`,
      suggestion: `import ${target} by the name or alias that it has now`,
      fix: null,
      mechanical: followed,
      provider: documents[0] === undefined ? null : modulePlace(documents[0], false),
    },
  };
}
