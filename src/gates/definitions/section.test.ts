import { describe, expect, test } from 'vitest';
import { gateSectionText, parseGateSection } from './section.ts';

const gates = (text: string) =>
  parseGateSection('AGENTS.md', text)?.map(({ kind, command, subsystem }) => [subsystem, kind, command]);

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
    ['prose with a colon is no gate', 'Note: all must pass.\n- lint: a\n- Hint: see docs', ['lint a']],
    ['Windows line ends', '- lint: a\r\n- test: b\r', ['lint a', 'test b']],
  ])('%s', (_name, body, expected) => {
    expect(gates(`## Quality Gates\n${body}`)?.map(([, kind, command]) => `${kind} ${command}`)).toEqual(
      expected,
    );
  });

  test('does not count inside a fence or under another heading', () => {
    expect(gates('# Quality Gates\n- lint: a')).toBeUndefined();
    expect(gates('```md\n## Quality Gates\n- lint: a\n```')).toBeUndefined();
    expect(gates('')).toBeUndefined();
  });

  test.each([
    ['no command', 'Run the linter.', /AGENTS.md:1: .*no command/],
    [
      'a misspelt gate',
      '- lint: a\n- tests: b',
      /AGENTS.md:3: there is no gate "tests"; did you mean "test"\?/,
    ],
    ['a gate of another name', '- lint: a\n- coverage: `b`', /AGENTS.md:3: there is no gate "coverage"/],
    ['a type-check in two words', '- Type-check: `b`', /did you mean "typecheck"/],
    ['a command without a name', '- lint: a\n- `npm test`', /AGENTS.md:3: a command without a name/],
    ['an empty command', '- lint:', /AGENTS.md:2: the command is missing/],
    ['an open backtick', '- lint: `npm run lint', /AGENTS.md:2: a backtick is not closed/],
    ['a second section', '- lint: a\n## Quality gates\n- lint: b', /AGENTS.md:3: a second section/],
    ['control characters', '- lint: a\x1b[2Jb', /control characters/],
  ])('names the line that cannot be understood: %s', (_name, body, message) => {
    expect(() => gates(`## Quality Gates\n${body}`)).toThrow(message);
  });

  test('is compared without the rest of its file', () => {
    const section = '## Quality Gates\n- lint: a';
    expect(gateSectionText(`# A\n${section}\n\n## B\nb`)).toBe(section);
    expect(gateSectionText(`# Other\nmore\n${section}\n`)).toBe(section);
    expect(gateSectionText('# A')).toBe('');
  });
});
