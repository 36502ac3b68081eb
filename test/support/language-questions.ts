import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** A place that asks for a language by name: { file: 'check/a.ts', asks: "=== 'python'" }. */
export interface LanguageQuestion {
  readonly file: string;
  readonly asks: string;
}

const names =
  /^(python|typescript|javascript|go|rust|java|ruby|csharp|php|pyi?|[cm]?[jt]s|tsx|dts|rs|rb|cs)$/;
const endings = /^\.(pyi?|[cm]?[jt]sx?|vue|svelte|go|rs|java|rb|cs|php)$/;
/** `\.py`, `\.tsx?`, `\.[cm]?[jt]s`, `\.(?:go|rs)` in a regular expression. */
const patterns =
  /\\\.(\(\?:)?(py|[jt]sx?\b|\[cm\]|\[jt\]|\w*[|]?[jt]sx?[|)]|(?:[\w|]*[|])?(?:go|rs|java|rb|cs|php)(?![\w(.]))/;

/** Where modules below `sources` compare with the name or extension of a language, or import from its folder. */
export function languageQuestions(sources: string): { files: number; questions: LanguageQuestion[] } {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.'));
  return {
    files: files.length,
    questions: files.flatMap((file) =>
      questionsIn(readFileSync(join(sources, file), 'utf8')).map((asks) => ({ file, asks })),
    ),
  };
}

function questionsIn(text: string): string[] {
  const found: string[] = [];
  const { program } = parseSync('module.ts', text);
  const written = (node: unknown): string | null => {
    const { type, value } = node as { type: string; value?: unknown };
    return type === 'Literal' && typeof value === 'string' ? value : null;
  };
  const compare = (operator: string, node: unknown) => {
    const value = written(node);
    if (value !== null && (names.test(value) || endings.test(value))) found.push(`${operator} '${value}'`);
  };
  new Visitor({
    BinaryExpression({ operator, left, right }) {
      if (/^[!=]==?$/.test(operator)) for (const side of [left, right]) compare(operator, side);
    },
    SwitchCase({ test }) {
      if (test) compare('case', test);
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || !first) return;
      // `import.meta.url` is about the module itself.
      const isItself =
        callee.object.type === 'MemberExpression' && callee.object.object.type === 'MetaProperty';
      if (callee.property.name === 'endsWith' && !isItself) compare('endsWith', first);
    },
    Literal({ value, raw }) {
      if (value instanceof RegExp && patterns.test(value.source)) found.push(raw ?? String(value));
    },
    ImportDeclaration({ source: { value } }) {
      if (/code\/languages\/(?!shared\/)\w+\//.test(value)) found.push(`import from '${value}'`);
    },
  }).visit(program);
  return found;
}
