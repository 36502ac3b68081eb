import { posix } from 'node:path';

/**
 * A `go.mod` reduced to the modules it names. A module in a folder outside the repository is left out: a compiler error would show
 * constants from there. `folder`: the folder of the file.
 */
export function reducedGoMod(text: string, folder: string): string {
  const all = directivesIn(text);
  const outside = new Set(
    all.flatMap(([verb, name]) => (verb === 'replace' && name !== undefined ? [name] : [])),
  );
  const taken = all.filter(([verb = '', ...rest]) => isHarmless(verb, rest, folder));
  for (const [verb, name] of taken) if (verb === 'replace' && name !== undefined) outside.delete(name);
  return taken
    .filter(([verb, name = '']) => verb !== 'require' || !outside.has(name))
    .map(([verb = '', ...rest]) => `${[verb, ...rest.map(quoted)].join(' ')}\n`)
    .join('');
}

/** `require (a v1)` in several lines is `require a v1`. */
function directivesIn(text: string): string[][] {
  const found: string[][] = [];
  let block: string | null = null;
  for (const row of text.split('\n')) {
    const words = wordsOf(row);
    const [first = '', second] = words;
    if (first === ')') block = null;
    else if (block === null && second === '(') block = first;
    else if (words.length > 0) found.push(block === null ? words : [block, ...words]);
  }
  return found;
}

/** `replace "a" => ../a // why` → `replace`, `a`, `=>`, `../a`. As Go reads it: only a line feed ends a line. */
function wordsOf(row: string): string[] {
  const words = row.matchAll(/\/\/.*|"((?:[^"\\]|\\.)*)"|`([^`]*)`|(=>|[(),])|((?:(?!\/\/|=>)[^\s"`(),])+)/g);
  return [...words].flatMap(([, quoted_, raw, sign, plain]) => {
    const word = quoted_ ?? raw ?? sign ?? plain;
    return word === undefined ? [] : [word];
  });
}

function isHarmless(verb: string, rest: readonly string[], folder: string): boolean {
  if (rest.some((word) => /[\p{Cc}\\"`]/u.test(word))) return false;
  if (verb !== 'replace') return ['module', 'go', 'require', 'exclude'].includes(verb);
  const [target = '', version] = rest.slice(rest.indexOf('=>') + 1);
  const isModule = version !== undefined && !/^[./]/.test(target);
  return isModule || (/^\.\.?(\/|$)/.test(target) && !/^\.\.(\/|$)/.test(posix.join(folder, target)));
}

/** Versions of the language must not be quoted; most words need not. */
function quoted(word: string): string {
  return /^(?:=>|[\w.~/+-]+)$/.test(word) ? word : JSON.stringify(word);
}
