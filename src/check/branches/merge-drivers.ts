import type { GitTree } from '#git/trees/tree.ts';
import type { CheckReport } from '#schema/check-report.ts';

interface BlobText {
  content(id: string): Promise<Buffer | null>;
}

function isAttributes(path: string): boolean {
  return path === '.gitattributes' || path.endsWith('/.gitattributes');
}

/** Paths with a custom merge driver in .gitattributes; unions merge them as plain text. */
export async function ignoredMergeDrivers(tree: GitTree, source: BlobText): Promise<CheckReport['degraded']> {
  const found: CheckReport['degraded'] = [];
  for (const path of tree.matching(isAttributes)) {
    const blob = tree.blob(path);
    const text = blob === undefined ? null : await source.content(blob);
    for (const line of text?.toString('utf8').split(/\r?\n/) ?? []) {
      const [pattern = '', ...attributes] = line.trim().split(/\s+/);
      const driver = attributes.find(
        (attribute) =>
          (attribute.startsWith('merge=') && attribute !== 'merge=text') ||
          attribute === '-merge' ||
          attribute === 'binary',
      );
      if (driver && !pattern.startsWith('#'))
        found.push({
          check: 'merge drivers',
          reason: `${path}: ${pattern} has ${driver}; it was merged as plain text`,
        });
    }
  }
  return found;
}
