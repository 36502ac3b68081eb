import { mkdirSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environmentFault, faultInText } from './environment-fault.ts';

function errno(code: string, syscall = 'write'): Error {
  return Object.assign(new Error(`${code}: x`), { code, syscall });
}

test.each([
  ['ENOSPC', 'disk-full'],
  ['EMFILE', 'too-many-files'],
  ['EROFS', 'read-only'],
  ['EIO', 'disk-error'],
  ['ENOMEM', 'no-memory'],
  ['EAGAIN', 'no-memory'],
])('%s is %s, anywhere in the chain of causes', (code, expected) => {
  const found = environmentFault(new Error('outer', { cause: errno(code) }));
  expect(found).toMatchObject({ code: expected, exitCode: 5 });
  expect(found?.message).toContain(code);
});

test('a missing package is a broken installation; a missing file of Joinery is a defect', () => {
  const ours = Object.assign(new Error("Cannot find module '/joinery/src/x.ts'"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  const found = Object.assign(new Error("Cannot find package 'x' imported from y"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  expect(environmentFault(found)).toMatchObject({ code: 'incomplete-installation', exitCode: 5 });
  expect(environmentFault(ours)).toBeNull();
});

test('a folder that rmSync cannot remove from a read-only file system is named as such', () => {
  // As Node 24 throws it.
  const error = Object.assign(new Error(", Unknown error: Read-only file system '/state/x'"), {
    code: '',
    syscall: 'rm',
  });
  expect(environmentFault(error)).toMatchObject({ code: 'read-only', exitCode: 5 });
});

test('errors of SQLite are classified by their code', () => {
  const error = Object.assign(new Error('database or disk is full'), {
    code: 'ERR_SQLITE_ERROR',
    errcode: 13,
  });
  expect(environmentFault(error)).toMatchObject({ code: 'disk-full' });
});

test('a folder that cannot be created differs from a file that is missing', () => {
  expect(environmentFault(errno('ENOENT', 'mkdir'))).toMatchObject({ code: 'read-only' });
  expect(environmentFault(caught(() => openSync('/nowhere/at/all', 'r')))).toBeNull();
  expect(environmentFault(caught(() => mkdirSync('/proc/x')))).not.toBeNull();
  expect(environmentFault(new TypeError('x is undefined'))).toBeNull();
  expect(environmentFault(Object.assign(new Error('x'), { code: 'EACCES' }))).toBeNull();
});

test('a ref that git could not write counts as a full disk; a lock of another git does not', () => {
  const text = (why: string) => `fatal: cannot update ref 'refs/heads/a': ${why}`;
  expect(faultInText(text("couldn't write '/repo/.git/refs/heads/a.lock'"))?.fault.code).toBe('disk-full');
  expect(faultInText(text("Unable to create '/repo/.git/refs/heads/a.lock': File exists."))).toBeNull();
});

test("among many lines of git's output, the one that names the cause counts", () => {
  const text =
    'The following paths are ignored by one of your .gitignore files:\nerror: unable to write file: No space left on device\n';
  expect(faultInText(text)).toMatchObject({
    fault: { code: 'disk-full' },
    line: expect.stringContaining('No space'),
  });
  expect(faultInText("fatal: sha1 file 'index.lock' write error. Out of diskspace")?.fault.code).toBe(
    'disk-full',
  );
  expect(faultInText('fatal: bad object')).toBeNull();
});

function caught(body: () => unknown): unknown {
  try {
    return body();
  } catch (error) {
    return error;
  }
}

test('git that may not write an object says that the repository is read-only', () => {
  const line = 'error: insufficient permission for adding an object to repository database ./objects';
  expect(faultInText(`fatal\n${line}\n`)).toMatchObject({ fault: { code: 'read-only' }, line });
});
