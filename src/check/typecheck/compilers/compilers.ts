import type { Compiler } from './compiler.ts';
import { goVet } from './go-vet.ts';
import { javac } from './javac.ts';
import { mcs } from './mcs.ts';
import { php, ruby } from './syntax-checks.ts';

/** Compilers that run nothing they read. `cargo check` runs build scripts, so it belongs to `--confirm build`. */
export const compilers: readonly Compiler[] = [goVet, javac, mcs, ruby, php];
