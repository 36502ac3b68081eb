import type { Definition, Facts, Parameter, Signature } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { similarity } from '#code/lex/text-shape.ts';
import { symbolId } from '#schema/identity.ts';

/** A symbol and its file. */
export interface Located {
  readonly path: string;
  readonly definition: Definition;
}

type SignatureChange =
  | {
      readonly how: 'parameter-added' | 'parameter-removed';
      readonly name: string;
      readonly required: boolean;
    }
  | { readonly how: 'parameter-renamed'; readonly name: string; readonly to: string }
  | {
      readonly how:
        | 'parameters-reordered'
        | 'default-changed'
        | 'type-changed'
        | 'return-changed'
        | 'async-changed'
        | 'generics-changed';
    };

export type SymbolChange =
  | { readonly kind: 'added'; readonly after: Located }
  | { readonly kind: 'removed'; readonly before: Located }
  /** `exact` when the bodies have equal tokens; otherwise matched by similarity. `moved` when only the file differs. */
  | {
      readonly kind: 'renamed' | 'moved';
      readonly before: Located;
      readonly after: Located;
      readonly exact: boolean;
    }
  | {
      readonly kind: 'signature';
      readonly before: Located;
      readonly after: Located;
      readonly changes: readonly SignatureChange[];
    }
  | {
      readonly kind: 'visibility';
      readonly before: Located;
      readonly after: Located;
      readonly exported: boolean;
    }
  | { readonly kind: 'body' | 'doc'; readonly before: Located; readonly after: Located };

/** One changed file before and after; `undefined` where it does not exist or could not be read. */
export interface ChangedFile {
  readonly path: string;
  readonly oldPath: string | null;
  readonly before: Facts | undefined;
  readonly after: Facts | undefined;
}

/** How a branch changed the symbols of the files it touched, by symbol id before the change (after it, for added symbols). */
export type SymbolDelta = ReadonlyMap<string, readonly SymbolChange[]>;

const similarityFloor = 0.7;
const similarityMargin = 0.1;

export function symbolDelta(files: readonly ChangedFile[]): SymbolDelta {
  const delta = new Map<string, SymbolChange[]>();
  const record = (id: string, change: SymbolChange) => delta.set(id, [...(delta.get(id) ?? []), change]);
  const removed: Homed[] = [];
  const added: Homed[] = [];
  for (const file of files) {
    // Keys of data are not symbols; a file that does not parse does not prove that something was removed.
    if (
      file.before?.module === 'data' ||
      file.after?.module === 'data' ||
      (file.before === undefined && file.oldPath !== null) ||
      file.after?.syntaxError ||
      file.before?.syntaxError
    )
      continue;
    const before = byPath(file.before, file.oldPath ?? file.path, file.path);
    const after = byPath(file.after, file.path, file.path);
    const wasExported = exportedBy(file.before);
    const isExported = exportedBy(file.after);
    before.forEach((old, name) => {
      const now = after.get(name);
      if (!now) removed.push(old);
      else
        for (const change of compare(old, now, wasExported(old.definition), isExported(now.definition)))
          record(symbolId(old.path, name), change);
    });
    after.forEach((now, name) => {
      if (!before.has(name)) added.push(now);
    });
  }
  const matched = matchRenames(removed, added);
  for (const old of removed) {
    const match = matched.get(old);
    record(idOf(old), match ? renamedOrMoved(old, match) : { kind: 'removed', before: old });
  }
  const taken = new Set([...matched.values()].map(({ after }) => after));
  for (const now of added) if (!taken.has(now)) record(idOf(now), { kind: 'added', after: now });
  return delta;
}

function byPath(facts: Facts | undefined, path: string, file: string): Map<string, Homed> {
  const located = new Map<string, Homed>();
  for (const definition of facts?.definitions ?? []) {
    const name = symbolPath(definition);
    if (!located.has(name)) located.set(name, { path, definition, file });
  }
  return located;
}

