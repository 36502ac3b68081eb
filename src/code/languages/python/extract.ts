import type { Facts } from '#code/facts/facts.ts';
import { LineIndex } from '#code/languages/tree-sitter/line-index.ts';
import { bind } from './binder.ts';
import { readDefinitions } from './definitions.ts';
import { readHandlers } from './handlers.ts';
import { readImports } from './imports.ts';
import { hiddenNames, quotedNames } from './module-openness.ts';
import { Names } from './names.ts';
import type { PythonParser } from './parser.ts';
import { readPublicNames } from './public-names.ts';
import type { SourceFile } from './source-file.ts';
import { readSwitches } from './switches.ts';
import { firstBrokenRule, IndentationRules } from './syntax-rules.ts';
import { NormalFormBuilder } from './text-shape.ts';
import { both, tokenize } from './tokens.ts';
import { Annotations } from './type-names.ts';
import { readUses } from './uses.ts';

/** Beyond this the parser could run out of memory, which cannot be caught. */
const maxLength = 16 * 1024 * 1024;

/** At each continuation the grammar looks ahead to the last one: a run takes quadratic time. */
const tooManyContinuations = /(?:\\[\r\n]+[ \t]*){1000}/;

export function extractPython(parser: PythonParser, source: string, ambient: boolean): Facts {
  const message =
    source.length > maxLength
      ? 'too large to parse'
      : tooManyContinuations.test(source)
        ? 'too many continued lines in a row to parse'
        : null;
  if (message !== null)
    return { ...extractPython(parser, '', ambient), syntaxError: { line: 1, column: 1, message } };
  // Python ends lines at a lone CR too, the grammar does not; the replacement keeps every offset.
  const text = source.includes('\r') ? source.replace(/\r(?!\n)/g, '\n') : source;
  const parsed = parser.parse(text);
  const layout = new IndentationRules(text);
  const normalForm = new NormalFormBuilder(text);
  tokenize(text, both(layout, normalForm));
  const lines = new LineIndex(text);
  const bound = bind(parsed.tree);
  const annotations = new Annotations(parser);
  const names = new Names(bound, annotations);
  const file: SourceFile = { bound, names, annotations, lines, form: normalForm.form, ambient };

  const broken = parsed.broken ?? firstBrokenRule(parsed.tree, layout);
  const publicNames = readPublicNames(bound);
  const computed = publicNames.is === 'computed' ? ['__all__ is computed'] : [];
  const opaque = [...hiddenNames(bound), ...computed];
  return {
    syntaxError: broken && {
      line: lines.line(broken.offset),
      column: lines.column(broken.offset),
      message: broken.message,
    },
    module: 'namespace',
    definitions: readDefinitions(file),
    imports: readImports(file),
    exports: [],
    publicNames: publicNames.is === 'listed' ? publicNames.names : null,
    ...readUses(file),
    switches: readSwitches(file),
    opaque,
    quotedNames: opaque.length > 0 ? quotedNames(bound) : undefined,
    duplicateKeys: [],
    handlers: readHandlers(file),
  };
}
