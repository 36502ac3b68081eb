import { dialects } from '#code/languages/index.ts';
import type { Documents } from '#code/resolve/tree.ts';
import type { GitTree } from '#git/trees/tree.ts';

/** Files whose content decides where imports lead. */
const documentNames = [...new Set(dialects.flatMap(({ imports }) => imports.documents?.source ?? []))];
const documentName = new RegExp(`(^|/)(${documentNames.join('|')})$`);
const further = new Set(dialects.map(({ imports }) => imports.further));

export function isResolutionDocument(path: string): boolean {
  return documentName.test(path) && !/(^|\/)node_modules\//.test(path);
}

interface BlobSource {
  content(id: string): Promise<Buffer | null>;
}

/** Documents of any number of trees, each blob read once. */
export class ResolutionDocuments {
  readonly #source: BlobSource;
  readonly #texts = new Map<string, string>();
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