function compare(before: Located, after: Located, wasExported: boolean, exported: boolean): SymbolChange[] {
  const found: SymbolChange[] = [];
  if (before.path !== after.path) found.push({ kind: 'moved', before, after, exact: true });
  const isSame = haveSameText(before.definition, after.definition);
  const changes = signatureChanges(before.definition, after.definition, isSame);
  if (changes.length > 0) found.push({ kind: 'signature', before, after, changes });
  if (wasExported !== exported) found.push({ kind: 'visibility', before, after, exported });
  if (!isSame && before.definition.bodyHash !== after.definition.bodyHash)
    found.push({ kind: 'body', before, after });
  else if (
    found.length === 0 &&
    before.definition.endLine - before.definition.line !== after.definition.endLine - after.definition.line
  ) {
    found.push({ kind: 'doc', before, after });
  }
  return found;
}

/** Tests which definitions of a file others can reach. */
function exportedBy(facts: Facts | undefined): (definition: Definition) => boolean {
  if (!facts || facts.module === 'namespace') return ({ hidden }) => !hidden;
  const names = new Set(
    facts.exports.flatMap(({ from, local, name }) => (from === null ? [local ?? name] : [])),
  );
  return ({ container, name }) => container !== null || names.has(name);
}

/** A symbol with its file, under the file's later path: a moved file is still the same file. */
interface Homed extends Located {
  readonly file: string;
}

interface Match {
  readonly after: Homed;
  readonly exact: boolean;
}

/**
 * Pairs removed with added symbols: equal body first, then the clearly most similar one of the same kind, then the only one in the file
 * with the same signature.
 */
function matchRenames(removed: readonly Homed[], added: readonly Homed[]): Map<Homed, Match> {
  const matches = new Map<Homed, Match>();
  const free = new Set(added);
  matchTwins(removed, free, matches);
  matchSimilar(removed, free, matches);
  matchSignatures(removed, free, matches);
  return matches;
}

function matchTwins(removed: readonly Homed[], free: Set<Homed>, matches: Map<Homed, Match>): void {
  const twinsOf = Map.groupBy(free, twinKey);
  const rivalsOf = Map.groupBy(removed, twinKey);
  for (const old of removed) {
    const twins = twinsOf.get(twinKey(old))?.filter((now) => free.has(now)) ?? [];
    const best =
      twins.find((now) => now.definition.name === old.definition.name) ??
      inTurn(old, rivalsOf.get(twinKey(old)) ?? [], twins, matches);
    if (!best) continue;
    matches.set(old, { after: best, exact: true });
    free.delete(best);
  }
}

/** Several equal candidates (fields of one type) are paired in the order of the file. */
function inTurn(
  old: Homed,
  alike: readonly Homed[],
  twins: readonly Homed[],
  matches: ReadonlyMap<Homed, Match>,
): Homed | undefined {
  if (twins.length < 2) return twins[0];
  const rivals = alike.filter((other) => !matches.has(other));
  return rivals.length === twins.length ? twins[rivals.indexOf(old)] : undefined;
}

function matchSimilar(removed: readonly Homed[], free: Set<Homed>, matches: Map<Homed, Match>): void {
  const isLong = ({ definition }: Homed) => definition.sketch.length >= fewestShingles;
  const sameSort = Map.groupBy([...free].filter(isLong), sortKey);
  for (const old of removed) {
    if (matches.has(old) || !isLong(old)) continue;
    const ranked = (sameSort.get(sortKey(old)) ?? [])
      .filter((now) => free.has(now))
      .map((now) => ({ now, score: similarity(old.definition.sketch, now.definition.sketch) }))
      .sort((a, b) => b.score - a.score);
    const [best, second] = ranked;
    if (best && best.score >= similarityFloor && best.score - (second?.score ?? 0) >= similarityMargin) {
      matches.set(old, { after: best.now, exact: false });
      free.delete(best.now);
    }
  }
}

