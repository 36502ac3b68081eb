import { maskCode, splitArguments } from './mask-code.ts';
import { assertionsIn } from './python-assertions.ts';
import { bodyOf, type Statement, statementsOf } from './python-statements.ts';
import { pythonBindings } from './rebound-names.ts';
import type { TestCase, TestFile } from './test-case.ts';

const skipMark = /^@.*\b(skip|xfail|expectedFailure|ignore)\b/;
const skipMarkSometimes = /^@.*\b(skipif|skipIf|skipUnless)\b/;
const skipCall =
  /^(pytest\.(skip|xfail|importorskip)|self\.skipTest|raise (unittest\.)?SkipTest|raise pytest\.skip)\b/;

export function readPythonTests(path: string, text: string): TestFile {
  const statements = statementsOf(text);
  const cases: TestCase[] = [];
  const scopes: Scope[] = [];
  const bases = basesIn(statements);
  let decorators: Statement[] = [];
  const inTests = new Set<Statement>();
  statements.forEach((statement, index) => {
    while (scopes.length > 0 && (scopes.at(-1)?.indent ?? 0) >= statement.indent) scopes.pop();
    if (statement.masked.startsWith('@')) {
      decorators.push(statement);
      return;
    }
    const around = [...scopes];
    const scope = scopeOf(statement, decorators, bases);
    if (scope) scopes.push(scope);
    const name = /^(?:async\s+)?def\s+(test\w*)\s*\(/.exec(statement.masked)?.[1];
    if (name !== undefined) {
      const body = bodyOf(statements, index);
      for (const each of body) inTests.add(each);
      const marks = [...around.flatMap((each) => each.decorators), ...decorators];
      const id = [...around.flatMap((each) => each.name ?? []), name].join('.');
      cases.push(hidden(caseOf(id, statement, marks, body), around));
    }
    decorators = [];
  });
  const outside = statements.filter((statement) => !inTests.has(statement));
  const helpers = assertionsIn(outside.filter(({ masked }) => !/^(def|class|async|@)/.test(masked)));
  const source = outside.map(({ text: each }) => each).join('\n');
  const hooks = outside.filter(({ masked }) => !masked.startsWith('@')).map(({ text: each }) => each);
  const parts = [
    ...cases.map((each) => ({ patches: each.source, calls: each.source })),
    // A patch outside the tests applies to all of them.
    { patches: hooks.join('\n'), calls: text },
  ];
  return {
    cases: [
      ...cases,
      {
        ...plain,
        id: '',
        line: 1,
        source,
        assertions: helpers,
      },
    ],
    skippedBy: fileSkip(outside),
    bindings: pythonBindings(path, text, maskCode(text, 'python'), parts),
  };
}

/** What encloses a test: a class, another function, a condition. */
interface Scope {
  readonly indent: number;
  /** Becomes part of the names of its tests. */
  readonly name: string | null;
  readonly decorators: readonly Statement[];
  /** Why no runner finds tests in it; empty if one does. */
  readonly never: string;
  readonly sometimes: string;
}

function scopeOf(
  { indent, masked, text }: Statement,
  decorators: readonly Statement[],
  bases: ReadonlySet<string>,
): Scope | null {
  const told = { indent, decorators, never: '', sometimes: '' };
  const [, name, parents = ''] = /^class\s+(\w+)\s*(\([\s\S]*\))?/.exec(masked) ?? [];
  if (name !== undefined) {
    const isCollected = /^Test/.test(name) || /\w(Test|Case)\b|\bTestCase\b/.test(parents) || bases.has(name);
    return { ...told, name, never: isCollected ? '' : `class ${name} is not collected` };
  }
  const outer = /^(?:async\s+)?def\s+(\w+)/.exec(masked)?.[1];
  if (outer !== undefined) return { ...told, name: null, never: `it is in function ${outer}` };
  if (/^(?:el)?if\s+(False|0|not True)\s*:/.test(masked)) return { ...told, name: null, never: text };
  return /^((?:el)?if\b|else\s*:)/.test(masked) ? { ...told, name: null, sometimes: text } : null;
}

/** Classes that other classes of the file extend: their tests run there. */
function basesIn(statements: readonly Statement[]): ReadonlySet<string> {
  return new Set(
    statements.flatMap(({ masked }) => /^class\s+\w+\s*\(([\s\S]*)\)/.exec(masked)?.[1]?.match(/\w+/g) ?? []),
  );
}

function hidden(test: TestCase, around: readonly Scope[]): TestCase {
  const never = around.find((each) => each.never !== '')?.never;
  const sometimes = around.find((each) => each.sometimes !== '')?.sometimes;
  if (never === undefined && (sometimes === undefined || test.runs !== 'always')) return test;
  return {
    ...test,
    runs: never === undefined ? 'sometimes' : 'never',
    skippedBy: (never ?? sometimes ?? '').split('\n')[0] ?? '',
  };
}

const plain = {
  runs: 'always',
  skippedBy: '',
  focused: false,
  rows: null,
  timeoutMs: null,
  retries: 0,
} as const;

function fileSkip(statements: readonly Statement[]): string {
  const found = statements.find(
    ({ indent, masked }) =>
      (indent === 0 && /^pytestmark\s*=.*\b(skip|xfail)/.test(masked)) ||
      (indent === 0 && /^pytest\.skip\b/.test(masked)) ||
      /^__test__\s*=\s*False\b/.test(masked),
  );
  return found ? (found.masked.split(/[(\s=]/)[0] ?? '') : '';
}

function caseOf(
  id: string,
  head: Statement,
  marks: readonly Statement[],
  body: readonly Statement[],
): TestCase {
  const mark = marks.find(({ masked }) => skipMark.test(masked) && !skipMarkSometimes.test(masked));
  const first = body.findIndex(({ masked }) => skipCall.test(masked));
  const bodySkip = first < 0 ? undefined : body[first];
  const isWhole = bodySkip !== undefined && bodySkip.indent === body[0]?.indent;
  const maybe =
    marks.find(({ masked }) => skipMarkSometimes.test(masked)) ?? (isWhole ? undefined : bodySkip);
  const never = mark ?? (isWhole ? bodySkip : undefined);
  const all = marks.map((each) => each.text).join('\n');
  const timeout = /@pytest\.mark\.timeout\((?:timeout=)?([\d.]+)/.exec(all)?.[1];
  const retries = /@(?:pytest\.mark\.)?flaky\b(?:\([^)]*?(?:reruns|max_runs)\s*=\s*(\d+))?/.exec(all);
  return {
    id,
    line: head.line,
    runs: never ? 'never' : maybe ? 'sometimes' : 'always',
    skippedBy: (never ?? maybe)?.masked.split('(')[0]?.trim() ?? '',
    focused: false,
    source: [...marks, head, ...body].map(({ text }) => text).join('\n'),
    assertions: assertionsIn(body),
    rows: rowsOf(marks),
    timeoutMs: timeout === undefined ? null : Number(timeout) * 1000,
    retries: retries ? Number(retries[1] ?? 1) : 0,
  };
}

function rowsOf(marks: readonly Statement[]): number | null {
  const counts = marks.flatMap(({ text, masked }) => {
    if (!/\bparametrize\b/.test(masked)) return [];
    const open = masked.indexOf('(');
    const args = splitArguments(text.slice(open + 1, -1), masked.slice(open + 1, -1));
    const table = args[1] ?? '';
    if (!/^[[(]/.test(table)) return [];
    const inner = table.slice(1, -1);
    return [splitArguments(inner, maskCode(inner, 'python')).length];
  });
  return counts.length === 0 ? null : counts.reduce((product, count) => product * count, 1);
}
