import { expect, test } from 'vitest';
import { BacktestReport } from '#schema/backtest.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';
import { chance } from '../support/seed.ts';

const kinds = [
  'alone',
  'fits',
  'conflict',
  'repaired in the merge',
  'repaired later',
  'never repaired',
] as const;
type Kind = (typeof kinds)[number];

/** The expected backtest result of one merge. */
interface Label {
  readonly commit: string;
  readonly outcome: string;
  readonly after: number | null;
}

const languages = [
  {
    file: (n: number) => `app/api${n}.py`,
    user: (n: number) => `app/use${n}.py`,
    api: (name: string) => `def ${name}(id):\n    return id\n`,
    use: (n: number, name: string) => `from app.api${n} import ${name}\n\nprint(${name}(1))\n`,
  },
  {
    file: (n: number) => `src/api${n}.ts`,
    user: (n: number) => `src/use${n}.ts`,
    api: (name: string) => `export function ${name}(id: number) {\n  return id;\n}\n`,
    use: (n: number, name: string) =>
      `import { ${name} } from './api${n}';\n\nexport const got = ${name}(1);\n`,
  },
];

const histories = chance('generated merges replayed by backtest', { normal: 2, wide: 8, soak: 100 });

/** A history of labelled merges: each kind at least once, in random order, in two languages. */
function labelledHistory(): { repository: GitRepository; labels: Label[] } {
  const repository = new GitRepository();
  const drawn = [
    ...kinds,
    ...Array.from({ length: 3 }, () => kinds[Math.floor(histories.next() * kinds.length)]),
  ]
    .map((kind) => ({ kind, key: histories.next() }))
    .sort((a, b) => a.key - b.key)
    .flatMap(({ kind }) => kind ?? []);
  const language = () => languages[Math.floor(histories.next() * languages.length)] ?? languages[0];
  const plans = drawn.map((kind, n) => ({ kind, n, language: language() as (typeof languages)[number] }));
  repository.commit({
    'app/__init__.py': '',
    'readme.md': 'x\n',
    ...Object.fromEntries(
      plans.map((plan) => [plan.language.file(plan.n), plan.language.api(`get${plan.n}`)]),
    ),
  });
  const labels = plans.map((plan) => playMerge(repository, plan)).reverse();
  return { repository, labels };
}

function playMerge(
  repository: GitRepository,
  { kind, n, language }: { kind: Kind; n: number; language: (typeof languages)[number] },
): Label {
  const { file, user, api, use } = language;
  const name = `get${n}`;
  const other = `fetch${n}`;
  const isBroken = kind.includes('repaired');
  repository.branch(
    `b${n}`,
    kind === 'conflict' ? { 'readme.md': `theirs ${n}\n` } : { [user(n)]: use(n, name) },
  );
  if (kind === 'conflict') repository.commit({ 'readme.md': `ours ${n}\n` });
  else if (isBroken) repository.commit({ [file(n)]: api(other) });
  else if (kind === 'fits') repository.commit({ [`notes/${n}.md`]: `${n}\n` });
  repository.git('merge', '-q', '--no-ff', '-X', 'ours', '-m', `${kind} ${n}`, `b${n}`);
  const repaired = { [user(n)]: use(n, other) };
  if (kind === 'repaired in the merge') {
    repository.write(repaired);
    repository.git('add', '--all');
    repository.git('commit', '-q', '--amend', '--no-edit');
  }
  const commit = repository.git('rev-parse', 'HEAD');
  if (kind === 'repaired later') {
    repository.commit({ [`notes/later${n}.md`]: 'x\n' });
    repository.commit(repaired);
  }
  const after = { 'repaired in the merge': 0, 'repaired later': 2 }[kind as string] ?? null;
  return { commit, outcome: isBroken ? 'findings' : kind, after };
}

test('backtest classifies every generated merge correctly, and reports nothing about the others', async () => {
  for (let count = 0; count < histories.count; count++) {
    const { repository, labels } = labelledHistory();
    const cache = temporaryFolder();
    const { stdout } = await joinery(['backtest', '--json'], {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache },
    });
    const { merges } = BacktestReport.parse(JSON.parse(stdout));
    const said = merges.map(({ commit, outcome, findings }) => ({
      commit,
      outcome,
      after: findings[0]?.after ?? null,
    }));
    expect(said, `seed ${histories.seed}, history ${count}`).toEqual(labels);
  }
}, 3_600_000);
