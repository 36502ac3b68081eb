import { spelled } from '#tests/code/test-case.ts';

const ticked = /^( *)[✓✔√] (.+?)(?: \(?[\d.]+ ?m?s\)?)?$/;
const wholeFile = /^ *[✓✔√] .* \(\d+ tests?(?: \| [^()]*)?\)(?: [\d.]+ ?m?s)?$/;
const heading = /^( *)(?:▶ )?(\S.*)$/;
const named: readonly RegExp[] = [
  /^(?=\S+::\S)(\S.*?) PASSED(?: +\[ *\d+%\])?$/,
  /^(?:\[gw\d+\] \[ *\d+%\] )?PASSED (\S+::\S.*)$/,
  /^(\w+ \([\w.]+\))(?: \.\.\.|.* \.\.\.) ok$/,
  /^test (\S.*?)(?: - should panic)? \.\.\. ok$/,
  /^\s*PASS \[[^\]]*\] (?:\([^)]*\) )?(.+)$/,
  /^\s*--- PASS: (\S+) \([\d.]+s\)$/,
];

/** Names of passed tests in output for people, with the suites above them. */
export function passedNames(lines: readonly string[]): string[] {
  const above: { indent: number; name: string }[] = [];
  const names: string[] = [];
  for (const line of lines) {
    const listed = named.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined);
    if (listed !== undefined) {
      names.push(listed);
      continue;
    }
    // Vitest ticks whole files if it does not list their tests.
    const [, space = '', title] = (wholeFile.test(line) ? null : ticked.exec(line)) ?? [];
    const [, indent = '', text = ''] = heading.exec(line) ?? [];
    const depth = title === undefined ? indent.length : space.length;
    while ((above.at(-1)?.indent ?? -1) > depth || (above.at(-1)?.indent === depth && title === undefined))
      above.pop();
    if (title === undefined) {
      if (text !== '') above.push({ indent: depth, name: text });
      continue;
    }
    // node:test also ticks a suite, after its tests and under its own name.
    const own = above.at(-1);
    if (own?.indent === depth && own.name === title) above.pop();
    else
      names.push([...above.filter((each) => each.indent < depth).map(({ name }) => name), title].join(' > '));
  }
  return names;
}

/** The last part of a name, which stays the same when a test moves to another file or suite. */
export function titleOf(name: string): string {
  const last = name.split(/ > | › /).at(-1) ?? name;
  return last
    .replace(/~\d+$/, '')
    .replace(/^(\w+) \([\w.]+\)$/, '$1')
    .replace(/^[^[]*::/, '');
}

/**
 * Whether a printed name ends with the title of a test. Titles may have placeholders for the values of a row; Go puts
 * subtests after a slash.
 */
export function hasTitle(name: string, title: string): boolean {
  // A title read from code has normalized spelling, without spaces around punctuation: `adds, then saves`.
  return (
    endsWithTitle(name, title) || endsWithTitle(spelled(name), spelled(title)) || isMethodOf(name, title)
  );
}

const method = /^\w+(?:\.\w+)*\.(test\w*)$/;

/**
 * Whether a printed name is that of a method in Python code, `Cart.test_adds`. pytest prints `Cart::test_adds`, its JUnit file has
 * `test_cart.Cart > test_adds`, and unittest prints `test_adds (test_cart.Cart)`, since Python 3.11 with the method after the class.
 */
function isMethodOf(name: string, title: string): boolean {
  const own = method.exec(title)?.[1];
  if (own === undefined) return false;
  const [, printed, within = ''] = /^(\w+) \(([\w.]{1,500})\)/.exec(name) ?? [];
  if (printed !== undefined) {
    const whole = within.endsWith(`.${printed}`) ? within : `${within}.${printed}`;
    return `.${whole}`.endsWith(`.${title}`);
  }
  return [name, ...withoutRow(name)].some((each) =>
    `.${each.replaceAll(/::| > /g, '.')}`.endsWith(`.${title}`),
  );
}

function endsWithTitle(name: string, title: string): boolean {
  const parts = title.split(/%[a-zA-Z#%]|\$\{[^}]{0,200}\}|\$[\w.]{1,200}/);
  const plain = name.replace(/~\d{1,9}$/, '').replace(/ \([\w.]{1,500}\)$/, '');
  const subtest = /^(Test|Fuzz|Example)/.test(title)
    ? plain.indexOf('/', plain.lastIndexOf(parts[0] ?? ''))
    : -1;
  const endings = [name, plain, ...withoutRow(plain), ...(subtest < 0 ? [] : [plain.slice(0, subtest)])];
  return endings.some((each) => endsWithParts(each, parts));
}

/** Row values are in brackets at the end, and may contain brackets themselves. */
function withoutRow(name: string): string[] {
  if (!name.endsWith(']')) return [];
  const found: string[] = [];
  for (let at = name.indexOf('['); at >= 0 && found.length < mostBrackets; at = name.indexOf('[', at + 1))
    found.push(name.slice(0, at));
  return found;
}

const mostBrackets = 20;
const boundary = /[\s>›:/]/;

/** The parts in order with anything between them: the last at the end, the first after a boundary. */
function endsWithParts(name: string, parts: readonly string[]): boolean {
  const last = parts.at(-1) ?? '';
  if (!name.endsWith(last)) return false;
  let at = name.length - last.length;
  for (const part of parts.slice(1, -1).reverse()) {
    at = part === '' ? at : at < part.length ? -1 : name.lastIndexOf(part, at - part.length);
    if (at < 0) return false;
  }
  const [first = ''] = parts;
  if (parts.length === 1) return at === 0 || boundary.test(name[at - 1] ?? '');
  for (let start = at - first.length; start >= 0; start--) {
    start = name.lastIndexOf(first, start);
    if (start < 0) return false;
    if (start === 0 || boundary.test(name[start - 1] ?? '')) return true;
  }
  return false;
}
