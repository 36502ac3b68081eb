import { FactsReader } from '#code/extraction/facts-reader.ts';
import { FactsStore } from '#code/facts/facts-store.ts';

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly blob: string;
}

/** What git would return. */
export type Contents = ReadonlyMap<string, Buffer>;

export function contentsOf(files: readonly SourceFile[]): Contents {
  return new Map(files.map(({ blob, text }) => [blob, Buffer.from(text)] as const));
}

/** The product's way from blobs to stored facts, without git, so that the parsers are comparable. */
export async function storeFacts(
  files: readonly SourceFile[],
  contents: Contents,
  path: string,
  processes: number,
): Promise<void> {
  const store = new FactsStore(path, 2 ** 31);
  const reader = new FactsReader(
    {
      blob: async (id) => ({ size: contents.get(id)?.length ?? 0, content: contents.get(id) ?? null }),
    },
    store,
    processes,
  );
  await reader.load(files);
  store.close();
  if (store.problem !== null) throw new Error(`the store failed: ${store.problem}`);
}
