import { isCode } from '#code/languages/index.ts';
import type { ChangedText } from './changed-text.ts';
import { DistinctiveNames, hasNames, isDistinctiveIdentifier, type NamePlace } from './distinctive-names.ts';

type NameChange = readonly [name: string, line: number, isDefined: boolean];

/** How one changed file changes names. Lines of `gone` are in the old version, lines of `added` in the new one. */
export interface NameChanges {
  readonly gone: readonly NameChange[];
  readonly added: readonly NameChange[];
}

/** A change of more names than this is generated or moved in bulk. */
const mostNames = 5000;

export function readNames(file: ChangedText): NameChanges | undefined {
  const { path, oldPath, before, after } = file;
  if (!hasNames(path) || !hasNames(oldPath)) return undefined;
  const [old, now] = [new DistinctiveNames(oldPath, before), new DistinctiveNames(path, after)];
  const { fewer, more } = changedNames(old, now, isCode(path) === isCode(oldPath));
  const left = now.places(fewer);
  const goneNames = [...old.places(fewer)].filter(([name]) => !left.has(name)).map(changeOf);
  const known = new Set(goneNames.map(([name]) => name));
  const definitions = goneDefinitions(file).filter(([name]) => !known.has(name));
  const stillThere = old.places(new Set(definitions.map(([name]) => name)));
  const gone = [...goneNames, ...definitions.filter(([name]) => !stillThere.has(name))];
  const added = [...now.places(more)].map(changeOf);
  const size = gone.length + added.length;
  return size === 0 || size > mostNames ? undefined : { gone, added };
}

function changeOf([name, { line, isDefined }]: readonly [string, NamePlace]): NameChange {
  return [name, line, isDefined];
}

/** Names that the new version has less or more often. Lines that both have alike change no count, and most are of that kind. */
function changedNames(
  old: DistinctiveNames,
  now: DistinctiveNames,
  isReadAlike: boolean,
): { fewer: Set<string>; more: Set<string> } {
  const [before, after] = [old.countLines(), now.countLines()];
  const counts = new Map<string, number>();
  const count = (names: DistinctiveNames, line: string, by: number) => {
    if (by !== 0) for (const name of names.inLine(line)) counts.set(name, (counts.get(name) ?? 0) + by);
  };
  for (const [line, times] of before) count(old, line, -times + (isReadAlike ? (after.get(line) ?? 0) : 0));
  for (const [line, times] of after) if (!isReadAlike || !before.has(line)) count(now, line, times);
  const names = (isAsked: (by: number) => boolean) =>
    new Set([...counts].flatMap(([name, by]) => (isAsked(by) ? [name] : [])));
  return { fewer: names((by) => by < 0), more: names((by) => by > 0) };
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
