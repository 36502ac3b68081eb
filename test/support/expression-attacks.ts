/** A part of a regular expression: enough of the grammar to write texts that reach it. */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** One character of a class, `\w`, `[^"]`, `.`. */
  | { readonly kind: 'letter'; readonly source: string }
  /** `a|b`, in brackets or not; lookahead and lookbehind consume nothing. */
  | { readonly kind: 'group'; readonly choices: readonly (readonly Part[])[]; readonly isTaken: boolean }
  | { readonly kind: 'repeated'; readonly part: Part; readonly least: number };

/** Characters that many classes share: if two repeated parts can match the same character, it is one of these. */
const favourites = [
  'a',
  '0',
  ' ',
  '_',
  '-',
  '.',
  '/',
  '\n',
  '"',
  "'",
  ',',
  '\\',
  '=',
  '(',
  '<',
  '*',
  '#',
  'A',
  '`',
  ':',
];

/**
 * Prefixes and what is repeated after them: for each repeated part a text that leads up to it and one that it matches, and
 * the words that the expression contains, in any order.
 */
export function attacksOn(pattern: RegExp): [string, string][] {
  const choices = parse(pattern.source);
  const led = favourites.flatMap((letter) => leads(choices, { letter, flags: pattern.flags }));
  const all = new Map([...led, ...ofWords(pattern)].map((attack) => [JSON.stringify(attack), attack]));
  return [...all.values()];
}

function ofWords({ source }: RegExp): [string, string][] {
  const words = source.replace(/\\[a-zA-Z]/g, ' ').match(/[A-Za-z0-9_]{2,}|[^A-Za-z0-9_\s\\^$]/g) ?? [];
  const own = [...new Set(words)].slice(0, 10);
  const common = [' ', 'a', '0', '\n', 'a ', ' a', 'a.', 'a,', '\t'];
  const units = [...common, ...own, ...own.map((word) => `${word} `), ...own.map((word) => `${word}a`)];
  return ['', ...own.slice(0, 4)].flatMap((start) => units.map((unit): [string, string] => [start, unit]));
}

interface Taste {
  /** Used wherever it fits. */
  readonly letter: string;
  readonly flags: string;
}

function leads(choices: readonly (readonly Part[])[], taste: Taste): [string, string][] {
  return choices.flatMap((parts) => {
    const found: [string, string][] = [];
    let before = '';
    for (const part of parts) {
      const inner = part.kind === 'repeated' ? part.part : part;
      if (part.kind === 'repeated') found.push([before, textOf(inner, taste)]);
      if (inner.kind === 'group')
        for (const [start, unit] of leads(inner.choices, taste)) found.push([before + start, unit]);
      before += textOf(part, taste);
    }
    const again = found.map(([start, unit]): [string, string] => ['', start + unit]);
    return [...found, ...again].filter(([, unit]) => unit !== '');
  });
}

/** One text that a part matches; the first of several alternatives. */
function textOf(part: Part, taste: Taste): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'letter':
      return letterOf(part.source, taste);
    case 'group':
      return part.isTaken ? (part.choices[0] ?? []).map((each) => textOf(each, taste)).join('') : '';
    case 'repeated':
      return textOf(part.part, taste).repeat(part.least);
  }
}

function letterOf(source: string, { letter, flags }: Taste): string {
  const fits = new RegExp(`^(?:${source})$`, flags.replace(/[gym]/g, ''));
  const others = Array.from({ length: 96 }, (_, code) => String.fromCharCode(code + 31));
  return [letter, ...favourites, ...others, '\t', 'é'].find((each) => fits.test(each)) ?? '';
}

function parse(source: string): Part[][] {
  let at = 0;
  const choices = parseChoices();
  return choices;

  function parseChoices(): Part[][] {
    const found: Part[][] = [[]];
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at++;
        found.push([]);
      } else found.at(-1)?.push(parseRepeated());
    }
    return found;
  }

  function parseRepeated(): Part {
    const part = parsePart();
    const [quantifier = ''] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(source.slice(at)) ?? [];
    at += quantifier.length;
    const least =
      quantifier[0] === '{' ? Number.parseInt(quantifier.slice(1), 10) : quantifier[0] === '+' ? 1 : 0;
    return quantifier === '' ? part : { kind: 'repeated', part, least };
  }

  function take(pattern: RegExp): string {
    const [text = ''] = pattern.exec(source.slice(at)) ?? [];
    at += text.length;
    return text;
  }

  function parsePart(): Part {
    if (source[at] === '(') {
      const opening = take(/^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/);
      const inner = parseChoices();
      at++;
      return { kind: 'group', choices: inner, isTaken: !/^\(\?<?[=!]/.test(opening) };
    }
    if (source[at] === '[') return { kind: 'letter', source: take(/^\[(?:\\[\s\S]|[^\]\\])*\]/) };
    if (source[at] === '.') return { kind: 'letter', source: take(/^./) };
    if (source[at] === '^' || source[at] === '$') {
      at++;
      return { kind: 'text', text: '' };
    }
    if (source[at] !== '\\') return { kind: 'text', text: source[at++] ?? '' };
    const escaped = take(
      /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Z]|k<\w+>|\d+|[\s\S])/,
    );
    // A back reference matches its group again; a word boundary consumes nothing.
    if (/^\\(?:[bB]|k|[1-9])/.test(escaped)) return { kind: 'text', text: '' };
    return { kind: 'letter', source: escaped };
  }
}
