import { readFileSync } from 'node:fs';
import { UsageError } from '#schema/errors.ts';
import type { SpecKind } from '#schema/planning.ts';
import { specPath } from './spec.ts';

export function templateOf(kind: SpecKind): string {
  return readFileSync(new URL(`./templates/${kind}.md`, import.meta.url), 'utf8');
}

export interface NewSpec {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** A spec to fill in. */
export function newSpec(kind: SpecKind, name: string, template: string): NewSpec {
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) {
    throw new UsageError({
      code: 'bad-name',
      message: `${JSON.stringify(name)} is not a valid spec name: use small letters, digits and hyphens between them`,
      hint: `joinery spec new ${kind} ${suggestion(name)}`,
    });
  }
  const title = name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  const text = template.replaceAll('{Feature Name}', title).replaceAll('{name}', name);
  return { path: specPath(kind, name), text };
}

function suggestion(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '');
  return plain === '' ? 'my-feature' : plain;
}
