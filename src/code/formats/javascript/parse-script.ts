import type { Node } from './estree.ts';

type Lang = 'ts' | 'tsx' | 'dts' | 'jsx';

let loading: Promise<typeof import('oxc-parser')> | undefined;

/** The syntax tree of a script; null of a text that does not parse: its facts say so. */
export async function parseScript(path: string, text: string): Promise<Node | null> {
  loading ??= import('oxc-parser');
  const { parseSync } = await loading;
  try {
    const { program, errors } = parseSync('file', text, {
      lang: langOf(path),
      sourceType: 'unambiguous',
      astType: 'ts',
      preserveParens: false,
    });
    return errors.length > 0 ? null : (program as unknown as Node);
  } catch {
    return null;
  }
}

function langOf(path: string): Lang {
  if (path.endsWith('.d.ts')) return 'dts';
  if (/\.[cm]?ts$/.test(path)) return 'ts';
  return path.endsWith('.tsx') ? 'tsx' : 'jsx';
}
