import { dialects } from '#code/languages/index.ts';
import { baseNameOf } from '#code/resolve/repository-path.ts';
import type { Documents } from '#code/resolve/tree.ts';
import type { Change, GitTree } from '#git/trees/tree.ts';

/** Names of files whose content decides where imports lead. */
const documentNames = [...new Set(dialects.flatMap(({ imports }) => imports.documents?.source ?? []))];
const documentName = new RegExp(documentNames.join('|'));
const further = new Set(dialects.map(({ imports }) => imports.further));

export function isResolutionDocument(path: string): boolean {
  return documentName.test(baseNameOf(path)) && !/(^|\/)node_modules\//.test(path);
}

/** The part of a document that decides where imports lead; its whole text when that part is unknown. */
function decidingPart(path: string, text: string): string {
  const name = baseNameOf(path);
  const dialect = dialects.find(({ imports }) => imports.documents?.test(name));
  try {
    return JSON.stringify(dialect?.imports.decidingPart?.(name, text) ?? text);
  } catch {
    return text;
  }
}

interface BlobSource {
  content(id: string): Promise<Buffer | null>;
}

/** Documents of any number of trees, each blob read once. */
export class ResolutionDocuments {
  readonly #source: BlobSource;
  readonly #texts = new Map<string, string>();
  readonly #parts = new Map<string, string>();
  readonly documents: Documents = { text: (blob) => this.#texts.get(blob) };

  constructor(source: BlobSource) {
    this.#source = source;
  }

  /** Loads what resolution in a tree needs, configs reached by `extends` included; returns their paths. */
  async load(tree: GitTree): Promise<string[]> {
    const paths = tree.matching(isResolutionDocument);
    await this.#read(tree, paths);
    for (let more = this.#further(tree, paths); more.length > 0; more = this.#further(tree, paths))
      await this.#read(tree, more);
    return paths;
  }

  /** Whether a change can redirect imports. A document whose deciding part stays the same does not: a newer version of a package. */
  async redirects({ status, path, oldPath, before, after }: Change): Promise<boolean> {
    if (!isResolutionDocument(path)) return oldPath !== null && isResolutionDocument(oldPath);
    if (status !== 'modified' || before?.kind !== 'file' || after?.kind !== 'file') return true;
    const [was, is] = await Promise.all([before.id, after.id].map((blob) => this.#part(path, blob)));
    return was !== is;
  }

  async #part(path: string, blob: string): Promise<string> {
    const key = `${baseNameOf(path)} ${blob}`;
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    const text = this.#texts.get(blob) ?? (await this.#source.content(blob))?.toString('utf8') ?? '';
    const part = decidingPart(path, text);
    this.#parts.set(key, part);
    return part;
  }

  #further(tree: GitTree, paths: readonly string[]): string[] {
    const found = [...further].flatMap((more) => more(tree, this.documents, paths));
    return found.filter((path) => {
      const blob = tree.blob(path);
      return blob !== undefined && !this.#texts.has(blob);
    });
  }

  async #read(tree: GitTree, paths: readonly string[]): Promise<void> {
    const blobs = new Set(
      paths.flatMap((path) => tree.blob(path) ?? []).filter((blob) => !this.#texts.has(blob)),
    );
    await Promise.all(
      [...blobs].map(async (blob) =>
        this.#texts.set(blob, (await this.#source.content(blob))?.toString('utf8') ?? ''),
      ),
    );
  }
}
