import type { Comparison, TypeParameters, Use } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { remembered } from '#lib/remembered.ts';
import { symbolId } from '#schema/identity.ts';
import { absent, isClosed } from './absence.ts';
import { unkept } from './class-problems.ts';
import { comparedType } from './compared-type.ts';
import type { LinkContext } from './link-context.ts';
import type { DefinitionEntity } from './members.ts';
import { keysOf } from './option-keys.ts';
import { place } from './problem.ts';
import { unkeptPromises } from './promised-members.ts';

export function checkTypeArguments(context: LinkContext, entity: DefinitionEntity, use: Use): void {
  if (!context.isTypeChecked || use.typeArguments === null) return;
  // Where a type is written, a value of the same name does not count.
  const isType = use.kind === 'type' || use.kind === 'implements';
  const candidates = isType
    ? entity.definitions.filter(({ typeParameters }) => typeParameters !== null)
    : entity.definitions;
  const [definition] = candidates;
  const takes = definition?.typeParameters;
  const given = use.typeArguments;
  if (!definition || !takes || candidates.length !== 1) return;
  // `new Repo()` infers them.
  if ((use.kind === 'new' && given === 0) || (given >= takes.min && given <= takes.max)) return;
  const name = symbolPath(definition);
  context.report('type-arguments', use, use.scope, {
    provider: symbolId(entity.path, name),
    proven: entity.exact,
    statement: `${name} takes ${countRange(takes)}, not ${given}`,
    detail: String(given),
    definedAt: [place(entity.path, definition, name)],
  });
}

/** An object literal with a declared type that lacks required members of the type. */
export function checkObject(context: LinkContext, entity: DefinitionEntity, use: Use): void {
  const [given] = use.call?.objects ?? [];
  if (!given || given.open || !context.isTypeChecked || context.isAugmented(entity.path)) return;
  const keys = keysOf(context.graph, entity, context.trace);
  for (const { name, required, from } of keys ?? []) {
    if (!required || given.keys.includes(name)) continue;
    context.report('member-unimplemented', use, use.scope, {
      provider: symbolId(from.path, symbolPath(from.definition)),
      proven: isClosed(absent(!entity.exact && 'assumption')),
      statement: `an object of the type ${use.root} has no ${name}`,
      detail: 'object',
      definedAt: [place(from.path, from.definition, symbolPath(from.definition))],
    });
  }
}

/** Instantiating a class with abstract members fails. */
export function checkInstance(context: LinkContext, entity: DefinitionEntity, use: Use): void {
  const [definition] = entity.definitions;
  if (entity.definitions.length !== 1 || definition?.kind !== 'class' || use.kind !== 'call') return;
  for (const promise of unkeptPromises(context.graph, entity, context.trace))
    context.add(unkept(promise, { name: symbolPath(definition), at: use, scope: use.scope, certain: true }));
}

/** A compiler rejects the comparison of a union of literals with a literal that is not in it. */
export function checkComparison(context: LinkContext, comparison: Comparison): void {
  // Also needed for the trace: rules look at it when the type changes.
  const { root, rootIs, path } = comparison;
  const type = remembered(context.compared, `${rootIs} ${root} ${path[0] ?? ''}`, () =>
    comparedType(context.graph, context.path, comparison, context.trace),
  );
  const [definition, ...others] = type.is === 'definition' ? type.definitions : [];
  if (type.is !== 'definition' || !definition || others.length > 0) return;
  if (definition.kind !== 'type' && definition.kind !== 'field') return;
  const { literal } = comparison;
  const literals = literalsOf(type);
  if (!context.isTypeChecked || !literals || literals.includes(literal)) return;
  // A symbol id contains dots itself. A number may be compared with any operator: `level >= 3` is not a mistake.
  if (literal.includes('.') || !literal.startsWith('"')) return;
  const name = symbolPath(definition);
  context.report('member-missing', comparison, comparison.scope, {
    provider: symbolId(type.path, `${name}.${literal}`),
    proven: isClosed(absent(!type.exact && 'assumption')),
    statement: `${name} has no ${literal}`,
    definedAt: [place(type.path, definition, name)],
    tier: 'R2',
  });
}

/** All values, of every variant: `'opened' | 'closed'` for the `kind` of `Opened | Closed`; null when not all are listed. */
function literalsOf({ variants = [], ...first }: DefinitionEntity): readonly string[] | null {
  const lists = [first, ...variants].map(({ definitions: [only, ...others] }) =>
    others.length === 0 ? (only?.literals ?? null) : null,
  );
  return lists.every((list) => list !== null) ? lists.flat() : null;
}

function countRange({ min, max }: TypeParameters): string {
  const count = min === max ? `${max}` : `${min} to ${max}`;
  return `${count} type argument${count === '1' ? '' : 's'}`;
}
