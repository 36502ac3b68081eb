import { partsOf, within } from '#contract/read/balanced.ts';
import type { Parameter } from '#contract/shapes.ts';

/** A name in a contract with its types: `login(email: string): Session`, `id: int`. */
export interface StatedName {
  readonly name: string;
  readonly type: string | null;
  /** Null: the contract does not mention parameters. */
  readonly parameters: readonly Parameter[] | null;
}

export function statedName(written: string): StatedName {
  const open = written.indexOf('(');
  const colon = written.indexOf(':');
  if (open > 0 && (colon < 0 || open < colon)) {
    const inside = within(written, open);
    if (inside !== null) {
      const rest = written.slice(open + inside.length + 2);
      return {
        name: bareName(written.slice(0, open)),
        type: /^\s*(?::|->)\s*(.+)$/.exec(rest)?.[1]?.trim() ?? null,
        parameters: parametersIn(inside).flatMap(parameter),
      };
    }
  }
  return colon > 0
    ? {
        name: bareName(written.slice(0, colon)),
        type: written.slice(colon + 1).trim() || null,
        parameters: null,
      }
    : { name: bareName(written), type: null, parameters: null };
}

/** A comma between `<` and `>` is part of a type: `data: Record<string, number>`. */
function parametersIn(inside: string): string[] {
  const whole: string[] = [];
  let open = 0;
  for (const { text } of partsOf(inside, 1)) {
    if (open > 0) whole.push(`${whole.pop()}, ${text}`);
    else whole.push(text);
    open += text.split('<').length - text.replaceAll('=>', '').split('>').length;
  }
  return whole;
}

/** Without keywords of a language: `async def login` is `login`. */
function bareName(text: string): string {
  return text
    .trim()
    .replace(/^(?:(?:export|async|def|function|const)\s+)+/, '')
    .replace(/\?$/, '');
}

function parameter(text: string): Parameter[] {
  if (text === '*' || text === '/' || text === 'self' || text === 'cls') return [];
  // `=>` is part of a type.
  const equals = text.search(/=(?!>)/);
  const declared = equals < 0 ? text : text.slice(0, equals);
  const [written = '', ...type] = declared.split(':').map((part) => part.trim());
  const isRequired = equals < 0 && !written.endsWith('?') && !written.startsWith('...');
  return [
    {
      name: written.replace(/\?$/, '').trimEnd(),
      type: type.length === 0 ? null : type.join(': '),
      isRequired,
    },
  ];
}

/** `Promise< User >` and `Promise<User>` are the same type; so are `'a' | 'b'` and `"a"|"b"`. */
export function sameType(a: string, b: string): boolean {
  return plainType(a) === plainType(b);
}

function plainType(type: string): string {
  return type.replace(/\s+/g, '').replace(/["']/g, '').replace(/[;,]$/, '');
}
