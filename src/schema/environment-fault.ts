import { EnvironmentError } from './errors.ts';

interface Fault {
  readonly code: string;
  readonly what: string;
  readonly hint: string;
}

const otherPlace =
  "make it writable; Joinery's own files can be elsewhere: JOINERY_STATE_DIR, JOINERY_CACHE_DIR";
export const fullDisk: Fault = {
  code: 'disk-full',
  what: 'no space is left on the disk',
  hint: 'free some space, then run it again',
};
const unwritten: Fault = {
  code: 'disk-full',
  what: 'git could not write to a file that it had just made, as on a full disk',
  hint: 'free some space, then run it again',
};
const readOnly: Fault = { code: 'read-only', what: 'the place cannot be written to', hint: otherPlace };
const descriptors: Fault = {
  code: 'too-many-files',
  what: 'too many files are open',
  hint: 'allow more, then run it again: ulimit -n 4096',
};
const broken: Fault = {
  code: 'disk-error',
  what: 'the disk reports an error',
  hint: 'look at: dmesg | tail',
};
const memory: Fault = {
  code: 'no-memory',
  what: 'the system has no memory or no process to spare',
  hint: 'end other programs or wait for them, then run it again',
};
const incomplete: Fault = {
  code: 'incomplete-installation',
  what: 'a package that Joinery needs is not there',
  hint: 'install Joinery again (in a clone of it: npm ci --ignore-scripts)',
};

const byErrno: Readonly<Record<string, Fault>> = {
  ENOSPC: fullDisk,
  EDQUOT: fullDisk,
  EFBIG: fullDisk,
  EMFILE: descriptors,
  ENFILE: descriptors,
  EROFS: readOnly,
  EACCES: readOnly,
  EPERM: readOnly,
  EIO: broken,
  ENOMEM: memory,
  EAGAIN: memory,
};

/** SQLITE_IOERR, SQLITE_READONLY, SQLITE_FULL, SQLITE_CANTOPEN. */
const bySqlite: Readonly<Record<number, Fault>> = { 8: readOnly, 10: broken, 13: fullDisk, 14: readOnly };

/** In English: git and other programs print it so with LC_ALL=C. */
const byText: readonly (readonly [RegExp, Fault])[] = [
  [
    /No space left on device|Out of diskspace|Disk quota exceeded|File too large|\b(ENOSPC|EDQUOT|EFBIG)\b/i,
    fullDisk,
  ],
  [/Too many open files|\b(EMFILE|ENFILE)\b/i, descriptors],
  // The second is what git prints where it may not write an object.
  [/Read-only file system|\bEROFS\b|insufficient permission for adding an object/i, readOnly],
  [/Input\/output error|\bEIO\b/i, broken],
  // All that git prints when a ref cannot be written.
  [/couldn't write '[^'\n]{1,4096}\.lock'/, unwritten],
  [/Resource temporarily unavailable|\b(EAGAIN|ENOMEM)\b/, memory],
];

/** The line of a program's output that says what the machine refused; null when the cause is another one. */
export function faultInText(text: string): { readonly fault: Fault; readonly line: string } | null {
  for (const line of text.split('\n')) {
    const found = byText.find(([pattern]) => pattern.test(line));
    if (found) return { fault: found[1], line: line.trim() };
  }
  return null;
}

/** The error for a program that this machine could not start, by the given reason; null when the program itself is the cause. */
export function startFault(program: string, reason: string): EnvironmentError | null {
  const found = faultInText(reason);
  if (!found) return null;
  const { code, what, hint } = found.fault;
  return new EnvironmentError({
    code,
    message: `${program} could not be started, ${what}: ${found.line}`,
    hint,
    retry: true,
  });
}

/** The error when the machine caused a failure: a full disk, a read-only folder, no free descriptor. */
export function environmentFault(error: unknown): EnvironmentError | null {
  let at: unknown = error;
  for (let depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    const fault = faultOf(at);
    if (fault) {
      const { code, what, hint } = fault;
      return new EnvironmentError({
        code,
        message: `${what}: ${at.message}`,
        hint,
        cause: error,
        retry: true,
      });
    }
  }
  return null;
}

function faultOf(error: Error): Fault | null {
  const { code, errcode, syscall } = error as { code?: unknown; errcode?: unknown; syscall?: unknown };
  if (typeof errcode === 'number') return bySqlite[errcode & 0xff] ?? null;
  if (code === 'ERR_MODULE_NOT_FOUND' && error.message.startsWith('Cannot find package')) return incomplete;
  // Node reports this when it cannot create a folder on a read-only file system.
  if (code === 'ENOENT' && syscall === 'mkdir') return readOnly;
  // `rmSync` gives no code to an error that it does not know, such as one of a read-only file system.
  if (code === '' && syscall === 'rm') return faultInText(error.message)?.fault ?? null;
  return typeof code === 'string' && typeof syscall === 'string' ? (byErrno[code] ?? null) : null;
}
