import { expect } from 'vitest';
import { createPythonResolver, type PythonResolver } from '#code/languages/python/resolve/resolve-python.ts';
import { createTypeScriptResolver } from '#code/languages/typescript/resolve/resolve-typescript.ts';
import { memoryTree } from '#code/resolve/memory-tree.ts';
import type { Resolver } from '#code/resolve/resolution.ts';

/** Shared by the tests of resolution: trees as literals, and the four answers. */
export type Files = Readonly<Record<string, string>>;

export const json = (value: unknown): string => JSON.stringify(value);

export function emptyFiles(...paths: readonly string[]): Files {
  return Object.fromEntries(paths.map((path) => [path, '']));
}

export function typeScriptIn(files: Files): Resolver {
  const { tree, documents, documentPaths } = memoryTree(files);
  return createTypeScriptResolver(tree, documents, documentPaths);
}

export function pythonIn(files: Files, roots: readonly string[] = []): PythonResolver {
  const { tree, documents, documentPaths } = memoryTree(files);
  return createPythonResolver(tree, documents, documentPaths, { roots });
}

export const found = (path: string, exact = true): unknown =>
  expect.objectContaining({ status: 'found', path, exact });
export const external = (name: string): unknown => ({ status: 'external', name });
export const missing: unknown = expect.objectContaining({ status: 'missing' });
export const unknown: unknown = expect.objectContaining({ status: 'unknown' });
