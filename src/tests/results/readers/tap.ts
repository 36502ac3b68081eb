import { distinct, type TestReader } from './reading.ts';

const point = /^( *)(not )?ok (\d+)(?: -)?(?: (.*))?$/;
const footer = /^# (pass|fail|cancelled|skip|skipped|todo) +(\d+)$/;

interface Leaf {
  readonly isOk: boolean;
  readonly directive: string;
  readonly name: string;
}

/** TAP 13 and 14, with subtests as node, tap and vitest write them. Only leaves are tests; closing totals win. */
export const tap: TestReader = {
  name: 'tap',
  read(lines) {
    const hasPlan = lines.some((line) => /^TAP version 1[34]$/.test(line) || /^1\.\.\d+/.test(line));
    if (!hasPlan) return null;
    const { leaves, used, totals } = walk(lines);
    const isEmpty = lines.some((line) => /^1\.\.0\b/.test(line));
    if (leaves.length === 0 && !isEmpty && !lines.some((line) => line.startsWith('Bail out!'))) return null;
    const count = (test: (leaf: Leaf) => boolean) => leaves.filter(test).length;
    const isFailure = (leaf: Leaf) => !leaf.isOk && leaf.directive !== 'TODO';
    const isSkipped = (leaf: Leaf) => leaf.directive !== '' && !isFailure(leaf);
    const total = (...keys: string[]) => keys.reduce((sum, key) => sum + (totals.get(key) ?? 0), 0);
    const bails = lines.filter((line) => line.startsWith('Bail out!'));
    const hasTotals = totals.has('pass');
    const hasSkips = totals.has('skip') || totals.has('skipped');
    return {
      passed: hasTotals ? total('pass') : count((leaf) => leaf.isOk && !isSkipped(leaf)),
      failed: (hasTotals ? total('fail', 'cancelled') : count(isFailure)) + bails.length,
      skipped: hasSkips ? total('skip', 'skipped', 'todo') : count(isSkipped),
      failing: distinct([...leaves.filter(isFailure).map(({ name }) => name), ...bails]),
      passing: leaves.filter((leaf) => leaf.isOk && !isSkipped(leaf)).map(({ name }) => name),
      used,
    };
  },
};

function walk(lines: readonly string[]) {
  const used: number[] = [];
  const leaves: Leaf[] = [];
  const totals = new Map<string, number>();
  const above: { indent: number; name: string }[] = [];
  let isInYaml = false;
  let previous = 0;
  const enter = (indent: number, name: string) => {
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop();
    above.push({ indent, name });
  };
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (isInYaml || /^\s+---$/.test(line)) {
      isInYaml = text !== '...';
      used.push(index);
      continue;
    }
    const [, key, number] = footer.exec(line) ?? [];
    if (key !== undefined) totals.set(key, (totals.get(key) ?? 0) + Number(number));
    const subtest = /^( *)# Subtest: (.*)$/.exec(line);
    if (subtest) enter(subtest[1]?.length ?? 0, subtest[2] ?? '');
    if (/^ *\}$/.test(line)) previous = line.indexOf('}');
    const match = point.exec(line);
    if (match) {
      const indent = match[1]?.length ?? 0;
      const { name, directive, opens } = describe(match[4] ?? '');
      const isParent = opens || previous > indent;
      const path = above.filter((each) => each.indent < indent).map((each) => each.name);
      if (opens) enter(indent, name);
      if (!isParent)
        leaves.push({ isOk: match[2] === undefined, directive, name: [...path, name].join(' > ') });
      previous = indent;
    }
    if (match || /^(TAP version|\s*1\.\.\d+|\s*#|Bail out!|\s*\}$)/.test(line)) used.push(index);
  }
  return { leaves, used, totals };
}

function describe(text: string): { name: string; directive: string; opens: boolean } {
  const opens = /\{$/.test(text);
  const plain = text.replace(/(?<!\s)\s*\{$/, '').replace(/ # time=[\d.]+m?s$/, '');
  const [, name = plain, directive = ''] = /^(.*?) ?# (SKIP|TODO)\b.*$/i.exec(plain) ?? [];
  return { name: name.trim(), directive: directive.toUpperCase(), opens };
}
