import { expect, test } from 'vitest';
import { ConfigError } from '#schema/errors.ts';
import { parseGateSection } from './section.ts';

/** A way to write two gates, as agent files and contribution guides do: `N1`, `C1` and `N2`, `C2` are names and commands. */
type Form = readonly [expected: 'read' | 'refused', text: string];

const forms: readonly Form[] = [
  ['read', '- N1: `C1`\n- N2: `C2`'],
  ['read', '* N1: `C1`\n* N2: `C2`'],
  ['read', '+ N1: `C1`\n\n+ N2: `C2`'],
  ['read', '- **N1**: `C1`\n- **N2:** `C2`'],
  ['read', '- __N1__: `C1` (fast)\n- *N2*: `C2`, takes a minute'],
  ['read', '- `N1`: `C1`\n- `N2` — `C2`'],
  ['read', '1. N1: `C1`\n2. N2: `C2`'],
  ['read', '1) **N1**: `C1`\n2) **N2**: `C2`'],
  ['read', '- [ ] N1: `C1`\n- [x] **N2**: `C2`'],
  ['read', '- N1 — `C1`\n- N2 – `C2`'],
  ['read', '- N1 - `C1`\n- N2 -> `C2`'],
  ['read', '- N1 → `C1`\n- N2 => `C2`'],
  ['read', '- N1：`C1`\n- N2： `C2`'],
  ['read', '- ✅ N1: `C1`\n- 🔍 N2: `C2`'],
  ['read', '- N1 (required): `C1`\n- N2 (slow, before a push): `C2`'],
  ['read', '- [N1](docs/a.md): `C1`\n- N2: ``C2``'],
  ['read', '- N1:\n  `C1`\n- N2: `C2`'],
  ['read', '- N1:\n  - `C1`\n- N2:\n  - `C2`'],
  ['read', '- Before every commit:\n  - N1: `C1`\n- Before a push:\n  - N2: `C2`'],
  ['read', '- Frontend\n  1. N1: `C1`\n- Backend\n  1. N2: `C2`'],
  ['read', '1. **N1**:\n\n   ```bash\n   C1\n   ```\n\n2. **N2**:\n\n   ```bash\n   C2\n   ```'],
  ['read', '```\nN1: C1\nN2: C2\n```'],
  ['read', '```yaml\n# what CI runs\nN1: C1\n\nN2: C2\n```'],
  ['read', '~~~sh\nN1: `C1`\nN2: `C2`\n~~~'],
  ['read', '    N1: C1\n    N2: C2'],
  ['read', '| Gate | Command |\n|---|---|\n| N1 | `C1` |\n| N2 | `C2` |'],
  ['read', '| Gate | What | How |\n|:--|:-:|--:|\n| **N1** | first | `C1` |\n| `N2` | second | `C2` |'],
  ['read', 'Gate | Command | When\n--- | --- | ---\nN1 | `C1` | always\nN2 | `C2` | before a push'],
  ['read', '> - N1: `C1`\n> - N2: `C2`'],
  ['read', 'All of them must pass.\n\n- N1: `C1`\n- N2: `C2`\n\nNote: they are fast.'],
  ['read', 'Run `joinery gates --full`; `--fast` is for edits in `src/`.\n\n- N1: `C1`\n- N2: `C2`'],
  ['read', '### Frontend\n\n- N1: `C1`\n\n### Backend\n\n- N2: `C2`'],
  ['read', '#### Deep\n\n- N1: `C1`\n\n##### Deeper\n\n- N2: `C2`'],
  ['read', 'N1: `C1`\\\nN2: `C2`'],
  ['read', '**N1:** `C1`\n\n**N2:** `C2`'],
  ['read', '<!-- kept short -->\n- N1: `C1`\n- N2: `C2`\n<!-- end -->'],
  ['read', '<details>\n<summary>Commands</summary>\n\n- N1: `C1`\n- N2: `C2`\n\n</details>'],
  ['read', '- N1: `C1`\n  - needs Docker\n- N2: `C2`\n\n  It writes nothing.'],
  ['read', '---\n\n- N1: `C1`\n- N2: `C2`\n\n---'],
  ['refused', '- `C1`\n- `C2`'],
  ['refused', '- N1: `C1`\n- `C2` (N2)'],
  ['refused', '1. Run `C1`\n2. Run `C2`'],
  ['refused', '- Run N1 with `C1`\n- N2: `C2`'],
  ['refused', 'Run `C1` before every commit.\n\n- N2: `C2`'],
  ['refused', '- N1: `C1` && `C2`'],
  ['refused', '- N1: `C1` or `C2`'],
  ['refused', '```bash\nC1\nC2\n```'],
  ['read', 'Before you push:\n\n```sh\n# N1\nC1\n# N2\nC2\n```'],
  ['read', 'Before you push:\n\n```sh\nC1\nC2\n```'],
  ['refused', '```console\n$ C1\n$ C2\n```'],
  ['refused', '### N1\n\n```bash\nC1\n```\n\n### N2\n\n```bash\nC2\n```'],
  ['refused', '| Gate | Command |\n|---|---|\n| N1 | C1 |\n| N2 | `C2` |'],
  ['refused', '| Gate | Command |\n|---|---|\n| N1 | `C1 | tee a` |\n| N2 | `C2` |'],
  ['refused', '| Gate | Local | CI |\n|---|---|---|\n| N1 | `C1` | `C2 | tee a` |'],
  ['refused', '| Gate | Command |\n|---|---|\n| N1 | `C1` | `C2` |'],
  ['refused', '| Command | Gate |\n|---|---|\n| `C1` | N1 |\n| `C2` | N2 |'],
  ['refused', '| Gate | Local | CI |\n|---|---|---|\n| N1 | `C1` | `C2` |'],
  ['refused', '<ul>\n<li>N1: <code>C1</code></li>\n<li>N2: <code>C2</code></li>\n</ul>'],
  ['refused', '<details>\n- N1: `C1`\n- N2: `C2`\n</details>'],
  ['refused', '- N1: `C1`\n  - then `C2`'],
  ['refused', '- N1: `C1`\n- all tests are green\n- N2: `C2`'],
  ['refused', '- N1: `C1`\n- no errors: really\n- N2: `C2`'],
  ['refused', '- N1: `C1\n- N2: C2'],
  ['refused', '```\nN1: C1 \\\n  --more\nN2: C2\n```'],
];

