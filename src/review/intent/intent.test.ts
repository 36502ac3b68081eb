import { describe, expect, test } from 'vitest';
import { intentOf } from './intent-guard.ts';
import { type TaskHints, taskTypeOf } from './task-type.ts';

describe('the kind of a task', () => {
  test.each<[string, Partial<TaskHints>, string]>([
    [
      'a design decides first',
      { text: 'Fix the bug, see https://www.figma.com/file/abc' },
      'component design-link',
    ],
    ['other hosts are no design', { text: 'Fix the crash of figma.com.example.org' }, 'bugfix words'],
    ['an instruction file', { text: 'As docs/refactor-guide.md says, fix it' }, 'refactor instruction-file'],
    ['files that run nothing', { text: 'Add a page', files: ['docs/a.md', 'package.json'] }, 'chore files'],
    ['one file that runs', { text: 'Add a page', files: ['docs/a.md', 'src/a.ts'] }, 'feature words'],
    ['the issue type', { text: 'Add a page', issueType: 'Bug' }, 'bugfix issue-type'],
    ['an unknown issue type', { text: 'Add a page', issueType: 'Epic' }, 'feature words'],
    ['the branch', { text: 'Login', branch: 'users/ada/hotfix-login' }, 'bugfix branch'],
    ['refactor branch', { branch: 'refactor/login' }, 'refactor branch'],
    ['deps branch', { branch: 'deps/zod-4' }, 'chore branch'],
    [
      'a word inside a word is none',
      { text: 'The prefix of the bumper', branch: 'prefixes' },
      'feature default',
    ],
    ['words', { text: 'It crashes for empty lists' }, 'bugfix words'],
    ['the first word counts', { text: 'Add a dialog that fixes nothing' }, 'feature words'],
    ['rename', { text: 'Rename User to Account' }, 'refactor words'],
    ['bump', { text: 'Bump the dependency' }, 'chore words'],
    ['a button', { text: 'A button for the header' }, 'component words'],
    ['nothing said', {}, 'feature default'],
  ])('%s', (_name, hints, expected) => {
    const { type, rule } = taskTypeOf({ text: '', branch: '', files: [], ...hints });
    expect(`${type} ${rule}`).toBe(expected);
  });
});

describe('a question starts no work', () => {
  test.each([
    ['Why does the login fail?', 'question question-mark'],
    ['How does the cache work', 'question question-word'],
    ['# Cache\n\nWhat is it for? Who fills it?', 'change default'],
    ['What is it for? Who fills it?', 'question question-mark'],
    ['Explain the retry policy', 'question question-word'],
    ['Warum ist der Test rot', 'question question-word'],
    ['Can you add a retry?', 'change request'],
    ['Could we please rename it?', 'change request'],
    ['Add a retry. Is that hard?', 'change request'],
    ['Is the test red? Fix it.', 'change request'],
    ['The login fails for users without a name.', 'change default'],
    ['# Login\n\n## Requirements\n\n- Who may log in?', 'change sections'],
    ['', 'change default'],
    ['```\nwhy?\n```', 'change default'],
    ['- Which users are affected?\n- Since when?', 'question question-mark'],
    ['なぜ失敗しますか？', 'question question-mark'],
  ])('%j', (text, expected) => {
    const { intent, rule } = intentOf(text);
    expect(`${intent} ${rule}`).toBe(expected);
  });
});
