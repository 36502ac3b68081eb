import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file, its absence, a link, or a program. */
export type Content = string | null | { readonly link: string } | { readonly program: string };

export type Tree = Readonly<Record<string, Content>>;

/** A way to have broken work accepted: the project as it is on base, and what the work makes of it. */
export interface Cheat {
  readonly name: string;
  readonly base: Tree;
  readonly work: Tree;
  /** Why it is accepted all the same; undefined where it is not. */
  readonly passes?: string;
}

export function writeTree(folder: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    const file = join(folder, path);
    rmSync(file, { recursive: true, force: true });
    if (content === null) continue;
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string') writeFileSync(file, content);
    else if ('link' in content) symlinkSync(content.link, file);
    else {
      writeFileSync(file, content.program);
      chmodSync(file, 0o755);
    }
  }
}
