/**
 * `node scripts/with-node.js bench/accuracy/picked.ts <clone> <owner/name> [--windows 4] [--size 25] [--skip 0]`: alarms on
 * histories of squashed pull requests, which have no merge commits. Consecutive commits of main are picked onto the parent of
 * the oldest, as if they had been written in parallel, and checked together. Main had all of them in the end, so a finding
 * is true only where a later commit was adapted to an earlier one. Results go to `picked.json` beside this file; `label`
 * is added there by hand, and a later run keeps it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkBranches } from '#check/check.ts';
import { openRepository } from '#git/call/repository.ts';
import type { Finding } from '#schema/check-report.ts';
import { Picker } from '../pick.ts';

interface PickedFinding extends Pick<Finding, 'rule' | 'severity' | 'confidence' | 'id' | 'message'> {
  /** What reading the code says: `true: …`, `false: …` or `unclear: …`. */
  readonly label?: string;
}

interface PickedWindow {
  readonly repository: string;
  /** The commit that all others are picked onto. */
  readonly base: string;
  /** Commits of main whose change applies to base. */
  readonly picked: readonly string[];
  readonly findings: readonly PickedFinding[];
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    windows: { type: 'string', default: '4' },
    size: { type: 'string', default: '25' },
    skip: { type: 'string', default: '0' },
  },
});
const [source = '', name = ''] = positionals;
const [windows, size, skip] = [values.windows, values.size, values.skip].map(Number) as [
  number,
  number,
  number,
];
const file = fileURLToPath(new URL('./picked.json', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'joinery-picked-'));
const clone = join(folder, 'clone');
const picker = new Picker(clone);
try {
  execFileSync('git', ['clone', '--quiet', '--bare', '--shared', source, clone]);
  const count = windows * size + skip + 1;
  const main = picker
    .git('rev-list', '--first-parent', `--max-count=${count}`, 'HEAD')
    .split('\n')
    .slice(skip);
  for (let window = 0; window < windows; window++) {
    const [base = '', ...commits] = main.slice(window * size, (window + 1) * size + 1).reverse();
    keep(await replay(base, commits));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function replay(base: string, commits: readonly string[]): Promise<PickedWindow> {
  const picks = new Map(
    commits.flatMap((commit): [string, string][] => {
      const picked = picker.pick(base, commit);
      return picked === null ? [] : [[commit, picked]];
    }),
  );
  const { report } = await checkBranches({
    repository: await openRepository(clone),
    base: 'base',
    branches: [...picks.keys()],
    commits: new Map([['base', base], ...picks]),
    cacheDir: join(folder, 'cache'),
    confirm: { by: 'none', demanded: false, timeLimitMs: 0 },
    today: '2026-01-01',
  });
  const findings = report.findings.flatMap(({ rule, severity, confidence, id, message }) =>
    rule === 'T01' ? [] : { rule, severity, confidence, id, message },
  );
  for (const { rule, severity, message } of findings)
    console.log(`${base.slice(0, 12)} ${severity} ${rule} ${message}`);
  console.log(`${name} ${base.slice(0, 12)}: ${findings.length} findings, ${picks.size} commits`);
  return { repository: `https://github.com/${name}`, base, picked: [...picks.keys()], findings };
}

/** Replaces the window of the same base and keeps what was labelled by hand. */
function keep(window: PickedWindow): void {
  const known: PickedWindow[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const before = known.find(({ base }) => base === window.base);
  const findings = window.findings.map((finding) => {
    const label = before?.findings.find(({ id }) => id === finding.id)?.label;
    return label === undefined ? finding : { ...finding, label };
  });
  const others = known.filter(({ base }) => base !== window.base);
  const all = [...others, { ...window, findings }].sort((a, b) => (a.repository < b.repository ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}
