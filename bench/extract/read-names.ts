import * as oxc from 'oxc-parser';
import type { SourceFile } from './store-facts.ts';

interface Named {
  readonly name: string;
}

/** oxc's declarations do not include the lazy mode. */
interface LazyOxc {
  experimentalGetLazyVisitor(): new (visitor: Record<string, (node: Named) => void>) => object;
  parseSync(
    path: string,
    text: string,
    options: { readonly experimentalLazy: true; readonly astType: 'ts' },
  ): { visit(visitor: object): void; dispose(): void };
}

const kinds = [
  'IdentifierName',
  'IdentifierReference',
  'BindingIdentifier',
  'LabelIdentifier',
  'PrivateIdentifier',
  'JSXIdentifier',
];

/** The peer: the minimum work to know which names a file contains. Returns their number. */
export function readEveryName(files: readonly SourceFile[]): number {
  const { experimentalGetLazyVisitor, parseSync } = oxc as unknown as LazyOxc;
  const Visitor = experimentalGetLazyVisitor();
  let names = 0;
  let characters = 0;
  const read = (node: Named) => {
    names++;
    characters += node.name.length;
  };
  const visitor = new Visitor(Object.fromEntries(kinds.map((kind) => [kind, read])));
  for (const { path, text } of files) {
    const parsed = parseSync(path, text, { experimentalLazy: true, astType: 'ts' });
    parsed.visit(visitor);
    parsed.dispose();
  }
  if (characters === 0) throw new Error('the lazy visitor read nothing');
  return names;
}