function matchSignatures(removed: readonly Homed[], free: Set<Homed>, matches: Map<Homed, Match>): void {
  const takesParameters = ({ definition }: Homed) => (definition.signature?.parameters.length ?? 0) > 0;
  const key = (symbol: Homed) => `${sortKey(symbol)} ${symbol.definition.signatureHash} ${symbol.path}`;
  const open = removed.filter((old) => !matches.has(old) && takesParameters(old));
  const candidatesOf = Map.groupBy(free, key);
  const rivalsOf = Map.groupBy(open, key);
  for (const old of open) {
    const candidates = candidatesOf.get(key(old))?.filter((now) => free.has(now)) ?? [];
    const rivals = rivalsOf.get(key(old))?.filter((other) => !matches.has(other)) ?? [];
    if (candidates.length !== 1 || rivals.length !== 1 || !candidates[0]) continue;
    matches.set(old, { after: candidates[0], exact: false });
    free.delete(candidates[0]);
  }
}

/** Equal for symbols that can be the same one: members are only renamed within their class, others may move to another file. */
function sortKey({ definition: { kind, container }, file }: Homed): string {
  return container === null ? kind : `${kind} ${container} ${file}`;
}

/** Equal for symbols with the same text. */
function twinKey(symbol: Homed): string {
  const { bodyHash, signatureHash } = symbol.definition;
  return `${sortKey(symbol)} ${bodyHash} ${signatureHash}`;
}

/** Short bodies are alike by chance: they never count as similar. */
const fewestShingles = 4;

function renamedOrMoved(before: Located, { after, exact }: Match): SymbolChange {
  const kind = symbolPath(before.definition) === symbolPath(after.definition) ? 'moved' : 'renamed';
  return { kind, before, after, exact };
}

function idOf({ path, definition }: Located): string {
  return symbolId(path, symbolPath(definition));
}

/** The hashes cover parameters and body: most symbols of a changed file did not change. */
function haveSameText(before: Definition, after: Definition): boolean {
  return before.bodyHash === after.bodyHash && before.signatureHash === after.signatureHash;
}

function signatureChanges(before: Definition, after: Definition, isSame: boolean): SignatureChange[] {
  const changes: SignatureChange[] = [];
  if (before.async !== after.async) changes.push({ how: 'async-changed' });
  if (!isSame && before.signature && after.signature)
    changes.push(...parameterChanges(before.signature, after.signature));
  return changes;
}

function parameterChanges(before: Signature, after: Signature): SignatureChange[] {
  const oldNames = before.parameters.map(({ name }) => name);
  const newNames = after.parameters.map(({ name }) => name);
  const gone = before.parameters.filter(({ name }) => !newNames.includes(name));
  const come = after.parameters.filter(({ name }) => !oldNames.includes(name));
  const changes: SignatureChange[] = [];
  for (const old of gone) {
    const renamed = come.find(
      (now) => newNames.indexOf(now.name) === oldNames.indexOf(old.name) && now.kind === old.kind,
    );
    if (renamed && before.parameters.length === after.parameters.length)
      changes.push({ how: 'parameter-renamed', name: old.name, to: renamed.name });
    else changes.push({ how: 'parameter-removed', name: old.name, required: old.required });
  }
  const renames = new Set(
    changes.flatMap((change) => (change.how === 'parameter-renamed' ? [change.to] : [])),
  );
  for (const now of come)
    if (!renames.has(now.name))
      changes.push({ how: 'parameter-added', name: now.name, required: now.required });
  const kept = oldNames.filter((name) => newNames.includes(name));
  if (kept.join() !== newNames.filter((name) => oldNames.includes(name)).join())
    changes.push({ how: 'parameters-reordered' });
  if (pairs(before, after).some(([a, b]) => a.default !== b.default || a.required !== b.required))
    changes.push({ how: 'default-changed' });
  if (pairs(before, after).some(([a, b]) => a.type !== b.type)) changes.push({ how: 'type-changed' });
  if (before.returns !== after.returns) changes.push({ how: 'return-changed' });
  if (
    before.typeParameters.min !== after.typeParameters.min ||
    before.typeParameters.max !== after.typeParameters.max
  )
    changes.push({ how: 'generics-changed' });
  return changes;
}

function pairs(before: Signature, after: Signature): [Parameter, Parameter][] {
  return before.parameters.flatMap((old): [Parameter, Parameter][] => {
    const now = after.parameters.find(({ name }) => name === old.name);
    return now ? [[old, now]] : [];
  });
}
