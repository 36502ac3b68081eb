import { nearest } from '#lib/nearest.ts';
import { ConfigError } from '#schema/errors.ts';

/** All sources of a prompt, by the name a step uses for them. */
const contextKeys = [
  'project',
  'task',
  'contract',
  'inputs',
  'reasons',
  'prior',
  'review',
  'person',
  'ambient',
] as const;
export type ContextKey = (typeof contextKeys)[number];

/** How much of the context an agent sees. */
export type Isolation =
  | { readonly mode: 'full' }
  | { readonly mode: 'task-only' }
  /** Only the declared inputs; `keepProjectIdentity` adds what applies to the whole project. */
  | { readonly mode: 'blind'; readonly keepProjectIdentity?: boolean | undefined }
  | {
      readonly mode: 'custom';
      readonly include: readonly string[];
      readonly exclude?: readonly string[] | undefined;
    };

/** Roles that judge the work of others: the others' reasoning would bias them. */
function judges(role: string): boolean {
  return /(^|-)(challenger|adversarial|adversary|evaluator|verifier)$/.test(role);
}

/** The isolation that a step declares, or its role's default. A judge that sees everything is a mistake in the workflow. */
export function isolationFor(role: string, declared: Isolation | null = null): Isolation {
  if (declared === null) return judges(role) ? { mode: 'blind' } : { mode: 'full' };
  if (declared.mode === 'full' && judges(role)) {
    throw new ConfigError({
      code: 'bad-isolation',
      message: `a ${role} judges, so it must not see everything: "full" is not allowed`,
      hint: 'use "blind" (its default), "task-only", or "custom" with the keys it needs',
    });
  }
  return declared;
}

/** The context keys that a mode admits. */
export function keysOf(isolation: Isolation): ReadonlySet<ContextKey> {
  switch (isolation.mode) {
    case 'full':
      return new Set(contextKeys);
    case 'task-only':
      return new Set(['project', 'task', 'contract', 'inputs']);
    case 'blind':
      return new Set<ContextKey>(isolation.keepProjectIdentity ? ['inputs', 'project'] : ['inputs']);
    case 'custom': {
      const excluded = new Set(isolation.exclude?.map(knownKey));
      return new Set(isolation.include.map(knownKey).filter((key) => !excluded.has(key)));
    }
  }
}

/** Whether an agent may read ambient context: guides of the project, memory, notes of earlier sessions. */
export function seesAmbient(role: string, declared: Isolation | null): boolean {
  return keysOf(isolationFor(role, declared)).has('ambient');
}

function knownKey(key: string): ContextKey {
  const known = contextKeys.find((each) => each === key);
  if (known) return known;
  const meant = nearest(key, contextKeys);
  throw new ConfigError({
    code: 'bad-isolation',
    message: `there is no context key ${JSON.stringify(key)}`,
    hint: meant === null ? `known: ${contextKeys.join(', ')}` : `did you mean ${meant}?`,
  });
}
