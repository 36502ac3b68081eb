import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askProgram } from '#process/ask-program.ts';
import { ownRoot } from '#process/own-package.ts';
import { EnvironmentError } from '#schema/errors.ts';

/** The folder with the built pages. In a checkout they are rebuilt if their sources changed. */
export async function webFolder(progress: (text: string) => void): Promise<string> {
  const root = ownRoot();
  const sources = join(root, 'web');
  const built = join(root, 'dist', 'web');
  if (!existsSync(sources)) return built;
  const stamp = stampOf([sources, join(root, 'src', 'schema')]);
  const stampFile = join(built, '.stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return built;
  progress('building the pages (once after a change)');
  await build(root);
  writeFileSync(stampFile, stamp);
  return built;
}

/** Script and style of the HTML report of a check. */
export async function pageParts(
  progress: (text: string) => void,
): Promise<{ readonly script: string; readonly style: string }> {
  const folder = join(await webFolder(progress), 'file');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { script: read('seams.js'), style: read('seams.css') };
}

async function build(root: string): Promise<void> {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  rmSync(join(root, 'dist', 'web'), { recursive: true, force: true });
  for (const mode of ['pages', 'file']) {
    const said = await askProgram({
      argv: [process.execPath, vite, 'build', '--mode', mode],
      cwd: join(root, 'web'),
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
      timeoutMs: 120_000,
      maxBytes: 100_000,
    });
    if (said === null) {
      throw new EnvironmentError({
        code: 'web-not-built',
        message: 'the pages cannot be built',
        hint: 'npm run build:web shows why',
      });
    }
  }
}

function stampOf(folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of folders.flatMap(filesBelow)) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
