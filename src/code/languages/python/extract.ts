import type { Facts } from '../../facts.ts';
import { bind } from './binder.ts';
import { readDefinitions } from './definitions.ts';
import { readImports } from './imports.ts';
import { LineIndex } from './line-index.ts';
import { hiddenNames } from './module-openness.ts';
import { Names } from './names.ts';
import type { PythonParser } from './parser.ts';
import { readPublicNames } from './public-names.ts';
import { firstBrokenRule } from './syntax-rules.ts';
import { Annotations } from './type-names.ts';
import { readUses } from './uses.ts';

export function extractPython(parser: PythonParser, source: string, ambient: boolean): Facts {
  // Python ends lines at a lone CR too, the grammar does not; the replacement keeps every offset.
  const text = source.includes('\r') ? source.replace(/\r(?!\n)/g, '\n') : source;
  const parsed = parser.parse(text);
  const { tree } = parsed;
  const broken = parsed.broken ?? firstBrokenRule(tree);
  const lines = new LineIndex(text);
  const bound = bind(tree);
  const annotations = new Annotations(parser);
  const names = new Names(bound, annotations);
  const publicNames = readPublicNames(bound);
  return {
    syntaxError:
      broken === null
        ? null
        : { line: lines.line(broken.offset), column: lines.column(broken.offset), message: broken.message },
    module: 'python',
    definitions: readDefinitions(bound, names, lines, ambient),
    imports: readImports(bound, lines),
    exports: [],
    publicNames: publicNames.is === 'listed' ? publicNames.names : null,
    uses: readUses(bound, names, annotations, lines),
    opaque:
      publicNames.is === 'computed' ? [...hiddenNames(bound), '__all__ is computed'] : hiddenNames(bound),
    duplicateKeys: [],
  };
}
