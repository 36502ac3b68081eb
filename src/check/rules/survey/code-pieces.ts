import type { Definition } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { isCode } from '#code/languages/index.ts';
import { isFixture, isTestCode } from '#tests/code/test-path.ts';
import type { ChangedText } from './changed-text.ts';
import { type CloneShape, cloneShape, marksIn } from './clone-tokens.ts';

/** A function that a file did not have before. */
export interface CodePiece extends CloneShape {
  readonly name: string;
  readonly container: string | null;
  readonly line: number;
  readonly arity: number;
}

/** Code that a change adds and removes. */
export interface CodeNews {
  readonly pieces: readonly CodePiece[];
  /** Names of new module-level functions and types. */
  readonly names: readonly string[];
  /** Existing functions with a changed body. */
  readonly changed: readonly { readonly name: string; readonly symbol: string; readonly line: number }[];
  readonly added: readonly number[];
  readonly gone: readonly number[];
}

export function readCode(file: ChangedText): CodeNews | undefined {
  const { path, oldPath, before, after, added, gone, factsBefore, factsAfter } = file;
  if (!isCode(path) || isTestCode(path) || isFixture(path) || /\.d\.[cm]?ts$/.test(path)) return undefined;
  if (factsAfter?.syntaxError || (after === '' && before === '')) return undefined;
  const isMoved = path !== oldPath;
  const old = new Set((factsBefore?.definitions ?? []).map(symbolPath));
  const lines = after.split('\n');
  const fresh = (factsAfter?.definitions ?? []).filter((each) => !old.has(symbolPath(each)));
  return {
    pieces: isMoved && old.size === 0 ? [] : fresh.flatMap((each) => pieceOf(each, lines)),
    names: fresh.flatMap(({ name, container, kind, ambient }) =>
      container === null && kind !== 'variable' && !ambient ? [name] : [],
    ),
    changed: changedFunctions(file),
    added: marksIn(textOf(added)),
    gone: marksIn(textOf(gone)),
  };
}

function changedFunctions({ factsBefore, factsAfter }: ChangedText): CodeNews['changed'] {
  // Overloads share a name: one that has its old body is unchanged, wherever it is in the list.
  const before = Map.groupBy(factsBefore?.definitions ?? [], symbolPath);
  return (factsAfter?.definitions ?? []).flatMap((each) => {
    const { name, line, kind, bodyHash } = each;
    const old = before.get(symbolPath(each));
    const isFunction = kind === 'function' || kind === 'method';
    const isChanged = isFunction && old !== undefined && !old.some((one) => one.bodyHash === bodyHash);
    return isChanged ? [{ name, symbol: symbolPath(each), line }] : [];
  });
}

function textOf(lines: readonly { readonly text: string }[]): string {
  return lines.map(({ text }) => text).join('\n');
}

function pieceOf(definition: Definition, lines: readonly string[]): CodePiece[] {
  const { name, container, kind, line, endLine, signature, overload, abstract, ambient } = definition;
  const isFunction = kind === 'function' || kind === 'method' || (kind === 'variable' && signature !== null);
  if (!isFunction || overload || abstract || ambient || /^__\w+__$/.test(name)) return [];
  const shape = cloneShape(lines.slice(line - 1, endLine).join('\n'), name);
  return [{ ...shape, name, container, line, arity: signature?.parameters.length ?? 0 }];
}
