import type { Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { symbolId } from '#schema/identity.ts';
import { familyOfCode, gistOf } from './wording.ts';

/** A diagnostic of a checker. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  /** `TS2554`, or the tool's own code. */
  readonly code: string;
  readonly message: string;
  /** Its source line, trimmed. */
  readonly text: string;
}

/** A diagnostic with the symbol around it. */
export interface PlacedDiagnostic extends Diagnostic {
  readonly symbol: string;
}

/** The judge that a diagnostic names: `compiler:tsc`, `compiler:mypy`. */
export function compilerOf(code: string): string {
  return `compiler:${/^([a-z][\w-]*):/.exec(code)?.[1] ?? 'tsc'}`;
}

/**
 * Two trees have the same problem when one of these keys is the same: its subject, or its source line, within one family of codes and one
 * symbol of one file. Line numbers do not count; the second key is stable when a name in the wording changes.
 */
export function keysOf({ file, code, message, symbol, text }: PlacedDiagnostic): [string, string] {
  const family = familyOfCode(code);
  return [
    JSON.stringify([file, family, 'says', gistOf(code, message), symbol]),
    JSON.stringify([file, family, 'at', startOf(text), symbol]),
  ];
}

/** Enough to tell lines apart. A minified file is one line of megabytes, with many diagnostics. */
const longestStart = 500;

function startOf(line: string): string {
  return line.length <= longestStart ? line : `${line.slice(0, longestStart)}… ${line.length}`;
}

/** Id of the innermost definition around a line; the module itself when there is none. */
export function symbolAround(path: string, facts: Facts | undefined, line: number): string {
  let best: { span: number; name: string } | null = null;
  for (const definition of facts?.definitions ?? []) {
    if (definition.line > line || definition.endLine < line) continue;
    const span = definition.endLine - definition.line;
    if (!best || span <= best.span) best = { span, name: symbolPath(definition) };
  }
  return symbolId(path, best?.name ?? '');
}
