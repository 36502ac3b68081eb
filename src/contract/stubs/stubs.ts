import type { Contract } from '#schema/contract.ts';
import { pythonStubs } from './python.ts';
import { typescriptStubs } from './typescript.ts';

export interface Stubs {
  /** File name → text, relative to the folder they are written to. */
  readonly files: ReadonlyMap<string, string>;
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

/** Types and a test that fails when the code breaks the contract. */
export function contractStubs(contract: Contract, lang: 'ts' | 'py', folder: string, digest: string): Stubs {
  return lang === 'ts' ? typescriptStubs(contract, folder, digest) : pythonStubs(contract, digest);
}
