import type { CST, Document, Node } from 'yaml';
import type { DuplicateKey, Facts, SyntaxProblem } from '#code/facts/facts.ts';
import type { Language } from '#code/facts/language.ts';
import { data } from '#code/languages/data/dialect.ts';
import type { LanguageEntry } from '#code/languages/dialect.ts';
import { dataFacts } from '#code/languages/shared/data-facts.ts';
import { inReadingOrder, KeyOccurrences } from '#code/languages/shared/key-occurrences.ts';

type Yaml = typeof import('yaml');

let yamlPackage: Yaml | undefined;

/** All documents of a YAML stream; tags and anchors mean nothing here. */
export const yaml: Language = {
  id: 'yaml',
  version: 2,
  async prepare() {
    yamlPackage ??= await import('yaml');
  },
  extract(text) {
    if (yamlPackage === undefined)
      throw new Error('prepare() of the language yaml must come before extract()');
    return extractYaml(yamlPackage, text);
  },
  values: (text) => (yamlPackage === undefined ? null : yamlValues(yamlPackage, text)),
};

function yamlValues(parser: Yaml, text: string): unknown[] | null {
  if (extractYaml(parser, text).syntaxError !== null) return null;
  try {
    const documents = parser.parseAllDocuments(text, { logLevel: 'silent' });
    if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return null;
    return documents.map((document) => document.toJS() as unknown);
  } catch {
    // Endless aliases throw an error.
    return null;
  }
}

export function isYamlPath(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

export const yamlEntry: LanguageEntry = { language: yaml, dialect: data, endings: [], reads: isYamlPath };

/** Beyond this the parser could run out of memory, which cannot be caught. */
const maxLength = 16 * 1024 * 1024;

/** Composing recurses, so a counter limits the depth, not the remaining stack. */
const maxDepth = 500;

function extractYaml(yamlParser: Yaml, text: string): Facts {
  if (text.length > maxLength) return dataFacts([], { line: 1, column: 1, message: 'too large to parse' });
  const lines = new yamlParser.LineCounter();
  const tokens = [...new yamlParser.Parser(lines.addNewLine).parse(text)];
  const place = (offset: number, message: string): SyntaxProblem => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), message };
  };
  const tooDeep = firstTooDeep(tokens);
  if (tooDeep !== null) return dataFacts([], place(tooDeep, 'nested too deeply'));

  const composer = new yamlParser.Composer({ uniqueKeys: false, logLevel: 'silent' });
  const found: DuplicateKey[] = [];
  let problem: SyntaxProblem | null = null;
  for (const document of composer.compose(tokens, false, text.length)) {
    const [error] = document.errors;
    if (error !== undefined) problem ??= place(error.pos[0], firstLine(error.message));
    addDuplicates(found, yamlParser, document, (offset) => lines.linePos(offset).line);
  }
  return dataFacts(inReadingOrder(found), problem);
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}

/** Offset of the first token below the depth limit. Walks the tree of tokens level by level, without recursion. */
function firstTooDeep(tokens: readonly CST.Token[]): number | null {
  let level: readonly CST.Token[] = tokens;
  for (let depth = 0; level.length > 0; depth++) {
    const [first] = level;
    if (depth > maxDepth && first !== undefined) return 'offset' in first ? first.offset : 0;
    level = level.flatMap(tokensBelow);
  }
  return null;
}

function tokensBelow(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  const below: CST.Token[] = [];
  for (const item of token.items) {
    if ('key' in item && item.key) below.push(item.key);
    if (item.value) below.push(item.value);
  }
  return below;
}

function addDuplicates(
  found: DuplicateKey[],
  yamlParser: Yaml,
  document: Document.Parsed,
  lineAt: (offset: number) => number,
): void {
  const { isMap, isScalar, isSeq } = yamlParser;
  const pending: { node: unknown; path: readonly string[] }[] = [{ node: document.contents, path: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next;
    if (isSeq(node)) {
      node.items.forEach((item, index) => {
        pending.push({ node: item, path: [...path, String(index)] });
      });
    }
    if (!isMap(node)) continue;
    const keys = new KeyOccurrences();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? keyName(key.value) : '?';
      // Several merges into one map are common.
      if (isScalar(key) && name !== '<<') keys.add(name, lineAt(startOf(key)));
      pending.push({ node: value, path: [...path, name] });
      if (!isScalar(key)) pending.push({ node: key, path: [...path, name] });
    }
    keys.addDuplicates(found, path);
  }
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** `1` and `"1"` are different keys. */
function keyName(value: unknown): string {
  if (typeof value === 'string')
    return /^(?:[\d.+-]|true$|false$|null$|~$|$)/.test(value) ? `"${value}"` : value;
  return String(value);
}
