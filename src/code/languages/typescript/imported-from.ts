import { childIn, childrenIn, keyName, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';

/** What a dotted name means in the package it is imported from: `react memo` for `memo` and for `React.memo`; null if it is not imported, or if a local hides it. */
export function importedFrom(reading: Reading, dotted: string): { from: string; name: string } | null {
  const { tree, names, scopes } = reading;
  const [root = '', member, ...others] = dotted.split('.');
  if (scopes.isBoundLocally(names.of(root))) return null;
  for (const statement of childrenIn(tree, 0, Role.statement)) {
    if (tree.kind[statement] !== Kind.Import) continue;
    for (const specifier of childrenIn(tree, statement, Role.specifier)) {
      if (names.ofNode(childIn(tree, specifier, Role.local)) !== root) continue;
      const from = keyName(reading, childIn(tree, statement, Role.source)) ?? '';
      const isNamed =
        tree.kind[specifier] !== Kind.ImportDefault && tree.kind[specifier] !== Kind.ImportNamespace;
      const imported = isNamed ? keyName(reading, childIn(tree, specifier, Role.imported)) : member;
      const isWhole = isNamed ? member === undefined : others.length === 0;
      return isWhole && imported ? { from, name: imported } : null;
    }
  }
  return null;
}
