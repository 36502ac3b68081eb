import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let known: string | undefined;

/** Identifies this build of Joinery: results of another build must not be reused. Derived from its files, not only from the version. */
export function ownBuild(): string {
  // A process keeps the code it has loaded, whatever happens to the files.
  known ??= readBuild();
  return known;
}

function readBuild(): string {
  const here = fileURLToPath(import.meta.url);
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return `${version} ${stateOf(here.endsWith('.ts') ? join(root, 'src') : dirname(here))}`;
}

function stateOf(folder: string): string {
  const hash = createHash('sha256');
  for (const path of sourcesBelow(folder)) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesBelow(path);
    return /(?<!\.test)\.[jt]s$/.test(entry.name) ? [path] : [];
  });
}
