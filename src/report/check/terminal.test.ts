import { stripVTControlCharacters, styleText } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as samples from '#report/testing/sample-reports.ts';
import { columnsOf } from '#report/text/columns.ts';
import { paintWith, plainPaint } from '#report/text/paint.ts';
import { renderTerminal, type TerminalOptions } from './terminal.ts';

function show({ report, frames }: samples.Sample, options: Partial<TerminalOptions> = {}): string {
  return renderTerminal(report, frames, {
    width: 80,
    paint: plainPaint,
    verbose: false,
    unicode: true,
    ...options,
  });
}

test('a complete report at 80 columns', () => {
  expect(show(samples.renamed())).toMatchInlineSnapshot(`
    "✗ The branches do not fit: 1 blocking finding. Next: change feat/b.
      2 of 3 branches can land now (base main 6d61696e)

    BLOCKING  S02 use-of-renamed-symbol  proven  6c188c33
      getUser is now fetchUser on feat/a; feat/b still uses getUser

      feat/a  src/users.ts:12
        11 │ /** One user, or an error when there is none. */
      > 12 │ export async function fetchUser(id: string): Promise<User> {
           │                       ^^^^^^^^^
        13 │   return get(\`/users/\${id}\`);

      feat/b  src/report.ts:48
        47 │ export async function report(id: string) {
      > 48 │   const user = await getUser(id);
           │                      ^^^^^^^
        49 │   return \`\${user.name} <\${user.email}>\`;

      Owner   feat/b: following a rename is mechanical
      Move    use fetchUser instead of getUser

    Can land now: feat/a, feat/c   Blocked: feat/b (by 6c188c33)
    Next, when feat/b has changed:
      joinery check main feat/a feat/b feat/c
    Next, to land what fits:
      joinery integrate --into main --land feat/a feat/c
    "
  `);
});

test('a report that decides nothing, in ASCII', () => {
  expect(show(samples.undecided(), { unicode: false })).toMatchInlineSnapshot(`
    "? Undecided: 1 finding would break main, and nobody has judged it; 1 thing could
      not be read or run. Next: let your tests decide, or accept what is right: see
      below.
      0 of 3 branches can land now (base main 6d61696e)

    UNDECIDED  S01 use-of-removed-symbol  likely  e50903b6
      parseDate was removed from src/dates.ts on feat/a; feat/b uses it

      feat/a  src/dates.ts:30 (removed)
      - 30 | export function parseDate(text: string): Date {
           |                 ^^^^^^^^^
      - 31 |   return new Date(text);
      - 32 | }

      feat/b  src/import/rows.ts:14
        13 | const created =
      > 14 |   row.at && parseDate(row.at);
           |             ^^^^^^^^^
        15 | if (!created) continue;

      Owner   feat/a: neither move is mechanical; it has the smaller blast radius (1
              dependent against 4)
      Move    keep parseDate, or replace its use

    Inconclusive  src/broken.ts: line 4 does not parse on feat/b: expected ";"

    Blocked: feat/b
    Next, to let your tests on the union decide:
      joinery check main feat/a feat/b feat/c --confirm tests
    "
  `);
});

test('branches that fit', () => {
  expect(show(samples.passing())).toMatchInlineSnapshot(`
    "✓ The 3 branches fit together on main. Next: merge them.
      3 of 3 branches can land now (base main 6d61696e)

    Can land now: feat/a, feat/b, feat/c
    Next, to land what fits:
      joinery integrate --into main --land feat/a feat/b feat/c
    "
  `);
});

describe('verdict', () => {
  test('the first line says whether the branches fit, with counts', () => {
    const first = (sample: samples.Sample) => show(sample).split('\n')[0];
    expect(first(samples.passing())).toContain('fit together on main');
    expect(first(samples.crowded())).toContain('do not fit: 3 blocking findings and 1 important');
    expect(first(samples.undecided())).toContain('Undecided: 1 finding would break main');
  });

  test('the first line counts the branches that have to change if there are many', () => {
    const refs = ['feat/a', 'feat/b', 'feat/c', 'feat/d'];
    const findings = refs.map((owner) => ({ ...samples.finding(), id: owner, owner }));
    const report = samples.report({
      status: 'fail',
      branches: refs.map((ref) => samples.branch(ref)),
      findings,
    });
    const text = show({ report, frames: new Map() }, { width: 120 });
    expect(text).toContain('do not fit: 4 blocking findings. Next: change the 4 blocked branches.');
    expect(text).toContain('Next, when the 4 blocked branches have changed:');
  });

  test('one branch is measured against its base', () => {
    const report = samples.report({ branches: [samples.branch('feat/a')], landable: ['feat/a'] });
    expect(show({ report, frames: new Map() })).toMatch(
      /^✓ feat\/a fits main\. Next: merge it\.\n {2}It can land now/,
    );
  });

  test('work of a worktree has to be committed before it can be merged', () => {
    const report = samples.report({ branches: [samples.branch('../wt')], landable: ['../wt'] });
    expect(show({ report, frames: new Map() })).toContain('../wt fits main. Next: commit and merge it.');
  });

  test('names the branches that were not compared with all others', () => {
    const branches = [
      samples.branch('feat/a', { state: 'conflicted' }),
      samples.branch('feat/b'),
      samples.branch('feat/c'),
    ];
    const union = { tree: null, excluded: ['feat/a', 'feat/b'], conflicts: [] };
    const text = show({ report: samples.report({ branches, union }), frames: new Map() });
    expect(text).toContain('In conflict with main, so compared with it alone: feat/a');
    expect(text).toContain('In conflict with others, so not part of the union of all: feat/b');
    const alone = samples.report({
      branches: branches.slice(0, 1),
      union: { ...union, excluded: ['feat/a'] },
    });
    expect(show({ report: alone, frames: new Map() })).not.toContain('In conflict');
  });

  test('says so if there is nothing to check', () => {
    const report = samples.report({ branches: [samples.branch('feat/a', { state: 'empty' })], landable: [] });
    const text = show({ report, frames: new Map() });
    expect(text).toContain('Nothing to check: no branch changes main');
    expect(text).toContain('Not checked: feat/a (no changes)');
  });
});

