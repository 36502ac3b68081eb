import { callOf } from '../edit.ts';
import { specifier, type TopLevel } from '../project.ts';

/** The function that a statement declares. */
export function functionOf({ node }: TopLevel) {
  const inner = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  return inner?.type === 'FunctionDeclaration' && inner.body ? inner : null;
}

/** The file that side B adds; no corpus contains this name. */
export const addedFile = 'src/joinery-added-feature.ts';

/** A new file that uses a definition the way base offers it. */
export function useOf(target: TopLevel, file = addedFile): string {
  return `${importOf(target, file)}\n${bodyOf(target)}`;
}

export function importOf({ name, path, definition }: TopLevel, file = addedFile): string {
  const isType = definition.kind === 'interface' || definition.kind === 'type';
  return `import ${isType ? 'type ' : ''}{ ${name} } from '${specifier(file, path)}';\n`;
}

function bodyOf(target: TopLevel): string {
  switch (target.definition.kind) {
    case 'function':
      return `export function addedFeature(value: any) {\n  return ${callOf(target)};\n}\n`;
    case 'interface':
    case 'type':
      return `export type AddedFeature = { readonly kept: ${typeOf(target)} };\n`;
    default:
      return `export const addedFeature = [${target.name}];\n`;
  }
}

/** The type with `any` for each required parameter. */
export function typeOf({ name, node }: TopLevel): string {
  const inner = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  const parameters = inner && 'typeParameters' in inner ? (inner.typeParameters?.params ?? []) : [];
  const required = parameters.filter((parameter) => !('default' in parameter && parameter.default));
  return required.length === 0 ? name : `${name}<${required.map(() => 'any').join(', ')}>`;
}
