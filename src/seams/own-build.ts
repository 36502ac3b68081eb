import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Which Joinery this is: an answer of another one is no answer. In a checkout the sources count, not the version alone. */
export function ownBuild(): string {
  const here = fileURLToPath(import.meta.url);
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return here.endsWith('.ts') ? `${version} ${stateOfSources(join(root, 'src'))}` : version;
}

function stateOfSources(folder: string): string {
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
    if (entry.isDirectory()) return entry.name === 'fixtures' ? [] : sourcesBelow(path);
    return /(?<!\.test)\.ts$/.test(entry.name) ? [path] : [];
  });
}
