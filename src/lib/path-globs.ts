import { compileGlobs } from './glob.ts';

/** The same as `compileGlobs`, made for long lists of names: those that hold in any folder cost one look together. */
export function compilePathGlobs(patterns: readonly string[]): (path: string) => boolean {
  const anywhere = patterns.filter((pattern) => /^\*\*\/[^/]+$/.test(pattern) && pattern !== '**/**');
  const others = compileGlobs(patterns.filter((pattern) => !anywhere.includes(pattern)));
  if (anywhere.length === 0) return others;
  const names = new RegExp(`^(?:${anywhere.map((pattern) => nameExpression(pattern.slice(3))).join('|')})$`);
  return (path) => names.test(path.slice(path.lastIndexOf('/') + 1)) || others(path);
}

function nameExpression(glob: string): string {
  return glob
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '[^/]*')
    .replace(/\?/g, '[^/]')
    .replace(/\{([^{}]*)\}/g, (_, choices: string) => `(?:${choices.replaceAll(',', '|')})`);
}
