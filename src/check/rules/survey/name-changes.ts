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
import type { NameKind } from './name-kinds.ts';

type NameChange = readonly [name: string, line: number, kind: NameKind];

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
  const goneNames = [...old]
    .filter(([name]) => !now.names.has(name))
    .map(([name, { kinds, line }]): NameChange => [name, line, strongest(kinds)]);
  const gone = [
    ...goneNames,
    ...goneDefinitions(file).filter(([name]) => !old.has(name)),
    ...gonePaths(file),
  ];
  const added = [...now.names].flatMap(([name, { kinds, line }]): NameChange[] => {
    const was = old.get(name);
    if (kinds.length <= (was?.kinds.length ?? 0)) return [];
    return [[name, was ? lineOf(file, name, line) : line, strongest(beyond(kinds, was?.kinds ?? []))]];
  });
  const size = gone.length + added.length;
  return size === 0 || size > mostNames ? undefined : { gone, added };
}

const strength: readonly NameKind[] = ['defined', 'own', 'local', 'text', 'used'];

function strongest(kinds: readonly NameKind[]): NameKind {
  return strength.find((kind) => kinds.includes(kind)) ?? 'used';
}

/** Those that the file did not have before: an old definition does not make a new use one. */
function beyond(kinds: readonly NameKind[], old: readonly NameKind[]): NameKind[] {
  const left = [...old];
  return kinds.filter((kind) => {
    const at = left.indexOf(kind);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function lineOf({ added }: ChangedText, name: string, otherwise: number): number {
  return added.find(({ text }) => text.includes(name))?.line ?? otherwise;
}

/** A removed definition may be named in a text elsewhere: `getattr(jobs, 'send_invoice')`, `handler: jobs.send_invoice`. */
function goneDefinitions({ factsBefore, after }: ChangedText): NameChange[] {
  const names = new Map<string, number>();
  for (const { name, kind, line } of factsBefore?.definitions ?? [])
    if (kind !== 'variable' && isDistinctiveIdentifier(name) && !names.has(name)) names.set(name, line);
  return [...names].flatMap(([name, line]): NameChange[] =>
    after.includes(name) ? [] : [[name, line, 'defined']],
  );
}

/** The paths under which others may name a file that is no longer there: `templates/mail/hello.html`, `mail/hello.html`. */
function gonePaths({ path, oldPath, isGone }: ChangedText): NameChange[] {
  if (path === oldPath && !isGone) return [];
  const parts = oldPath.split('/');
  return parts.slice(0, -1).map((_, index): NameChange => [parts.slice(index).join('/'), 1, 'defined']);
}
