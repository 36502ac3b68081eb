import { isCode } from '#code/languages/index.ts';
import type { ChangedText } from './changed-text.ts';
import { distinctiveNames, hasNames, type NamePlace } from './distinctive-names.ts';

type NameChange = readonly [name: string, line: number, isDefined: boolean];

/** What one changed file does to names. Lines: of the version before for `gone`, of the one after for `added`. */
export interface NameChanges {
  readonly gone: readonly NameChange[];
  readonly added: readonly NameChange[];
}

/** A change of more names than this is generated or moved in bulk. */
const mostNames = 5000;

export function readNames({ path, oldPath, before, after }: ChangedText): NameChanges | undefined {
  if (!hasNames(path) || !hasNames(oldPath)) return undefined;
  const linesRead = isCode(path) === isCode(oldPath) ? new Map() : undefined;
  const old = distinctiveNames(oldPath, before, linesRead);
  const now = distinctiveNames(path, after, linesRead);
  const changeOf = ([name, { line, isDefined }]: readonly [string, NamePlace]): NameChange => [
    name,
    line,
    isDefined,
  ];
  const gone = [...old].filter(([name]) => !now.has(name)).map(changeOf);
  const added = [...now].filter(([name, { count }]) => count > (old.get(name)?.count ?? 0)).map(changeOf);
  const size = gone.length + added.length;
  return size === 0 || size > mostNames ? undefined : { gone, added };
}
