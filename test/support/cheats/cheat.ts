import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file, null for a deleted one, a link, or a program. */
export type Content = string | null | { readonly link: string } | { readonly program: string };

export type Tree = Readonly<Record<string, Content>>;

/** A way to get broken work accepted: the project on base, and the changes of the work. */
export interface Cheat {
  readonly name: string;
  readonly base: Tree;
  readonly work: Tree;
  /** Why it is accepted anyway; undefined if it is not. */
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
