import { hash } from 'node:crypto';
import type { Definition, Facts } from '#code/facts/facts.ts';
import { indexOf } from '#code/facts/facts-index.ts';

const digests = new WeakMap<Facts, ReadonlyMap<string, string>>();

/**
 * By module-level name: what others can see of it. `*` covers what concerns every name: star exports, the module's kind, a dynamic
 * namespace.
 */
function interfaceOf(facts: Facts): ReadonlyMap<string, string> {
  const known = digests.get(facts);
  if (known) return known;
  const parts = new Map<string, unknown[]>();
  const add = (name: string, part: unknown) => parts.set(name, [...(parts.get(name) ?? []), part]);
  for (const definition of facts.definitions) {
    add((definition.container ?? definition.name).split('.')[0] ?? '', seenFromOutside(definition));
  }
  for (const [local, imports] of indexOf(facts).importedNames) {
    for (const { imported, from } of imports) add(local, [imported, from]);
  }
  for (const { name, local, from, imported } of facts.exports)
    add(name === '*' ? '*' : name, [local, from, imported]);
  for (const entry of facts.imports) if (entry.imported === '**') add('*', entry.from);
  add('*', [facts.module, facts.opaque, facts.unread, facts.publicNames, facts.augments]);
  const digest = new Map([...parts].map(([name, value]) => [name, shortened(JSON.stringify(value))]));
  digests.set(facts, digest);
  return digest;
}

/** The digests of all versions of a file stay in memory. */
function shortened(text: string): string {
  return text.length > 64 ? hash('sha256', text, 'base64') : text;
}

/** Everything about a definition except its location and its body. */
function seenFromOutside(definition: Definition): unknown[] {
  return [
    definition.name,
    definition.container,
    definition.kind,
    definition.signatureHash,
    definition.signature,
    definition.type,
    definition.bases,
    definition.implements,
    definition.typeParameters,
    definition.literals,
    definition.members,
    definition.async,
    definition.static,
    definition.abstract,
    definition.overrides,
    definition.optional,
    definition.decorators,
    definition.failure,
    definition.overload,
    definition.conditional,
    definition.ambient,
    definition.hidden,
  ];
}

/** Names whose meaning for other files differs between two versions of a file; `*` may be among them. */
export function changedNames(before: Facts | undefined, after: Facts | undefined): Set<string> {
  const old = before ? interfaceOf(before) : new Map<string, string>();
  const now = after ? interfaceOf(after) : new Map<string, string>();
  const names = new Set([...old.keys(), ...now.keys()]);
  return new Set([...names].filter((name) => old.get(name) !== now.get(name)));
}
