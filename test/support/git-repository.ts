import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './joinery.ts';

/** Content by path; null deletes. */
export type Files = Readonly<Record<string, string | null>>;

/** A real repository in a temporary folder, with fixed author and dates so that ids repeat. */
export class GitRepository {
  readonly dir: string;

  constructor(options: { readonly bare?: boolean; readonly dir?: string; readonly format?: string } = {}) {
    this.dir = options.dir ?? temporaryFolder();
    if (options.dir === undefined)
      this.git(
        'init',
        '-q',
        '-b',
        'main',
        '--template=',
        `--object-format=${options.format ?? 'sha1'}`,
        ...(options.bare ? ['--bare'] : []),
        '.',
      );
  }

  git(...args: string[]): string {
    return this.pipe('', args);
  }

  pipe(input: string | Buffer, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
    return execFileSync('git', args, {
      cwd: this.dir,
      encoding: 'utf8',
      env: { ...gitEnvironment(), ...env },
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
    }).trimEnd();
  }

  write(files: Files): void {
    for (const [path, content] of Object.entries(files)) {
      const target = join(this.dir, path);
      if (content === null) rmSync(target, { recursive: true, force: true });
      else {
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, content);
      }
    }
  }

  commit(files: Files, message = 'change'): string {
    this.write(files);
    this.git('add', '--all');
    this.git('commit', '-q', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** A new branch with one commit. Checkout and index stay as they are: one start of git instead of five. */
  branch(name: string, files: Files, from = 'main'): string {
    const { name: committer, email, seconds } = identity;
    const stream = [
      `commit refs/heads/${name}\nmark :1\ncommitter ${committer} <${email}> ${seconds} +0000\n`,
      data(name),
      `from ${from}^0\n`,
      ...Object.entries(files).map(([path, content]) =>
        content === null ? `D ${quoted(path)}\n` : `M 100644 inline ${quoted(path)}\n${data(content)}`,
      ),
      'get-mark :1\n',
    ];
    return this.pipe(stream.join(''), ['fast-import', '--quiet']);
  }
}

/** Folder of a repository whose main holds these files. */
export function repositoryWith(files: Files): string {
  const repository = new GitRepository();
  repository.commit(files);
  return repository.dir;
}

/** A text and a path as fast-import reads them. */
function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** 1 January 2026. */
const identity = { name: 'Test', email: 'test@localhost', seconds: 1_767_225_600 };

/** Nothing is set up for all, and nothing is tidied or flushed to the disk in a repository that lives for one test. */
const config = { 'maintenance.auto': 'false', 'gc.auto': '0', 'core.fsync': 'none' };

function gitEnvironment(): NodeJS.ProcessEnv {
  const people = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, identity.name],
    [`GIT_${role}_EMAIL`, identity.email],
    [`GIT_${role}_DATE`, `${identity.seconds} +0000`],
  ]);
  const settings = Object.entries(config).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...process.env,
    ...Object.fromEntries([...people, ...settings]),
    GIT_CONFIG_COUNT: String(settings.length / 2),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}

/** Every file below a folder with its mode and content, as one line each. */
export function fingerprint(dir: string): string[] {
  const lines: string[] = [];
  const visit = (path: Buffer) => {
    const stat = lstatSync(path);
    const content = stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? readFileSync(path) : '';
    lines.push(
      `${path.toString('latin1')} ${stat.mode.toString(8)} ${createHash('sha256').update(content).digest('hex')}`,
    );
    if (!stat.isDirectory()) return;
    for (const name of readdirSync(path, { encoding: 'buffer' }))
      visit(Buffer.concat([path, Buffer.from('/'), name]));
  };
  visit(Buffer.from(dir));
  return lines.sort();
}
