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

/** The result of `git init`, by kind of repository: content by path, null for a folder. */
const fresh = new Map<string, [string, Buffer | null][]>();

/** A real repository in a temporary folder, with fixed author and dates so that ids are reproducible. */
export class GitRepository {
  readonly dir: string;

  constructor(options: { readonly bare?: boolean; readonly dir?: string; readonly format?: string } = {}) {
    this.dir = options.dir ?? temporaryFolder();
    if (options.dir === undefined) this.#init(options.format ?? 'sha1', options.bare ?? false);
  }

  /** Starts git for the first repository of a kind; the others are copies, because starting git costs more than the files. */
  #init(format: string, bare: boolean): void {
    const kind = `${format} ${bare}`;
    const known = fresh.get(kind);
    if (known) {
      for (const [path, content] of known) {
        if (content === null) mkdirSync(join(this.dir, path), { recursive: true });
        else writeFileSync(join(this.dir, path), content);
      }
      return;
    }
    const flags = ['-q', '-b', 'main', '--template=', `--object-format=${format}`];
    this.git('init', ...flags, ...(bare ? ['--bare'] : []), '.');
    const made = readdirSync(this.dir, { recursive: true, encoding: 'utf8' }).sort();
    fresh.set(
      kind,
      made.map((path) => {
        const isFolder = lstatSync(join(this.dir, path)).isDirectory();
        return [path, isFolder ? null : readFileSync(join(this.dir, path))];
      }),
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
    return this.#head() ?? this.git('rev-parse', 'HEAD');
  }

  /** Read from git's files; null in a linked worktree, and if HEAD is detached. */
  #head(): string | null {
    try {
      const ref = /^ref: (.*)$/m.exec(readFileSync(join(this.dir, '.git/HEAD'), 'utf8'))?.[1];
      return ref === undefined ? null : readFileSync(join(this.dir, '.git', ref), 'utf8').trim();
    } catch {
      return null;
    }
  }

  /** A new branch with one commit. Checkout and index stay unchanged: one start of git instead of five. */
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

/** Folder of a repository whose main has these files. */
export function repositoryWith(files: Files): string {
  const repository = new GitRepository();
  repository.commit(files);
  return repository.dir;
}

/** Formats a text and a path for fast-import. */
function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** 1 January 2026. */
const identity = { name: 'Test', email: 'test@localhost', seconds: 1_767_225_600 };

/** No global settings, no maintenance and no flushing in a repository that exists for one test. */
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

/** One line for every file below a folder, with its mode and content. */
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
