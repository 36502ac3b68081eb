import type { LineIndex } from '#code/languages/tree-sitter/line-index.ts';
import type { Bound } from './binder.ts';
import type { Names } from './names.ts';
import type { NormalForm } from './text-shape.ts';
import type { Annotations } from './type-names.ts';

/** One file with everything that the fact readers need. */
export interface SourceFile {
  readonly bound: Bound;
  readonly names: Names;
  readonly annotations: Annotations;
  readonly form: NormalForm;
  readonly lines: LineIndex;
  /** A stub: it describes what exists elsewhere. */
  readonly ambient: boolean;
}
