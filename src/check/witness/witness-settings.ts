import type { GateDefinitions } from '#schema/gates.ts';
import type { Provisioning } from '#schema/provisioning.ts';

/** How to run code of branches to confirm findings. Plain values, because they are passed to another thread. */
export interface WitnessSettings {
  /** What to run; at least one. */
  readonly ways: readonly ('build' | 'tests')[];
  /** Gates of base, or those derived from base's files where it defines none. */
  readonly definitions: Pick<GateDefinitions, 'gates' | 'subsystems'>;
  /** The whole environment of the programs. */
  readonly env: Readonly<Record<string, string>>;
  readonly provisioning: Provisioning;
  readonly logBytes: number;
  readonly memoryBytes?: number | undefined;
  /** Program and arguments to put before each command; empty: none. */
  readonly sandbox: readonly string[];
}