describe('findings', () => {
  test('are sorted by severity, then by file', () => {
    const text = show(samples.crowded());
    const order = ['S20 new-provider-mismatch', 'S02 use-of-renamed-symbol', 'S17 duplicate-definition'];
    const places = order.map((title) => text.indexOf(title));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.every((place) => place > 0)).toBe(true);
  });

  test('with one cause are grouped and show the cause once', () => {
    const text = show(samples.crowded());
    expect(text.match(/S02 use-of-renamed-symbol/g)).toHaveLength(1);
    expect(text.match(/export async function fetchUser/g)).toHaveLength(1);
    expect(text).toContain('Same cause: feat/a and feat/b');
  });

  test('list the places after the first few', () => {
    expect(show(samples.crowded())).toContain(
      'and 3 more places: feat/b src/report.ts:60,71, src/jobs/nightly-digest.ts:9',
    );
  });

  test('show removed code with a minus on every line', () => {
    const rows = show(samples.undecided())
      .split('\n')
      .filter((line) => /^ {2}- \d+ │/.test(line));
    expect(rows).toHaveLength(3);
  });

  test('with confidence possible are counted, and shown on request', () => {
    const { report } = samples.renamed();
    const possible = samples.finding({
      rule: 'S06',
      rootCause: 'x',
      confidence: 'possible',
      severity: 'info',
    });
    const sample = { report: { ...report, findings: [...report.findings, possible] }, frames: new Map() };
    expect(show(sample)).toContain('1 possible finding not shown');
    expect(show(sample)).not.toContain('S06');
    expect(show(sample, { verbose: true })).toContain('S06');
  });

  test('show their witness on request', () => {
    const text = show(samples.crowded(), { verbose: true });
    expect(text).toContain('Again   joinery check main feat/a feat/b --verbose');
    expect(text).toContain('Fix     getUser → fetchUser');
    expect(show(samples.crowded())).not.toContain('Again');
  });
});

