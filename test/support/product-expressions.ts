import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { syntaxOf } from '#code/languages/typescript/parse-text.ts';
import { Kind } from '#code/languages/typescript/tree/grammar.ts';

const root = fileURLToPath(new URL('../../src/', import.meta.url));

interface ProductExpression {
  /** `lib/redact.ts:27`. */
  readonly where: string;
  readonly pattern: RegExp;
}

/** Every regular expression of the product with a repetition: branches, agents and programs write the texts they match. */
export async function productExpressions(): Promise<ProductExpression[]> {
  const found: ProductExpression[] = [];
  for (const file of globSync('**/*.ts', { cwd: root }).sort()) {
    if (/\.(test|d)\.ts$/.test(file)) continue;
    const text = readFileSync(`${root}${file}`, 'utf8');
    const add = (at: number, source: string, flags: string) => {
      if (!/[*+]|\{\d+,/.test(source)) return;
      const line = text.slice(0, at).split('\n').length;
      found.push({ where: `${file}:${line}`, pattern: new RegExp(source, flags) });
    };
    const tree = await syntaxOf(text, 'ts');
    for (const node of tree?.verbatim ?? []) {
      if (tree === null || tree.kind[node] !== Kind.RegExp) continue;
      const written = text.slice(tree.start[node], tree.end[node]);
      const close = written.lastIndexOf('/');
      add(tree.start[node] ?? 0, written.slice(1, close), written.slice(close + 1));
    }
    for (const made of text.matchAll(/new RegExp\(\s*((?:String\.raw)?`[^`]*`)(?:,\s*'([a-z]+)')?,?\s*\)/g))
      add(made.index, builtFrom(made[1] ?? '', text), made[2] ?? '');
  }
  return found;
}

/** The text of a template: constants of the same file are inserted, any other value becomes a word. */
function builtFrom(template: string, text: string): string {
  const isRaw = template.startsWith('String.raw');
  const filled = template.replace(/\$\{((?:[^{}]|\{[^{}]*\})*)\}/g, (_, inner: string) => {
    const value = constantIn(text, inner) ?? 'word';
    return isRaw ? value : value.replaceAll('\\', '\\\\');
  });
  return isRaw ? filled.slice('String.raw`'.length, -1) : filled.slice(1, -1).replace(/\\(.)/g, '$1');
}

function constantIn(text: string, name: string): string | null {
  const [, regular, raw] =
    new RegExp(`const ${name.replace(/\W/g, '')} = (?:/(.*)/[a-z]*|String\\.raw\`([^\`$]*)\`);`).exec(text) ??
    [];
  return regular ?? raw ?? null;
}
