import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSecrets } from '#lib/find-secrets.ts';
import { root } from '#scripts/root.ts';
import { renderTable } from '../table.ts';

/** Installed third-party packages, none of which publishes a secret. */
const packages = [
  'react',
  'react-dom',
  'yaml',
  'ajv',
  'fast-check',
  'picomatch',
  'playwright-core',
  'smol-toml',
  'jsonc-parser',
  'knip',
];

/** False alarms of the secret scanner on published packages, as if all of their content were added. */
export function runAlarms(): string {
  const rows = packages.map((name) => {
    const folder = join(root, 'node_modules', name);
    const found = { files: 0, lines: 0, certain: 0, uncertain: 0 };
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || path.slice(folder.length).includes('node_modules')) continue;
      const content = readFileSync(path);
      if (content.includes(0)) continue;
      const lines = content
        .toString('utf8')
        .split('\n')
        .map((text, index) => ({ line: index + 1, text }));
      const sites = findSecrets(path.slice(folder.length + 1), lines);
      found.files++;
      found.lines += lines.length;
      found.certain += sites.filter(({ isCertain }) => isCertain).length;
      found.uncertain += sites.filter(({ isCertain }) => !isCertain).length;
    }
    return [name, ...Object.values(found).map(String)];
  });
  return renderTable(['package', 'files', 'lines', 'blocking alarms', 'warnings'], rows);
}
