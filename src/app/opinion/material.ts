import { resolve } from 'node:path';
import { readContract } from '#app/contracts/read-contract.ts';
import { readSpec } from '#app/planning/read-spec.ts';
import { openRepository } from '#git/call/repository.ts';
import { readBoundedFile } from '#lib/read-bounded-file.ts';
import type { Contract } from '#schema/contract.ts';
import { UsageError } from '#schema/errors.ts';

/** What a model receives in addition to the branches, as typed. */
export interface MaterialWish {
  readonly spec: string | undefined;
  readonly contract: string | undefined;
  /** Limit of the prompt, in UTF-8 bytes. */
  readonly maxBytes: number;
}

export interface Material {
  readonly spec: { readonly path: string; readonly text: string } | null;
  readonly contract: { readonly path: string; readonly value: Contract } | null;
  readonly maxBytes: number;
}

/** Reads the named files before anything is checked, so that an unreadable one fails at once. */
export async function readMaterial(cwd: string, wish: MaterialWish): Promise<Material> {
  const { workTree } = await openRepository(cwd);
  return {
    spec: wish.spec === undefined ? null : readSpec(workTree ?? cwd, cwd, wish.spec),
    contract:
      wish.contract === undefined ? null : { path: wish.contract, value: readContract(cwd, wish.contract) },
    maxBytes: wish.maxBytes,
  };
}

/** An answer that was produced elsewhere. */
export function readAnswerFile(cwd: string, file: string): string {
  try {
    return readBoundedFile(resolve(cwd, file));
  } catch (cause) {
    throw new UsageError({
      code: 'unreadable-agent-report',
      message: `--agent-report ${file}: ${(cause as Error).message.split('\n')[0]}`,
      hint: 'print the prompt, give it to a model and save its answer: joinery check --agent-prompt > prompt.md',
      cause,
    });
  }
}
