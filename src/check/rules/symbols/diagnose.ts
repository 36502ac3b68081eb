import type { ReadMember } from '#check/members/member.ts';
import type { SeamProblem } from '#check/members/union-problems.ts';
import type { Diagnosis } from '#check/rules/diagnosis.ts';
import type { Located, SymbolChange } from '#code/delta/symbol-delta.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { familyOf } from '#code/languages/index.ts';
import { isResolutionDocument } from '#code/link/documents.ts';
import { symbolId } from '#schema/identity.ts';
import type { RuleId } from '#schema/rules.ts';
import { diagnoseOverride, diagnoseUnfounded, diagnoseUnimplemented } from './diagnose-classes.ts';
import {
  both,
  changeOfMember,
  common,
  definedPlace,
  followed,
  idOf,
  isField,
  isNewFile,
  isNewSymbol,
  mismatchWithNew,
  modulePlace,
  neither,
  ownerPlace,
  placeOf,
  significant,
  splitId,
} from './diagnosis-parts.ts';

type Change<Kind extends SymbolChange['kind']> = Extract<SymbolChange, { kind: Kind }>;

/** Names the rule of a symbol problem by what the provider's branch did to the symbol. */
export function diagnoseSymbol(seam: SeamProblem): Diagnosis {
  if (isKeyOfData(seam)) return diagnoseKey(seam);
  switch (seam.problem.kind) {
    case 'module-missing':
      return diagnoseModule(seam);
    case 'export-missing':
    case 'name-unbound':
      return diagnoseName(seam);
    case 'member-missing':
      return diagnoseMember(seam);
    case 'call-mismatch':
      return diagnoseCall(seam);
    case 'member-unimplemented':
      return diagnoseUnimplemented(seam);
    case 'override-mismatch':
      return diagnoseOverride(seam);
    case 'override-missing':
      return diagnoseUnfounded(seam);
    case 'type-arguments':
      return diagnoseTypeArguments(seam);
    case 'ambiguous-name':
      return diagnoseAmbiguous(seam);
    default:
      return diagnoseDuplicate(seam);
  }
}

function isKeyOfData({ problem }: SeamProblem): boolean {
  const isName = problem.kind === 'export-missing' || problem.kind === 'member-missing';
  return isName && familyOf(splitId(problem.provider)[0]) === 'data';
}

/** S10: a key of a data file that code imports. */
function diagnoseKey(seam: SeamProblem): Diagnosis {
  const { problem, consumer, provider } = seam;
  const [path, symbol] = splitId(problem.provider);
  const key = symbol.replace(/^default\./, '');
  const message = `${path} has no ${key} on ${provider.ref}, which ${consumer.ref} reads`;
  const at = ownerPlace(provider, path, 'default');
  if (isNewFile(provider, path)) return mismatchWithNew(seam, message, at);
  return {
    ...common(problem, problem.provider),
    rule: 'S10',
    message,
    suggestion: `keep ${key} in ${path}, or read the key that took its place`,
    mechanical: followed,
    provider: at,
  };
}

