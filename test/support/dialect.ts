import { parseSync, Visitor } from 'oxc-parser';

/** A path that is easier to read with an alias of package.json: `#git/trees/tree.ts`, `#test/support/joinery.ts`. */
const climbing = /^(?:\.\.\/){3}|^(?:\.\.\/)+(?:src|test)\//;
/** Reading a text is cheap, parsing is not: most files contain none of these words. */
const suspicious =
  /\bprivate\b|\bprotected\b|\b(?:const|let|var)\s+[A-Z][A-Z0-9_]+\b|\bit\b[^\n]*'vitest'|from '(?:\.\.\/)+(?:\.\.\/\.\.\/|src\/|test\/)/;

/**
 * Where a text violates the dialect of this repository: ['private size: write #size', 'LIMIT: write limit'].
 * Foreign names, such as `const { PATH } = process.env`, are allowed.
 */
export function dialectProblems(file: string, text: string): string[] {
  if (!suspicious.test(text)) return [];
  const problems: string[] = [];
  const member = (node: { accessibility?: string | null; key: { name?: string } }) => {
    const { accessibility, key } = node;
    if (accessibility !== 'private' && accessibility !== 'protected') return;
    // JavaScript has no private constructor.
    if (key.name !== 'constructor') problems.push(`${accessibility} ${key.name}: write #${key.name}`);
  };
  const path = (specifier = '') => {
    if (climbing.test(specifier)) problems.push(`${specifier}: write an alias of package.json`);
  };
  const visitor = new Visitor({
    PropertyDefinition: (node) => member(node as Parameters<typeof member>[0]),
    MethodDefinition: (node) => member(node as Parameters<typeof member>[0]),
    VariableDeclarator: ({ id }) => {
      if (id.type === 'Identifier' && /^[A-Z][A-Z0-9_]+$/.test(id.name))
        problems.push(`${id.name}: write ${camelCase(id.name)}`);
    },
    ExportNamedDeclaration: ({ source }) => path(source?.value),
    ExportAllDeclaration: ({ source }) => path(source.value),
    ImportDeclaration: ({ source, specifiers }) => {
      path(source.value);
      const isIt = specifiers.some(({ local }) => local.name === 'it');
      if (source.value === 'vitest' && isIt) problems.push('it: write test');
    },
  });
  visitor.visit(parseSync(file, text).program);
  return problems;
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
}
