import type { GitTree } from '#git/trees/tree.ts';
import { compilePattern } from '#git/worktrees/wildmatch.ts';
import type { CheckReport } from '#schema/check-report.ts';

interface BlobText {
  content(id: string): Promise<Buffer | null>;
}

function isAttributes(path: string): boolean {
  return path === '.gitattributes' || path.endsWith('/.gitattributes');
}

/**
 * Changed paths with a custom merge driver in .gitattributes; unions merge them as plain text. Half of all repositories mark pictures as
 * `binary`: that is reported only when a branch changes one.
 */
export async function ignoredMergeDrivers(
  tree: GitTree,
  source: BlobText,
  changed: ReadonlySet<string>,
): Promise<CheckReport['degraded']> {
  const found: CheckReport['degraded'] = [];
  for (const path of tree.matching(isAttributes)) {
    const blob = tree.blob(path);
    const text = blob === undefined ? null : await source.content(blob);
    for (const line of text?.toString('utf8').split(/\r?\n/) ?? []) {
      const [pattern = '', ...attributes] = line.trim().split(/\s+/);
      const driver = attributes.find(isDriver);
      if (driver && !pattern.startsWith('#') && concerns(pattern, path, changed))
        found.push({
          check: 'merge drivers',
          reason: `${path}: ${pattern} has ${driver}; it was merged as plain text`,
        });
    }
  }
  return found;
}

function isDriver(attribute: string): boolean {
  if (attribute.startsWith('merge=')) return attribute !== 'merge=text';
  return attribute === '-merge' || attribute === 'binary';
}

/** Macros (`[attr]name`) and quoted patterns are not followed: they may concern any file. */
function concerns(pattern: string, attributesPath: string, changed: ReadonlySet<string>): boolean {
  if (pattern.startsWith('[attr]') || pattern.startsWith('"')) return true;
  const folder = attributesPath.slice(0, attributesPath.lastIndexOf('/') + 1);
  const matches = compilePattern(bytes(pattern.replace(/^\//, '')), false);
  const isName = !pattern.includes('/');
  for (const path of changed) {
    if (!path.startsWith(folder)) continue;
    if (matches(bytes(path.slice(isName ? path.lastIndexOf('/') + 1 : folder.length)))) return true;
  }
  return false;
}

function bytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