function diagnoseModule({ problem, consumer, provider }: SeamProblem): Diagnosis {
  const moved = problem.tried.find((path) => provider.renames.has(path));
  const to = moved === undefined ? undefined : provider.renames.get(moved);
  if (moved !== undefined && to !== undefined) {
    return {
      ...common(problem, symbolId(moved, '')),
      // A file in another language (`fast.py` → `fast.pyx`) may be built into the old module.
      ...(familyOf(to) === familyOf(moved) ? {} : { confidence: 'likely' as const }),
      rule: 'S03',
      message: `${moved} moved to ${to} on ${provider.ref}; ${consumer.ref} imports it from the old place`,
      suggestion: `import from ${to} instead of ${JSON.stringify(problem.provider)}`,
      fix: { from: moved, to },
      mechanical: followed,
      provider: modulePlace(to, false),
    };
  }
  const [movedFrom] = [...provider.renames].find(([, path]) => path === problem.file) ?? [];
  if (movedFrom !== undefined) {
    return {
      ...common(problem, symbolId(movedFrom, '')),
      rule: 'S03',
      message: `${movedFrom} moved to ${problem.file} on ${provider.ref}; the import ${JSON.stringify(problem.provider)} that ${consumer.ref} adds to it leads nowhere from there`,
      suggestion: `write the import relative to ${problem.file}`,
      mechanical: followed,
      provider: modulePlace(problem.file, false),
    };
  }
  const deleted = problem.tried.find((path) =>
    provider.changes.some((change) => change.path === path && change.status === 'deleted'),
  );
  const gone = deleted ?? problem.tried[0] ?? problem.provider;
  const documents = provider.changes.filter(({ path }) => isResolutionDocument(path));
  if (deleted === undefined && documents[0])
    return {
      ...common(problem, symbolId(gone, '')),
      rule: 'S01',
      message: `${JSON.stringify(problem.provider)} leads to no file since ${provider.ref} changed ${documents.map(({ path }) => path).join(', ')}; ${consumer.ref} imports it`,
      suggestion: `import it by the name or alias that it has now, or add ${gone}`,
      mechanical: followed,
      provider: modulePlace(documents[0].path, false),
    };
  return {
    ...common(problem, symbolId(gone, '')),
    // A file that is deleted and ignored in one go is generated from now on.
    ...(provider.changes.some(({ path }) => /(^|\/)\.gitignore$/.test(path))
      ? { confidence: 'likely' as const }
      : {}),
    rule: 'S01',
    message: `${gone} was deleted on ${provider.ref}; ${consumer.ref} imports it`,
    suggestion: `keep ${gone}, or stop importing it`,
    mechanical: neither,
    provider: deleted === undefined ? null : modulePlace(deleted, true),
  };
}

function diagnoseName(seam: SeamProblem): Diagnosis {
  const { problem, consumer, provider } = seam;
  const [path = '', name = ''] = splitId(problem.provider);
  if (isSubmodule(provider, path, name))
    return diagnoseModule({ ...seam, problem: { ...problem, tried: submodulePaths(path, name) } });
  const change = changeOfName(provider, originalId(provider, path, name), name);
  // A default export is known to others as `default`, whatever its own name.
  if (name === 'default' && change?.kind === 'removed') {
    const found = removed(seam, change.before);
    const place = found.provider && { ...found.provider, symbol: problem.provider };
    return { ...found, providerKey: problem.provider, provider: place };
  }
  switch (change?.kind) {
    case 'renamed':
      return isHidden(change) ? narrowed(seam, change.before, change.after) : renamed(seam, 'S02', change);
    case 'moved':
      return {
        ...common(problem, idOf(change.before)),
        rule: 'S03',
        message: `${name} moved from ${change.before.path} to ${change.after.path} on ${provider.ref}; ${consumer.ref} uses it from the old place`,
        suggestion: `import ${name} from ${change.after.path}`,
        mechanical: followed,
        provider: placeOf(change.after, false),
      };
    case 'visibility':
      return narrowed(seam, change.before, change.after);
    case 'removed':
      return removed(seam, change.before);
  }
  if (isNewFile(provider, path))
    return mismatchWithNew(
      seam,
      `${path}, new on ${provider.ref}, has no ${name}, which ${consumer.ref} imports`,
      modulePlace(path, false),
    );
  if (problem.kind === 'name-unbound')
    return hiddenFromStar(seam, path, name) ?? removedImport(seam, path, name);
  return narrowedBarrel(seam, path, name);
}

/** Python: a name of a package that was a file in its folder. */
function isSubmodule(side: ReadMember, path: string, name: string): boolean {
  return submodulePaths(path, name).some((candidate) =>
    side.changes.some(
      ({ path: now, oldPath, status }) => (oldPath ?? (status === 'deleted' ? now : null)) === candidate,
    ),
  );
}

function submodulePaths(path: string, name: string): string[] {
  const folder = /^(.*\/)(?:__init__\.pyi?)?$/.exec(path)?.[1];
  return folder === undefined
    ? []
    : [`${folder}${name}.py`, `${folder}${name}/__init__.py`, `${folder}${name}.pyi`];
}

