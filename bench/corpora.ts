import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { cacheDir } from '#schema/paths.ts';

/** A package that ships its TypeScript sources; two versions of it are a piece of real history. */
export interface Corpus {
  readonly package: string;
  readonly version: string;
  /** An earlier version, for branches that carry real changes. */
  readonly before?: string;
}

/** About 5,000 files. Downloaded at run time, never committed. */
export const corpora: readonly Corpus[] = [
  { package: 'effect', version: '4.1.0', before: '4.0.4' },
  { package: 'viem', version: '2.57.13', before: '2.55.19' },
  { package: '@anthropic-ai/sdk', version: '1.8.0', before: '1.4.0' },
  { package: 'openai', version: '6.49.0' },
  { package: 'zod', version: '4.6.7', before: '4.5.0' },
  { package: 'puppeteer-core', version: '24.43.1', before: '24.41.0' },
  { package: 'lexical', version: '0.53.0' },
  { package: 'ethers', version: '6.17.0', before: '6.15.0' },
  { package: 'ai', version: '6.0.326' },
  { package: '@effect/platform', version: '0.97.2' },
  { package: '@tiptap/core', version: '3.33.1', before: '3.30.0' },
  { package: '@reduxjs/toolkit', version: '2.14.0', before: '2.11.0' },
  { package: 'rxjs', version: '7.8.2', before: '7.5.0' },
  { package: '@tanstack/router-core', version: '1.171.39', before: '1.171.20' },
  { package: 'msw', version: '2.15.0', before: '2.13.0' },
  { package: '@trpc/server', version: '11.23.0', before: '11.17.0' },
  { package: '@tanstack/query-core', version: '5.107.1', before: '5.103.0' },
  { package: '@lexical/react', version: '0.52.0' },
  { package: 'mobx', version: '7.1.3', before: '7.0.0' },
];

/** Path below the package → text. */
export type Sources = ReadonlyMap<string, string>;

/** Where the bench stores downloads and builds; can be deleted like the rest of the cache. */
export function benchFolder(...parts: string[]): string {
  const host = { env: process.env, home: homedir(), platform: process.platform };
  const folder = join(cacheDir(host), 'bench', ...parts);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The folder of an unpacked package; downloads it on first use. */
export function unpacked(name: string, version: string): string {
  const all = benchFolder('packages');
  const target = join(all, `${name.replace('/', '+')}@${version}`);
  if (existsSync(target)) return target;
  const staging = mkdtempSync(join(all, '.tmp-'));
  try {
    npm(['pack', '--silent', `${name}@${version}`], staging);
    const [archive] = readdirSync(staging);
    execFileSync('tar', ['-xzf', archive ?? '', '--strip-components=1'], { cwd: staging });
    rmSync(join(staging, archive ?? ''));
    renameSync(staging, target);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return target;
}

/** The folder of an unpacked Debian package; downloads it on first use. */
export function unpackedDebian(name: string, version: string): string {
  const all = benchFolder('debian');
  const target = join(all, `${name}_${version}`);
  if (existsSync(target)) return target;
  const staging = mkdtempSync(join(all, '.tmp-'));
  try {
    execFileSync('apt-get', ['download', `${name}=${version}`], { cwd: staging, stdio: 'ignore' });
    const [archive = ''] = readdirSync(staging);
    execFileSync('dpkg-deb', ['-x', archive, '.'], { cwd: staging });
    rmSync(join(staging, archive));
    renameSync(staging, target);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return target;
}

export function npm(args: readonly string[], cwd: string): void {
  const result = spawnSync('npm', args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  if (result.status !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${result.stderr}`);
}

/** The TypeScript sources of a package, without declaration files and build output. */
export function sourcesOf(name: string, version: string): Sources {
  const folder = unpacked(name, version);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.includes('node_modules/'))
    .toSorted();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const));
}

function isSource(name: string): boolean {
  return /\.[cm]?tsx?$/.test(name) && !/\.d\.[cm]?ts$/.test(name);
}

/** Every source of every corpus, each below the folder of its package. */
export function allSources(version: (corpus: Corpus) => string = (corpus) => corpus.version): Sources {
  return new Map(
    corpora.flatMap((corpus) =>
      [...sourcesOf(corpus.package, version(corpus))].map(
        ([path, text]) => [`packages/${corpus.package}/${path}`, text] as const,
      ),
    ),
  );
}
