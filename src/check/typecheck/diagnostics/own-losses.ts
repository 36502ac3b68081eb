import type { CheckContext } from '#check/context.ts';
import type { ReadMember } from '#check/members/member.ts';
import type { SymbolChange } from '#code/delta/symbol-delta.ts';
import { sidesOf } from './blame.ts';
import type { Meeting } from './meeting.ts';
import type { Blamed } from './new-diagnostics.ts';

/**
 * The diagnostics that a compiler without its libraries proves. What it says about a name that may come from a library proves nothing,
 * whatever its words: an error counts only if it names something that the repository itself had and lost, or has and changed.
 */
export async function withOwnLosses(
  context: CheckContext,
  meeting: Meeting,
  blamed: readonly Blamed[],
): Promise<Blamed[]> {
  const kept: Blamed[] = [];
  for (const each of blamed) {
    const sides = await sidesOf(context, meeting, each);
    if (sides.some((side) => explains(side, each))) kept.push(each);
  }
  return kept;
}

function explains(side: ReadMember, { diagnostic }: Blamed): boolean {
  const { message, text, file } = diagnostic;
  const missing = missingName(message);
  const changed = [...side.delta.values()].flat();
  if (missing !== null)
    return changed.some((change) => takesAway(change, missing)) || dropsImport(side, file, missing);
  const named = new Set(`${message}\n${text}`.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? []);
  return changed.some(
    (change) =>
      change.kind !== 'body' && change.kind !== 'doc' && locations(change).some((name) => named.has(name)),
  );
}

/** `assertThat` in `cannot find symbol: method assertThat(Order)`; null when the message is about something else. */
export function missingName(message: string): string | null {
  return (
    /^cannot find symbol: (?:\w+ )?([\w$]+)/.exec(message)?.[1] ??
    // C#: The name `Store' does not exist; the type or namespace name `Store' could not be found; does not contain a definition for `Find'.
    /(?:name|definition for) [`'"](?:[^`'"\n]{0,300}\.)?(\w{1,300})(?:<[^`'"\n]{0,300}>)?['"`] (?:does not exist|could not be found)/.exec(
      message,
    )?.[1] ??
    /does not contain a definition for [`'"](\w+)/.exec(message)?.[1] ??
    // Go.
    /^undefined: (?:\w+\.)?(\w+)/.exec(message)?.[1] ??
    null
  );
}

function takesAway(change: SymbolChange, name: string): boolean {
  switch (change.kind) {
    case 'removed':
    case 'renamed':
    case 'moved':
    case 'visibility':
      return change.before.definition.name === name;
    default:
      return false;
  }
}

/** The branch no longer imports the name in this file. */
function dropsImport(side: ReadMember, file: string, name: string): boolean {
  const before = side.factsBefore(side.changed.get(file)?.oldPath ?? file)?.imports ?? [];
  const now = side.tree.facts(file)?.imports;
  return (
    now !== undefined &&
    before.some((entry) => entry.local === name) &&
    !now.some(({ local }) => local === name)
  );
}

function locations(change: SymbolChange): string[] {
  const all = [...('before' in change ? [change.before] : []), ...('after' in change ? [change.after] : [])];
  return all.map(({ definition }) => definition.name);
}