/** Under which name a module defined what it exported: `export default parse` was `parse`. */
function originalId(side: ReadMember, path: string, name: string): string {
  const entry = side
    .factsBefore(path)
    ?.exports.find((candidate) => candidate.name === name && candidate.from === null);
  return symbolId(path, entry?.local ?? name);
}

/** The change of the symbol itself or, behind a barrel, of the one symbol of that name that the branch changed. */
function changeOfName(side: ReadMember, id: string, name: string): SymbolChange | undefined {
  const own = significant(side.delta.get(id));
  if (own) return own;
  const elsewhere = [...side.delta.values()].flatMap((changes) => {
    const change = significant(changes);
    return change &&
      change.kind !== 'added' &&
      change.before.definition.container === null &&
      change.before.definition.name === name
      ? [change]
      : [];
  });
  return elsewhere.length === 1 ? elsewhere[0] : undefined;
}

/** Python's way of making a name private. */
function isHidden({ before, after }: Change<'renamed' | 'moved'>): boolean {
  return after.definition.name === `_${before.definition.name}`;
}

function renamed(
  { problem, consumer, provider }: SeamProblem,
  rule: RuleId,
  { before, after, exact }: Change<'renamed' | 'moved'>,
): Diagnosis {
  const from = symbolPath(before.definition);
  const to = symbolPath(after.definition);
  const guess = exact ? '' : ' (judged by similarity)';
  return {
    ...common(problem, idOf(before)),
    rule,
    message: `${from} is now ${to} on ${provider.ref}${guess}; ${consumer.ref} still uses ${from}`,
    suggestion: `use ${after.definition.name} instead of ${before.definition.name}`,
    fix: { from: before.definition.name, to: after.definition.name },
    mechanical: followed,
    provider: placeOf(after, false),
  };
}

function removed({ problem, consumer, provider }: SeamProblem, before: Located): Diagnosis {
  const name = symbolPath(before.definition);
  return {
    ...common(problem, idOf(before)),
    rule: 'S01',
    message: `${name} was removed from ${before.path} on ${provider.ref}; ${consumer.ref} uses it`,
    suggestion: `keep ${name}, or replace its use`,
    mechanical: neither,
    provider: placeOf(before, true),
  };
}

/** Python: `__all__` no longer lists what a star import brought in. */
function hiddenFromStar(
  { problem, consumer, provider }: SeamProblem,
  path: string,
  name: string,
): Diagnosis | null {
  const trace = consumer.tree.linked(path)?.trace.names;
  const source = provider.changes.find((change) => {
    const before = provider.factsBefore(change.oldPath ?? change.path);
    const after = provider.tree.facts(change.path);
    const wasPublic = before && (before.publicNames?.includes(name) ?? !name.startsWith('_'));
    return (
      trace?.has(change.path) &&
      wasPublic &&
      after?.publicNames &&
      !after.publicNames.includes(name) &&
      after.definitions.some((definition) => definition.name === name)
    );
  })?.path;
  if (source === undefined) return null;
  return {
    ...common(problem, symbolId(source, name)),
    rule: 'S13',
    message: `__all__ of ${source} no longer lists ${name} on ${provider.ref}; ${consumer.ref} gets it by a star import`,
    suggestion: `list ${name} in __all__, or import it by name`,
    mechanical: both,
    provider: ownerPlace(provider, source, name),
  };
}

/** The import of a name was dropped as unused while the other branch began to use it. */
function removedImport({ problem, consumer, provider }: SeamProblem, path: string, name: string): Diagnosis {
  const entry = provider.factsBefore(path)?.imports.find(({ local }) => local === name);
  const [, scope] = splitId(problem.consumer);
  if (!entry && isNewSymbol(provider, problem.consumer))
    return {
      ...common(problem, problem.provider),
      rule: 'S01',
      message: `${provider.ref} moves code of ${path} into ${scope}, which knows no ${name}; ${consumer.ref} uses it in that code`,
      suggestion: `pass ${name} to ${scope}`,
      mechanical: neither,
      provider: ownerPlace(provider, path, scope),
    };
  return {
    ...common(problem, problem.provider),
    rule: 'S01',
    message: `${provider.ref} no longer ${entry ? 'imports' : 'defines'} ${name} in ${path}; ${consumer.ref} uses it there`,
    suggestion: entry
      ? `keep the import of ${name} from ${JSON.stringify(entry.from)}`
      : `define or import ${name} in ${path}`,
    mechanical: entry ? both : neither,
    provider: entry
      ? {
          file: path,
          line: entry.line,
          column: entry.column,
          endLine: entry.endLine,
          symbol: symbolId(path, name),
          removed: true,
        }
      : null,
  };
}

