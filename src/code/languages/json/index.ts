import type { ParseError } from 'jsonc-parser';
import type { Definition, DuplicateKey, Facts, SyntaxProblem } from '#code/facts/facts.ts';
import type { Language } from '#code/facts/language.ts';
import { data } from '#code/languages/data/dialect.ts';
import type { LanguageEntry } from '#code/languages/dialect.ts';
import { dataFacts, keyDefinition, wholeFile } from '#code/languages/shared/data-facts.ts';
import { inReadingOrder, KeyOccurrences } from '#code/languages/shared/key-occurrences.ts';

type JsoncParser = typeof import('jsonc-parser');

let jsonc: JsoncParser | undefined;

/** JSON with comments and trailing commas: many tools allow them, and strict JSON would report errors everywhere. */
export const json: Language = {
  id: 'json',
  version: 3,
  async prepare() {
    jsonc ??= await import('jsonc-parser');
  },
  extract(text) {
    if (jsonc === undefined) throw new Error('prepare() of the language json must come before extract()');
    return extractJson(jsonc, text);
  },
  values: (text) => (jsonc === undefined || firstTooDeep(text) !== null ? null : jsonValues(jsonc, text)),
};

function jsonValues({ parse }: JsoncParser, text: string): unknown[] | null {
  const problems: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\ufeff/, ''), problems, { allowTrailingComma: true });
  return problems.length > 0 ? null : [value];
}

const jsonNames =
  /(?:\.(?:json|jsonc|code-workspace|webmanifest)|(?:^|\/)\.(?:babelrc|eslintrc|jshintrc|swcrc))$/i;

export function isJsonPath(path: string): boolean {
  return jsonNames.test(path);
}

export const jsonEntry: LanguageEntry = { language: json, dialect: data, endings: [], reads: isJsonPath };

/** The visitor recurses, so a counter limits the depth, not the remaining stack. */
const maxDepth = 1_000;

/** Code reads few levels of an imported file; a file with more keys is data, not constants. */
const maxLevels = 4;
const maxKeys = 2_000;

/** An object or array that is being read. */
interface Container {
  /** Key in the parent, or index. */
  readonly name: string;
  readonly keys: KeyOccurrences | null;
  /** The key or index whose value comes next. */
  next: string;
  index: number;
}

function extractJson({ visit, printParseErrorCode }: JsoncParser, source: string): Facts {
  const text = source.startsWith('\ufeff') ? ` ${source.slice(1)}` : source;
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== null) return dataFacts([], tooDeep);
  const found: DuplicateKey[] = [];
  const open: Container[] = [];
  const keys: Definition[] = [];
  let problem: SyntaxProblem | null = null;

  const define = (line: number, holdsKeys: boolean) => {
    const container = open.at(-1);
    if (keys.length > maxKeys || open.length > maxLevels || open.some((each) => each.keys === null)) return;
    const [, ...path] = open.map(({ name }) => name);
    if (container === undefined) keys.push(keyDefinition(wholeFile, null, line, holdsKeys));
    else keys.push(keyDefinition(container.next, [wholeFile, ...path].join('.'), line, holdsKeys));
  };
  const begin = (occurrences: KeyOccurrences | null, line: number) => {
    define(line, occurrences !== null && open.length < maxLevels);
    open.push({ name: enterValue(open), keys: occurrences, next: '', index: 0 });
  };
  const end = () => {
    const path = open.slice(1).map(({ name }) => name);
    open.pop()?.keys?.addDuplicates(found, path);
  };
  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line) => begin(new KeyOccurrences(), line + 1),
      onObjectProperty: (property, _offset, _length, line) => {
        const container = open.at(-1);
        if (container === undefined) return;
        container.next = property;
        container.keys?.add(property, line + 1);
      },
      onObjectEnd: end,
      onArrayBegin: (_offset, _length, line) => begin(null, line + 1),
      onArrayEnd: end,
      onLiteralValue: (_value, _offset, _length, line) => {
        define(line + 1, false);
        enterValue(open);
      },
      onError: (code, _offset, _length, line, column) => {
        problem ??= { line: line + 1, column: column + 1, message: printParseErrorCode(code) };
      },
    },
    { allowTrailingComma: true },
  );
  return dataFacts(inReadingOrder(found), problem, keys.length > maxKeys ? [] : keys);
}

/** Name of the value that starts now in the innermost container. */
function enterValue(open: readonly Container[]): string {
  const container = open.at(-1);
  if (container === undefined) return '';
  return container.keys === null ? String(container.index++) : container.next;
}

function firstTooDeep(text: string): SyntaxProblem | null {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '/') at = endOfComment(text, at);
    else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') depth--;
    if (depth > maxDepth) {
      const before = text.slice(0, at).split('\n');
      return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message: 'nested too deeply' };
    }
  }
  return null;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"' || text[at] === '\n') return at;
  }
  return text.length;
}

function endOfComment(text: string, start: number): number {
  const close = text[start + 1] === '/' ? '\n' : text[start + 1] === '*' ? '*/' : null;
  if (close === null) return start;
  const end = text.indexOf(close, start + 2);
  return end === -1 ? text.length : end + close.length - 1;
}
