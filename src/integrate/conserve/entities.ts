import { factsOfTexts } from '#code/extraction/read-apart.ts';
import type { Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { isPartOfResult } from '#code/languages/shared/results.ts';
import { readTests } from '#tests/code/read-tests.ts';
import { isTestFile } from '#tests/code/test-path.ts';

/** A named part of a file. */
export interface Entity {
  /** Changes when its meaning may have changed: comments and white space do not count. */
  readonly hash: string;
  readonly line: number;
  readonly endLine: number;
}

/**
 * Definitions, members, imports, exports, registrations and tests of a text by name; null when its language is unknown or
 * it does not parse.
 */
export type Entities = ReadonlyMap<string, Entity> | null;

/** The entities of many texts, in their order; a version that does not exist has none. */
export async function entitiesOfAll(
  texts: readonly (readonly [path: string, text: string | null])[],
): Promise<Entities[]> {
  const facts = await factsOfTexts(texts.map(([path, text]) => [path, text ?? '']));
  return texts.map(([path, text], at) => (text === null ? null : entitiesIn(path, text, facts[at] ?? null)));
}

function entitiesIn(path: string, text: string, facts: Facts | null): Entities {
  if (facts === null || facts.syntaxError !== null || facts.module === 'data') return null;
  const entities = new Map<string, Entity>();
  const add = (name: string, hash: string, { line, endLine }: Omit<Entity, 'hash'>) => {
    // A name that is defined twice gets both hashes.
    const known = entities.get(name);
    entities.set(name, { hash: known ? `${known.hash} ${hash}` : hash, line, endLine });
  };
  for (const definition of facts.definitions) {
    if (isPartOfResult(definition)) continue;
    const { kind, bodyHash, signatureHash, async, optional, decorators } = definition;
    const hash = [kind, bodyHash, signatureHash, async, optional, ...decorators];
    add(symbolPath(definition), hash.join(), definition);
  }
  for (const entry of facts.imports)
    add(`import ${entry.local ?? entry.imported} from ${entry.from}`, String(entry.imported), entry);
  for (const entry of facts.exports) add(`export ${entry.name}`, `${entry.from} ${entry.imported}`, entry);
  // A Python test is a definition and already compared.
  const tests = testsOf(path, text).filter(
    ({ line }) => !facts.definitions.some((each) => each.line === line),
  );
  for (const { id, source, ...span } of tests) add(`test ${id}`, oneLine(source), span);
  for (const { name, hash, ...span } of registrationsOf(facts, text)) {
    const isAroundTests = tests.some(({ line }) => span.line <= line && line <= span.endLine);
    if (!isAroundTests) add(name, hash, span);
  }
  return entities;
}

type Span = Omit<Entity, 'hash'>;

function testsOf(path: string, text: string): (Span & { readonly id: string; readonly source: string })[] {
  const cases = isTestFile(path) ? (readTests(path, text)?.cases ?? []) : [];
  return cases
    .filter(({ id }) => id !== '')
    .map(({ id, line, source }) => ({
      id,
      source,
      line,
      endLine: line + source.trim().split('\n').length - 1,
    }));
}

/** What a module does when it is loaded (`app.use('/a', users)`), and the decorators of its definitions. */
function registrationsOf({ uses }: Facts, text: string): (Entity & { readonly name: string })[] {
  const lines = text.split(/\r?\n/);
  const calls = uses.filter(
    ({ kind, scope, call }) =>
      kind === 'decorator' || (kind === 'call' && scope === '' && call?.result === 'dropped'),
  );
  return calls.map(({ kind, scope, line, endLine }) => {
    const source = oneLine(lines.slice(line - 1, endLine).join('\n'));
    const name = source.length > 80 ? `${source.slice(0, 79)}…` : source;
    return { name: kind === 'decorator' ? `${name} ${scope}` : name, hash: source, line, endLine };
  });
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