const pairs = [
  ['lint', 'make step-one', 'test', 'make step-two'],
  ['Type-check', 'npx make step-one --noEmit', 'Unit tests', 'cd web && make step-two -- a:b'],
  ['e2e', 'FOO=1 make step-one "**/*.ts"', 'lint2', 'make step-two $(git ls-files)'],
  ['Prüfung', './make step-one', '테스트', 'make step-two -- <file> _x_ *y*'],
  ['测试', 'make step-one', 'Vérification des types', 'make step-two'],
] as const;

const headings = [
  '## Quality Gates',
  '# Quality gates',
  'Quality Gates\n-------------',
  '### 3. Quality Gates (must pass):',
];

const sections = forms.flatMap(([expected, form], at) =>
  pairs.map(([name1, command1, name2, command2], pair) => {
    const heading = headings[(at + pair) % headings.length] ?? '';
    const isDeep = heading.startsWith('###');
    const body = form
      .replace(/^(#+)/gm, isDeep && !form.includes('```') ? '#$1' : '$1')
      .replaceAll('N1', () => name1)
      .replaceAll('C1', () => command1)
      .replaceAll('N2', () => name2)
      .replaceAll('C2', () => command2);
    return { expected, text: `# Guide\n\n${heading}\n\n${body}\n`, commands: [command1, command2] };
  }),
);

test('at least two hundred sections are tried', () => {
  expect(sections.length).toBeGreaterThanOrEqual(200);
});

test.each(sections)('%#: a section is read whole, or refused by line', ({ expected, text, commands }) => {
  const lines = text.split('\n');
  const stepsIn = (some: readonly string[]) =>
    some.flatMap((line) => line.match(/step-(?:one|two)/g) ?? []).toSorted();
  try {
    const gates = parseGateSection('AGENTS.md', text) ?? [];
    expect(gates.map(({ command }) => command)).toEqual(commands);
    for (const { line, command } of gates) expect(lines[line - 1]).toContain(command.split(' ')[0]);
    expect(stepsIn(gates.map(({ command }) => command))).toEqual(stepsIn(lines));
    expect(expected, text).toBe('read');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(expected, `${error.message}\n${text}`).toBe('refused');
    const [, line = ''] = /^AGENTS\.md:(\d+): /.exec(error.message) ?? [];
    expect(lines[Number(line) - 1]?.trim()).not.toBe('');
  }
});
