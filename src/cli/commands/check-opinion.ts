import type { Invocation } from '#cli/args/invocation.ts';
import { UsageError } from '#schema/errors.ts';
import type { checkTable } from './check.table.ts';

interface Material {
  readonly spec: string | undefined;
  readonly contract: string | undefined;
  readonly maxBytes: number;
}

/** The source of a check's opinion; null: none. */
export type Opinion =
  | null
  | { readonly by: 'prompt'; readonly material: Material }
  | { readonly by: 'report'; readonly material: Material; readonly file: string }
  | {
      readonly by: 'agent';
      readonly material: Material;
      readonly agent: string;
      readonly scenario: string | undefined;
    };

/** What the agent options request. */
export function opinionOf(options: Invocation<typeof checkTable>['options']): Opinion {
  const { agent, scenario, spec, contract, 'agent-report': file } = options;
  const wantsPrompt = options['agent-prompt'] === true;
  const named = [
    ...(agent === undefined ? [] : ['--agent']),
    ...(wantsPrompt ? ['--agent-prompt'] : []),
    ...(file === undefined ? [] : ['--agent-report']),
  ];
  if (named.length > 1) {
    throw new UsageError({
      code: 'bad-options',
      message: `${named.join(' and ')} exclude each other`,
      hint: 'name one of them',
    });
  }
  const maxBytes = bytesOf(options['agent-bytes']);
  if (named.length === 0) {
    const idle = Object.entries({ '--spec': spec, '--contract': contract, '--scenario': scenario });
    const [first] = idle.find(([, value]) => value !== undefined) ?? [];
    if (first === undefined) return null;
    throw new UsageError({
      code: 'bad-options',
      message: `${first} is for an agent, and none is asked`,
      hint: 'joinery check --agent <name>; joinery agents lists them',
    });
  }
  const material = { spec, contract, maxBytes };
  if (wantsPrompt) return { by: 'prompt', material };
  if (file !== undefined) return { by: 'report', material, file };
  return { by: 'agent', material, agent: agent ?? '', scenario };
}

const fewestBytes = 10_000;

function bytesOf(typed: string): number {
  const bytes = Number(typed);
  if (Number.isSafeInteger(bytes) && bytes >= fewestBytes) return bytes;
  throw new UsageError({
    code: 'bad-agent-bytes',
    message: `--agent-bytes ${JSON.stringify(typed)} is not a number of bytes from ${fewestBytes} on`,
    hint: 'joinery check --agent claude --agent-bytes 400000',
  });
}
