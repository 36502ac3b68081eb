import type { GateDefinitions } from '#schema/gates.ts';
import type { Provisioning } from '#schema/provisioning.ts';

/** How code of branches is run to confirm findings. Plain values: it is passed to another thread. */
export interface WitnessSettings {
  /** What is run; at least one. */
  readonly ways: readonly ('build' | 'tests')[];
  /** Gates of base, or what base's files show where it has none. */
  readonly definitions: Pick<GateDefinitions, 'gates' | 'subsystems'>;
  /** All variables that programs get. */
  readonly env: Readonly<Record<string, string>>;
  readonly provisioning: Provisioning;
  readonly logBytes: number;
  readonly memoryBytes?: number | undefined;
  /** Program and arguments put before each command; empty: none. */
  readonly sandbox: readonly string[];
}
