import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { mergeCases, writeCases } from './scenario/cases.ts';
import { readScenarios } from './scenario/read-scenarios.ts';

interface Heard {
  /** What a listener could not use: keys that were not sent, parameters without a value. */
  readonly missing: readonly string[];
  readonly received: number;
  readonly unheard: number;
}

/** Sends and receives the messages of scenarios with these name prefixes; at least `fewest` of them. */
export function proveEvents(
  start: string,
  { program, oracle, fewest }: { program: string; oracle: string; fewest: number },
): void {
  const root = mkdtempSync(join(tmpdir(), 'joinery-events-'));
  afterAll(() => rm(root, { recursive: true, force: true }), 60_000);

  describe('a listener that gets what the other branch sends', async () => {
    const scenarios = readScenarios().filter(({ name }) => name.startsWith(start));
    const { git, cases } = await mergeCases(scenarios, root);
    const folders = await writeCases(git, cases, join(root, 'trees'));
    const script = fileURLToPath(new URL(oracle, import.meta.url));
    const told = execFileSync(program, [script, ...folders.map((id) => join(root, 'trees', id))], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    const heard = JSON.parse(told) as Record<string, Heard>;
    const of = (tree: string | undefined) => heard[join(root, 'trees', tree ?? '')];

    test.each(cases)('can use it with $scenario.name, or cannot', ({ scenario, members, trees }) => {
      const isConflict = scenario.expected.findings.length > 0;
      // A twin may already follow the other branch, without which it does not work.
      if (isConflict)
        for (const member of members) expect(of(trees.get(member))?.missing, `${member} alone`).toEqual([]);
      const union = of(trees.get('union'));
      expect((union?.received ?? 0) + (union?.unheard ?? 0), 'messages').toBeGreaterThan(0);
      expect((union?.missing.length ?? 0) > 0, String(union?.missing)).toBe(isConflict);
    });
    test('there are scenarios', () => expect(cases.length).toBeGreaterThanOrEqual(fewest));
  });
}
