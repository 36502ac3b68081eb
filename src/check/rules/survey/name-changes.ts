import { isCode } from '#code/languages/index.ts';
import type { ChangedText } from './changed-text.ts';
import {
  distinctiveNames,
  hasNames,
  isDistinctiveIdentifier,
  type LinesRead,
  type NamePlace,
} from './distinctive-names.ts';
import { LastVersions } from './last-versions.ts';

type NameChange = readonly [name: string, line: number, isDefined: boolean];

/** How one changed file changes names. Lines of `gone` are in the old version, lines of `added` in the new one. */
export interface NameChanges {
  readonly gone: readonly NameChange[];
  readonly added: readonly NameChange[];
}

/** A change of more names than this is generated or moved in bulk. */
const mostNames = 5000;

const beside = new LastVersions<{ linesRead: LinesRead; names: Map<string, NamePlace> }>();

export function readNames(file: ChangedText): NameChanges | undefined {
  const { path, oldPath, before, after } = file;
  if (!hasNames(path) || !hasNames(oldPath)) return undefined;
  const now = beside.read(path, after, () => {
    const linesRead: LinesRead = new Map();
    return { linesRead, names: distinctiveNames(path, after, linesRead) };
  });
  const old = distinctiveNames(
    oldPath,
    before,
    new Map(isCode(path) === isCode(oldPath) ? now.linesRead : []),
  );
  const changeOf = ([name, { line, isDefined }]: readonly [string, NamePlace]): NameChange => [
    name,
    line,
    isDefined,
  ];
  const goneNames = [...old].filter(([name]) => !now.names.has(name)).map(changeOf);
  const gone = [...goneNames, ...goneDefinitions(file).filter(([name]) => !old.has(name))];
  const added = [...now.names]
    .filter(([name, { count }]) => count > (old.get(name)?.count ?? 0))
    .map(changeOf);
  const size = gone.length + added.length;
  return size === 0 || size > mostNames ? undefined : { gone, added };
}

/** A removed definition may be named in a text elsewhere: `getattr(jobs, 'send_invoice')`, `handler: jobs.send_invoice`. */
function goneDefinitions({ factsBefore, after }: ChangedText): NameChange[] {
  const names = new Map<string, number>();
  for (const { name, kind, line } of factsBefore?.definitions ?? [])
    if (kind !== 'variable' && isDistinctiveIdentifier(name) && !names.has(name)) names.set(name, line);
  return [...names].flatMap(([name, line]): NameChange[] =>
    after.includes(name) ? [] : [[name, line, true]],
  );
}
