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
  /** `TS2554`, or whatever the tool calls it. */
  readonly code: string;
  readonly message: string;
  /** Its source line, trimmed. */
  readonly text: string;
}

/** A diagnostic with the symbol around it. */
export interface PlacedDiagnostic extends Diagnostic {
  readonly symbol: string;
}

/**
 * Two trees have the same problem when one of these is the same: what it is about, or its source line, within one
 * family of codes and one symbol of one file. Line numbers are no part of it; the second key holds when a name in the
 * wording changes.
 */
export function keysOf({ file, code, message, symbol, text }: PlacedDiagnostic): [string, string] {
  const family = familyOfCode(code);
  return [
    JSON.stringify([file, family, 'says', gistOf(code, message), symbol]),
    JSON.stringify([file, family, 'at', text, symbol]),
  ];
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
