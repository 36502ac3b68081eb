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

  /** A branch with one commit; the checkout goes back to main afterwards. */
  branch(name: string, files: Files, from = 'main'): string {
    this.git('checkout', '-q', '-b', name, from, '--');
    const commit = this.commit(files, name);
    this.git('checkout', '-q', 'main', '--');
    return commit;
  }
}

/** Folder of a repository whose main holds these files. */
export function repositoryWith(files: Files): string {
  const repository = new GitRepository();
  repository.commit(files);
  return repository.dir;
}

function gitEnvironment(): NodeJS.ProcessEnv {
  const identity = { NAME: 'Test', EMAIL: 'test@localhost', DATE: '2026-01-01T00:00:00Z' };
  const fixed = Object.entries(identity).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  return {
    ...process.env,
    ...Object.fromEntries(fixed),
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