describe('landing', () => {
  test('says what can land, what is blocked and by which finding', () => {
    const { report } = samples.renamed();
    const id = report.findings[0]?.id.slice(0, 8);
    expect(show(samples.renamed())).toContain(`Can land now: feat/a, feat/c   Blocked: feat/b (by ${id})\n`);
  });

  test('ids are as long as necessary to distinguish them', () => {
    const [one, two] = ['aaaaaaaaaaaa1111', 'aaaaaaaaaaaa2222'];
    const findings = [samples.finding({ id: one }), samples.finding({ id: two, rootCause: 'other' })];
    const report = samples.report({ status: 'fail', findings, blocked: [{ ref: 'feat/b', by: [one, two] }] });
    expect(show({ report, frames: new Map() })).toContain('(by aaaaaaaaaaaa1, aaaaaaaaaaaa2)');
  });

  test('ends with the command to type', () => {
    const last = (sample: samples.Sample) => show(sample).trimEnd().split('\n').at(-1);
    expect(last(samples.passing())).toBe('  joinery integrate --into main --land feat/a feat/b feat/c');
    // What fits can land, whatever the others do.
    expect(last(samples.renamed())).toBe('  joinery integrate --into main --land feat/a feat/c');
  });

  test('many remote branches are rechecked by a pattern: without one, local branches would be checked', () => {
    const again = (names: readonly string[]) => {
      const branches = names.map((name) => samples.branch(name));
      const blocked = names.map((ref) => ({ ref, by: [] }));
      const report = samples.report({ status: 'fail', branches, landable: [], blocked });
      return show({ report, frames: new Map() }).trimEnd().split('\n').at(-1);
    };
    const numbers = Array.from({ length: 12 }, (_, index) => index);
    expect(again(numbers.map((number) => `origin/${number}`))).toBe("  joinery check main 'origin/*'");
    expect(again(numbers.map((number) => `feat-${number}`))).toBe('  joinery check main');
    expect(again(numbers.map((number) => `../wt-${number}`))).toBe('  joinery check main');
  });

  test('names three of many reasons against a branch', () => {
    const findings = Array.from({ length: 9 }, (_, index) =>
      samples.finding({ id: `${index}`.repeat(16), rootCause: `cause ${index}` }),
    );
    const blocked = [{ ref: 'feat/b', by: findings.map(({ id }) => id) }];
    const sample = { report: samples.report({ status: 'fail', findings, blocked }), frames: new Map() };
    expect(show(sample)).toContain('22222222, and 6 more)');
    expect(show(sample, { verbose: true, width: 200 })).toContain('88888888)');
  });

  test('quotes names that a shell would interpret', () => {
    const report = samples.report({
      status: 'fail',
      branches: [samples.branch("feat/$(rm)'"), samples.branch('-rf')],
      landable: [],
    });
    expect(show({ report, frames: new Map() })).toContain("joinery check -- main 'feat/$(rm)'\\''' -rf\n");
  });

  test('lands HEAD by its commit: on the base HEAD is another one', () => {
    const report = samples.report({ branches: [samples.branch('HEAD')], landable: ['HEAD'] });
    const [commit = ''] = report.branches.map((branch) => branch.commit);
    expect(show({ report, frames: new Map() })).toContain(
      `  joinery integrate --into main --land ${commit.slice(0, 12)}\n`,
    );
  });

  test('offers a landing that works without a checkout', () => {
    const last = show(samples.passing(), { isBare: true }).trimEnd().split('\n').at(-1);
    expect(last).toBe('  joinery integrate --into main --land feat/a feat/b feat/c');
  });

  test('says that the first name is the base where that may surprise', () => {
    const [, land, hint, ...more] = show(samples.passing(), { passedOver: 'trunk', width: 200 }).split('\n');
    expect(land).toMatch(/base main/);
    expect(hint).toBe(
      '  The first name is the base; to check main too: joinery check --base trunk main feat/a feat/b feat/c',
    );
    expect(more[0]).toBe('');
    expect(show(samples.passing())).not.toContain('first name');
  });

  test('offers no landing of a worktree, whose work is not committed', () => {
    const report = samples.report({ branches: [samples.branch('../wt')], landable: ['../wt'] });
    expect(show({ report, frames: new Map() })).not.toContain('joinery integrate');
  });
});

describe('page', () => {
  test.each([24, 40, 80, 120])('no line except a command is wider than %i columns', (width) => {
    for (const sample of [samples.crowded(), samples.undecided(), samples.passing()]) {
      const lines = show(sample, { width, verbose: true }).split('\n');
      const wide = lines.filter((line) => columnsOf(line) > width && !/^ {2}(joinery|git) /.test(line));
      expect(wide).toEqual([]);
    }
  });

  test('colour changes no text', () => {
    const paint = paintWith((style, text) => styleText(style, text, { validateStream: false }));
    const coloured = show(samples.crowded(), { paint });
    expect(coloured).not.toBe(show(samples.crowded()));
    expect(stripVTControlCharacters(coloured)).toBe(show(samples.crowded()));
  });

  test('markers are ASCII on request', () => {
    expect(show(samples.crowded(), { unicode: false })).toMatch(/^[\n\x20-\x7e]*$/);
  });

  test('a thousand branches do not flood the screen', () => {
    const refs = Array.from({ length: 1000 }, (_, index) => `feat/${index}`);
    const report = samples.report({ branches: refs.map((ref) => samples.branch(ref)), landable: refs });
    const text = show({ report, frames: new Map() });
    expect(text.length).toBeLessThan(1000);
    expect(text).toContain('and 980 more');
  });

  describe('hundreds of findings do not flood it', () => {
    const findings = Array.from({ length: 300 }, (_, index) =>
      samples.finding({
        id: `${index}`.padStart(3, '0').padEnd(64, '0'),
        rootCause: `cause ${index < 290 ? index % 145 : 'of ten'}`,
        message: `message ${index}`,
        severity: index % 145 === 144 ? 'minor' : 'blocking',
      }),
    );
    const sample = { report: samples.report({ findings }), frames: new Map() };

    test('the most severe causes are shown in full, then one line each, then their number', () => {
      const lines = show(sample).split('\n');
      expect(lines.length).toBeLessThan(200);
      expect(lines.filter((line) => line.startsWith('BLOCKING  S'))).toHaveLength(12);
      expect(lines.filter((line) => line.startsWith('BLOCKING S'))).toHaveLength(40);
      expect(lines.join(' ')).toMatch(/and \d+ more findings; --verbose shows every finding/);
    });

    test('--verbose shows all of them', () => {
      const text = show(sample, { verbose: true });
      for (const { message } of findings) expect(text).toContain(message);
      expect(text).not.toContain('more findings;');
    });

    test('of one cause the first five are shown in full', () => {
      const ofOne = findings.slice(0, 9).map((finding) => ({ ...finding, rootCause: 'one' }));
      const lines = show({ report: samples.report({ findings: ofOne }), frames: new Map() }).split('\n');
      expect(lines.filter((line) => line.includes('Same cause'))).toHaveLength(4);
      expect(lines.filter((line) => line.startsWith('BLOCKING S'))).toHaveLength(4);
    });
  });
});