function narrowed({ problem, consumer, provider }: SeamProblem, before: Located, after: Located): Diagnosis {
  const name = symbolPath(before.definition);
  const now =
    after.definition.name === before.definition.name
      ? 'no longer exported'
      : `private now, as ${after.definition.name},`;
  return {
    ...common(problem, idOf(before)),
    rule: 'S13',
    message: `${name} of ${before.path} is ${now} on ${provider.ref}; ${consumer.ref} imports it`,
    suggestion: `keep ${name} public on ${provider.ref}, or stop importing it`,
    mechanical: { consumer: false, provider: true },
    provider: placeOf(after, false),
  };
}

function narrowedBarrel({ problem, consumer, provider }: SeamProblem, path: string, name: string): Diagnosis {
  const before = provider.factsBefore(path);
  const entry =
    before?.exports.find((candidate) => candidate.name === name || candidate.name === '*') ??
    before?.imports.find((candidate) => candidate.local === name && candidate.scope === '');
  return {
    ...common(problem, problem.provider),
    rule: 'S13',
    message: `${path} no longer passes on ${name} on ${provider.ref}; ${consumer.ref} imports it from there`,
    suggestion: `keep exporting ${name} from ${path}, or import it from where it is defined`,
    mechanical: both,
    provider: entry
      ? {
          file: path,
          line: entry.line,
          column: entry.column,
          endLine: entry.endLine,
          symbol: problem.provider,
          removed: true,
        }
      : null,
  };
}

function diagnoseMember(seam: SeamProblem): Diagnosis {
  const { problem, consumer, provider } = seam;
  const [path = '', name = ''] = splitId(problem.provider);
  const owner = name.slice(0, name.lastIndexOf('.'));
  const member = name.slice(owner.length + 1);
  const change = significant(provider.delta.get(problem.provider)) ?? changeOfMember(provider, member);
  if (change?.kind === 'renamed') return renamed(seam, isField(change.before) ? 'S10' : 'S02', change);
  if (change?.kind === 'removed')
    return { ...removed(seam, change.before), rule: isField(change.before) ? 'S10' : 'S01' };
  if (isNewSymbol(provider, symbolId(path, owner)) || isNewFile(provider, path)) {
    return mismatchWithNew(
      seam,
      `${owner}, new on ${provider.ref}, has no ${member}, which ${consumer.ref} uses`,
      ownerPlace(provider, path, owner),
    );
  }
  return {
    ...common(problem, problem.provider),
    rule: 'S10',
    message: `${owner} has no ${member} once ${provider.ref} is in; ${consumer.ref} uses it`,
    suggestion: `agree on one set of members for ${owner}`,
    mechanical: neither,
    provider: ownerPlace(provider, path, owner),
  };
}

function diagnoseCall(seam: SeamProblem): Diagnosis {
  const { problem, consumer, provider } = seam;
  const [path = '', name = ''] = splitId(problem.provider);
  const owners = [name, name.split('.')[0] ?? name].map((part) => symbolId(path, part));
  const at = definedPlace(problem);
  if (owners.some((id) => isNewSymbol(provider, id)) || isNewFile(provider, path)) {
    return mismatchWithNew(
      seam,
      `${problem.statement}, as ${provider.ref} defines it; ${consumer.ref} calls it otherwise`,
      at,
    );
  }
  const unexpected = problem.mismatch?.unexpected ?? [];
  const renames = renamedParameter(provider, problem.provider, unexpected);
  return {
    ...common(problem, problem.provider),
    rule: unexpected.length > 0 ? 'S05' : 'S04',
    message: `${problem.statement} since ${provider.ref} changed it; ${consumer.ref} calls it the old way`,
    suggestion: adaptCall(problem.mismatch, renames),
    fix: renames,
    mechanical: followed,
    provider: at,
  };
}

