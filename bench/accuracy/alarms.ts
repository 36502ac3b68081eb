/**
 * `node scripts/with-node.js bench/accuracy/alarms.ts <clone> <last> <file.json>`: runs every rule on the last merges of a real
 * history whose text merges, and counts by rule the merges with a finding. People had put these together and kept them,
 * so a finding counts as an alarm. The figures are added to the file; `npm run generate` shows them in docs/accuracy.md.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBranches } from '#check/check.ts';
import { registry } from '#check/rules/registry.ts';
import type { Rule } from '#check/rules/rule.ts';
import { openRepository } from '#git/call/repository.ts';
import { mergesInto } from '#git/merges/merge-commits.ts';
import { defaultBranch } from '#git/refs/refs.ts';
import { isJoineryError } from '#schema/errors.ts';

const [dir = '', last = '100', target = 'bench/accuracy/alarms.json'] = process.argv.slice(2);
const repository = await openRepository(dir);
const ref = await defaultBranch(repository);
const tip = await repository.git.text(['rev-parse', ref]);
const url = await repository.git.text(['config', '--get', 'remote.origin.url']);
const { merges } = await mergesInto(repository.git, tip, Number(last));
const cacheDir = mkdtempSync(join(tmpdir(), 'joinery-alarms-'));
/** T01 chooses the merges, and what runs checkers is not asked: neither is measured. */
const asked = Object.values<Rule>(registry).flatMap(({ id, detect }) =>
  id === 'T01' || detect.checker ? [] : [id],
);
const rules: Record<string, { findings: number; merges: number; example: string }> = {};
const commits: string[] = [];
for (const { commit, parents } of merges) {
  const [before = '', merged = ''] = parents;
  const ancestor = await repository.git.run(['merge-base', '--is-ancestor', before, merged], {
    accept: [0, 1],
  });
  if (parents.length !== 2 || ancestor.code === 0) continue;
  try {
    const { report } = await checkBranches({
      repository,
      base: ref,
      branches: ['topic'],
      commits: new Map([
        [ref, before],
        ['topic', merged],
      ]),
      cacheDir,
      confirm: { by: 'none', demanded: false, timeLimitMs: 0 },
      today: '2026-01-01',
    });
    if (report.findings.some(({ rule }) => rule === 'T01')) continue;
    commits.push(commit);
    const seen = new Set<string>();
    for (const { rule, message } of report.findings) {
      const count = rules[rule] ?? { findings: 0, merges: 0, example: '' };
      rules[rule] = {
        findings: count.findings + 1,
        merges: count.merges + (seen.has(rule) ? 0 : 1),
        example: count.example || `${commit.slice(0, 12)}: ${message}`,
      };
      seen.add(rule);
      console.log(`${commit.slice(0, 12)} ${rule} ${message}`);
    }
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    console.log(`${commit.slice(0, 12)} left out: ${error.message}`);
  }
}
rmSync(cacheDir, { recursive: true, force: true });
const known = existsSync(target) ? JSON.parse(readFileSync(target, 'utf8')) : [];
const others = known.filter((each: { repository: string }) => each.repository !== url);
const measured = { repository: url, commit: tip, last: Number(last), asked, merges: commits, rules };
writeFileSync(target, `${JSON.stringify([...others, measured], null, 2)}\n`);
console.log(`${commits.length} merges, ${JSON.stringify(rules)}`);
