import { createRequire } from 'node:module';
import type { Document } from 'yaml';

/** The YAML library, loaded on first use: loading takes a tenth of the time of a small check. */
function yaml(): typeof import('yaml') {
  library ??= createRequire(import.meta.url)('yaml') as typeof import('yaml');
  return library;
}

let library: typeof import('yaml') | undefined;

/** The library compares each key with all others, and each item of an `!!omap` with all before it. */
const options = { uniqueKeys: false, resolveKnownTags: false, prettyErrors: false } as const;
/** It looks up each alias in the whole text. */
const mostAliases = 1000;

/** The value of a text that may be hostile: in linear time, or an error. The last of several equal keys counts. */
export function parseYaml(text: string): unknown {
  return plainValue(yaml().parseDocument(bounded(text), options));
}

/** The values of all documents of such a text, each with its line. */
export function parseYamlDocuments(text: string): { readonly value: unknown; readonly line: number }[] {
  let [line, read] = [1, 0];
  return [...yaml().parseAllDocuments(bounded(text), options)].map((document) => {
    const [start] = document.range;
    line += text.slice(read, start).split('\n').length - 1;
    read = start;
    return { value: plainValue(document), line };
  });
}

function bounded(text: string): string {
  const aliases = text.match(/(?:^|[\s,[{:-])\*[^\s*]/g)?.length ?? 0;
  if (aliases > mostAliases) throw new Error(`it has more than ${mostAliases} aliases`);
  return text;
}

/** A collection as a key is written out as text, again at each level above it. */
function plainValue(document: Document.Parsed): unknown {
  const [error] = document.errors;
  if (error) throw error;
  const { isCollection, visit } = yaml();
  visit(document, {
    Pair(_key, { key }) {
      if (isCollection(key)) throw new Error('it has a collection as a key');
    },
  });
  return document.toJS();
}
