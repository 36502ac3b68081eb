import { describe, expect, test } from 'vitest';
import { gateSectionText, parseGateSection } from './section.ts';

const gates = (text: string) =>
  parseGateSection('AGENTS.md', text)?.map(({ name, command, subsystem }) => [subsystem, name, command]);

describe('a section of quality gates', () => {
  test('is read with its subsystems, up to the next section', () => {
    const text = [
      '# Guide',
      '## Quality Gates',
      'Run these before you hand in:',
      '- typecheck: `npx tsc --noEmit`',
      '### Frontend',
      '- lint: `cd src/frontend && npm run lint`',
      '  test: cd src/frontend && npm test',
      '- test: `npm run e2e`',
      '### Backend',
      'lint: ruff check .',
      '## Style',
      '- test: `rm -rf /`',
    ].join('\n');
    expect(gates(text)).toEqual([
      [null, 'typecheck', 'npx tsc --noEmit'],
      ['Frontend', 'lint', 'cd src/frontend && npm run lint'],
      ['Frontend', 'test', 'cd src/frontend && npm test'],
      ['Frontend', 'test', 'npm run e2e'],
      ['Backend', 'lint', 'ruff check .'],
    ]);
  });

  test.each([
    ['a fence holds commands', '```\nlint: a\n# not a heading\ntest: b\n```', ['lint a', 'test b']],
    ['a comment hides commands', '- lint: a\n<!--\n- test: b\n-->', ['lint a']],
    ['none is no command', '- lint: a\n- test: none\n- build: N/A', ['lint a']],
    ['text behind the backticks is prose', '- lint: `a b` (fast)', ['lint a b']],
    ['backticks inside a command stay', '- lint: eslint `git ls-files`', ['lint eslint `git ls-files`']],
    ['marks around the name go', '* **Lint**: `a`\n+ __test:__ b', ['lint a', 'test b']],
    ['any name', '- e2e: `a`\n- **Unit tests**: `b`\n- lint2: `c`', ['e2e a', 'unit-tests b', 'lint2 c']],
    ['names of kinds', '- Tests: b\n- Type-check: `c`', ['test b', 'typecheck c']],
    ['a missing colon', '- lint `a`\n- Tests `b c`', ['lint a', 'test b c']],
    ['numbers', '1. test: `a`\n2) lint: `b`', ['test a', 'lint b']],
    ['a table', '| Gate | Command |\n|---|---|\n| lint | `a` |\n| e2e | `b c` |', ['lint a', 'e2e b c']],
    [
      'commands below a name',
      '- Lint:\n  - `a`\n  - `b`\n- Test:\n\n  ```sh\n  c d\n  ```',
      ['lint a', 'lint b', 'test c d'],
    ],
    ['the own command of Joinery', 'Run `joinery gates --full`:\n\n- lint: `a`', ['lint a']],
    ['prose with a colon is no gate', 'Note: all must pass.\n- lint: a\n- Hint: see docs', ['lint a']],
    ['Windows line ends', '- lint: a\r\n- test: b\r', ['lint a', 'test b']],
  ])('%s', (_name, body, expected) => {
    expect(gates(`## Quality Gates\n${body}`)?.map(([, name, command]) => `${name} ${command}`)).toEqual(
      expected,
    );
  });

  test('may have a heading of any level, and ends at the next of that level', () => {
    expect(gates('# Quality Gates\n- lint: a\n## Web\n- test: b\n# Other\n- test: c')).toEqual([
      [null, 'lint', 'a'],
      ['Web', 'test', 'b'],
    ]);
    expect(gates('Quality Gates\n---\n- lint: a')).toEqual([[null, 'lint', 'a']]);
    expect(gates('### 2. **Quality gates** (must pass):\n- lint: a\n## Next\n- test: b')).toEqual([
      [null, 'lint', 'a'],
    ]);
  });

  test('does not count inside a fence or under another heading', () => {
    expect(gates('# The quality gates of others\n- lint: a')).toBeUndefined();
    expect(gates('```md\n## Quality Gates\n- lint: a\n```')).toBeUndefined();
    expect(gates('')).toBeUndefined();
  });

  test.each([
    ['no command', 'Run the linter.', /AGENTS.md:1: .*no command/],
    ['a name without backticks', '- lint: a\n- e2e: make e2e', /AGENTS.md:3: "e2e" may be a gate/],
    ['the same in a sentence', 'e2e: make e2e\n\n- lint: a', /AGENTS.md:2: "e2e" may be a gate/],
    ['an item that is no gate', '- lint: a\n- never skip tests', /AGENTS.md:3: an item without a command/],
    ['a command in a sentence', '- lint: a\n\nRun `npm test` too.', /AGENTS.md:4: a command in a sentence/],
    ['two commands', '- lint: `a` && `b`', /AGENTS.md:2: two commands in one line/],
    ['a command of two lines', '- lint: a b \\\n  c d', /AGENTS.md:2: the command goes on/],
    ['HTML', '<ul><li>lint: a</li></ul>', /AGENTS.md:2: HTML is not read/],
    ['several lines', '- `a b`\n- lint: c\n- `d e`', /AGENTS.md:2: .*; not read either: line 4$/],
    ['a command without a name', '- lint: a\n- `npm test`', /AGENTS.md:3: a command without a name/],
    ['an empty command', '- lint:', /AGENTS.md:2: the command is missing/],
    ['an open backtick', '- lint: `npm run lint', /AGENTS.md:2: a backtick is not closed/],
    ['a second section', '- lint: a\n## Quality gates\n- lint: b', /AGENTS.md:3: a second section/],
    ['control characters', '- lint: a\x1b[2Jb', /control characters/],
  ])('names the line that cannot be understood: %s', (_name, body, message) => {
    expect(() => gates(`## Quality Gates\n${body}`)).toThrow(message);
  });

  test.each([
    ['quotes in quotes', `${'>'.repeat(60_000)} - lint: a`],
    ['lists in lists', `${'- '.repeat(30_000)}lint: a`],
    ['indented lists', Array.from({ length: 400 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
    ['emphasis that never ends', '**a*'.repeat(16_000)],
    ['brackets', '[a](b'.repeat(20_000)],
    ['a very long file', '- lint: a\n'.repeat(20_000)],
  ])('refuses at once what would take long to parse: %s', (_name, body) => {
    const before = process.cpuUsage();
    const text = `## Quality Gates\n${body}`;
    expect(() => gates(text)).toThrow(/AGENTS.md:1: the file mentions quality gates and is not read/);
    expect(gateSectionText(text)).toBe(text);
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });

  test('is compared without the rest of its file', () => {
    const section = '## Quality Gates\n- lint: a';
    expect(gateSectionText(`# A\n${section}\n\n## B\nb`)).toBe(section);
    expect(gateSectionText(`# Other\nmore\n${section}\n`)).toBe(section);
    expect(gateSectionText('# A')).toBe('');
  });
});
