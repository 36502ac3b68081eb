import type { Facts } from '../../facts.ts';
import { bind } from './binder.ts';
import { readDefinitions } from './definitions.ts';
import { readImports } from './imports.ts';
import { LineIndex } from './line-index.ts';
import { Names } from './names.ts';
import type { PythonParser } from './parser.ts';
import { Annotations } from './type-names.ts';
import { readUses } from './uses.ts';

export function extractPython(parser: PythonParser, text: string, ambient: boolean): Facts {
  const { tree, broken } = parser.parse(text);
  const lines = new LineIndex(text);
  const bound = bind(tree);
  const annotations = new Annotations(parser);
  const names = new Names(bound, annotations);
  return {
    syntaxError:
      broken === null
        ? null
        : { line: lines.line(broken.offset), column: lines.column(broken.offset), message: broken.message },
    module: 'python',
    definitions: readDefinitions(bound, names, lines, ambient),
    imports: readImports(bound, lines),
    exports: [],
    publicNames: null,
    uses: readUses(bound, names, annotations, lines),
    opaque: [],
    duplicateKeys: [],
  };
}
