import { baseNameOf } from '#code/resolve/repository-path.ts';
import type { Revision } from './heads.ts';

/** What a migration says about its place; `computed`: it follows something that its text does not name; null: it is no migration. */
export type Lineage = Revision | 'computed' | null;

/** `revision = "ae10"`, `down_revision: Union[str, None] = "1975"`. */
export function alembicLineage(_path: string, text: string): Lineage {
  const own = /^revision\b[^=\n]*=\s*["']([^"']+)["']/m.exec(text)?.[1];
  const down = /^down_revision\b[^=\n]*=\s*(?<value>None|["'][^"']+["']|\([^()]*\)|\[[^\][]*\])/m.exec(
    text,
  )?.groups;
  if (own !== undefined && down !== undefined) return { id: own, parents: quoted(down.value ?? '') };
  return /^(?:down_)?revision\b/m.test(text) ? 'computed' : null;
}

/** `dependencies = [("shop", "0041_prices"), ("auth", "0001_initial")]`: only those of the own app are followed. */
export function djangoLineage(path: string, text: string): Lineage {
  const list = /^[ \t]*dependencies\b[^=\n]*=\s*\[(?<list>[^\][]*)\]/m.exec(text)?.groups?.list;
  if (list === undefined) return /\bMigration\b/.test(text) ? 'computed' : null;
  const app = path.split('/').at(-3);
  const named = list.matchAll(/\(\s*["']([^"']+)["']\s*,\s*["']([^"']+)["']\s*(?:,\s*)?\)/g);
  return {
    id: baseNameOf(path).replace(/\.py$/, ''),
    // An app may have another label than its folder, but every app has an initial migration.
    parents: Array.from(named, ([, label, name = '']) => ({ label, name }))
      .filter(({ label, name }) => label === app || name !== '0001_initial')
      .map(({ name }) => name),
  };
}

function quoted(text: string): string[] {
  return Array.from(text.matchAll(/["']([^"']+)["']/g), ([, name = '']) => name);
}
