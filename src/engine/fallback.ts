import { type AgentConfig, ModelTier } from '../model/agent.ts';
import type { AttemptOutcome, RunSettings } from '../model/run.ts';
import { type AttemptState, countedAttempts, type StepState } from './state.ts';

type Models = AgentConfig['models'];

/** Ends that say something about the model or its interface, not about the work: a smaller model may not meet them. */
const modelTroubles: ReadonlySet<AttemptOutcome | null> = new Set(['api_error', 'limit']);

/** The tier for the next attempt: what the task wants, one step down after trouble, and never up again in one try. */
export function nextTier(step: StepState, models: Models, policy: RunSettings['fallback']): ModelTier {
  const wanted = step.task.tier ?? 'standard';
  const last = countedAttempts(step).at(-1);
  if (!last || policy === 'none') return wanted;
  return hasModelTrouble(last) ? (lowerTier(last.tier, models) ?? last.tier) : last.tier;
}

/** The next smaller tier that has a model of its own; null when going down would change nothing. */
function lowerTier(tier: ModelTier, models: Models): ModelTier | null {
  const below = ModelTier.options.slice(0, ModelTier.options.indexOf(tier)).toReversed();
  return below.find((each) => models[each] !== undefined && models[each] !== models[tier]) ?? null;
}

export function hasModelTrouble({ outcome }: Pick<AttemptState, 'outcome'>): boolean {
  return modelTroubles.has(outcome);
}
