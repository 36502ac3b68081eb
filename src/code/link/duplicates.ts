import type { Definition, Facts, Span } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import { packageOf } from '#code/languages/index.ts';
import { symbolId } from '#schema/identity.ts';
import type { LinkContext } from './link-context.ts';

export function checkDuplicates(context: LinkContext, facts: Facts): void {
  for (const duplicate of facts.duplicateKeys) reportKey(context, duplicate);
  const groups = context.dialect?.names.duplicates(facts) ?? [];
  const names = new Set(groups.map(({ name }) => name));
  for (const group of groups) if (!isWithin(group.name, names)) reportDefinition(context, group);
  checkPackage(context, facts);
}

/** The same name in two files of one package. */
function checkPackage(context: LinkContext, facts: Facts): void {
  const folder = packageOf(context.path);
  const rules = context.dialect?.imports.packages;
  if (folder === null || !rules) return;
  for (const definition of facts.definitions) {
    const { container, name } = definition;
    // Members defined outside their type (methods in Go) are checked; all others are checked with their type.
    const isApart = container === null || indexOf(facts).definitions(null, container).length === 0;
    if (!isSingle(definition) || !isApart) continue;
    const clashing = (
      context.graph.inPackage(folder, container, name, context.path, context.trace) ?? []
    ).filter(({ path, definitions }) => {
      const other = path === context.path ? undefined : context.graph.facts(path);
      return other && rules.canClash(path, context.path, other, facts) && definitions.every(isSingle);
    });
    if (clashing.length === 0) continue;
    const full = symbolPath(definition);
    const files = [context.path, ...clashing.map(({ path }) => path)].sort();
    context.report('duplicate-definition', definition, full, {
      provider: symbolId(folder, full),
      proven: true,
      statement: `${full} is defined in ${files.join(' and in ')}`,
      detail: String(files.length),
    });
  }
}

function reportKey(context: LinkContext, duplicate: Facts['duplicateKeys'][number]): void {
  for (const line of duplicate.lines) {
    context.report('duplicate-key', { line, column: 1, endLine: line }, duplicate.key, {
      provider: symbolId(context.path, duplicate.key),
      proven: true,
      statement: `the key ${JSON.stringify(duplicate.key)} stands ${duplicate.lines.length} times in ${context.path}`,
      detail: String(duplicate.lines.length),
    });
  }
}

function reportDefinition(
  context: LinkContext,
  group: { readonly name: string; readonly at: readonly Span[] },
): void {
  for (const at of group.at) {
    context.report('duplicate-definition', at, group.name, {
      provider: symbolId(context.path, group.name),
      proven: true,
      statement: `${group.name} is defined ${group.at.length} times in ${context.path}`,
      detail: String(group.at.length),
    });
  }
}

/** `Box.get` when `Box` is among the names: one cause. */
function isWithin(name: string, names: ReadonlySet<string>): boolean {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1))
    if (names.has(name.slice(0, dot))) return true;
  return false;
}

/** Neither an overload nor one of several variants for different systems. */
function isSingle({ overload, conditional, ambient }: Definition): boolean {
  return !overload && !conditional && !ambient;
}