function diagnoseTypeArguments(seam: SeamProblem): Diagnosis {
  const { problem, consumer, provider } = seam;
  const [path = '', name = ''] = splitId(problem.provider);
  const at = definedPlace(problem);
  if (isNewSymbol(provider, problem.provider) || isNewFile(provider, path))
    return mismatchWithNew(
      seam,
      `${problem.statement}, as ${provider.ref} defines it; ${consumer.ref} uses it otherwise`,
      at,
    );
  return {
    ...common(problem, problem.provider),
    rule: 'S16',
    message: `${problem.statement} since ${provider.ref} changed it; ${consumer.ref} uses ${name} the old way`,
    suggestion: `pass the type arguments that ${name} takes now, or give the new one a default`,
    mechanical: followed,
    provider: at,
  };
}

function diagnoseAmbiguous({ problem, consumer, provider }: SeamProblem): Diagnosis {
  const [path = '', name = ''] = splitId(problem.provider);
  const isPython = path.endsWith('.py');
  const places = problem.definedAt.map(({ file }) => file);
  return {
    ...common(problem, problem.provider),
    rule: 'S18',
    message: isPython
      ? `with ${consumer.ref} and ${provider.ref} together, ${path} gets ${name} by star imports from ${places.join(' and from ')}: the last one wins`
      : `with ${consumer.ref} and ${provider.ref} together, ${path} passes on ${name} from ${places.join(' and from ')}: it is exported from neither`,
    suggestion: isPython
      ? `import the ${name} that is meant by name, or rename one of them`
      : `export the ${name} that is meant by name, or rename one of them`,
    mechanical: both,
    provider: null,
  };
}

function renamedParameter(
  side: ReadMember,
  id: string,
  unexpected: readonly string[],
): { from: string; to: string } | null {
  for (const change of side.delta.get(id) ?? []) {
    if (change.kind !== 'signature') continue;
    const renames = [
      ...change.changes.flatMap((entry) =>
        entry.how === 'parameter-renamed' ? [{ from: entry.name, to: entry.to }] : [],
      ),
      ...renamedOptions(change),
    ];
    const followed = renames.find(({ from }) => unexpected.includes(from));
    if (followed) return followed;
  }
  return null;
}

/** Keys of options written in place: where one went and one came, it was renamed. */
function renamedOptions({ before, after }: Change<'signature'>): { from: string; to: string }[] {
  const now = after.definition.signature?.parameters ?? [];
  return (before.definition.signature?.parameters ?? []).flatMap((parameter, index) => {
    const old = new Set(parameter.shape?.keys.map(({ name }) => name));
    const current = new Set(now[index]?.shape?.keys.map(({ name }) => name));
    const [from, ...otherGone] = old.difference(current);
    const [to, ...otherNew] = current.difference(old);
    return from && to && otherGone.length + otherNew.length === 0 ? [{ from, to }] : [];
  });
}

function adaptCall(
  mismatch: SeamProblem['problem']['mismatch'],
  renames: { from: string; to: string } | null,
): string {
  if (renames) return `pass ${renames.to} instead of ${renames.from}`;
  const parts = [
    mismatch?.missing.length ? `pass ${mismatch.missing.join(', ')}` : '',
    mismatch?.unexpected.length ? `drop ${mismatch.unexpected.join(', ')}` : '',
    mismatch?.surplus ? `drop ${mismatch.surplus} argument${mismatch.surplus > 1 ? 's' : ''}` : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}

function diagnoseDuplicate({ problem, consumer, provider }: SeamProblem): Diagnosis {
  const [path = '', name = ''] = splitId(problem.provider);
  return {
    ...common(problem, problem.provider),
    rule: 'S17',
    message: `${consumer.ref} and ${provider.ref} each add ${name} to ${path}; together it is defined ${problem.sites.length} times`,
    suggestion: 'keep one of them, or give one another name',
    mechanical: both,
    provider: null,
  };
}
