import { type AgentConfig, ModelTier } from '#schema/agent.ts';
import type { AttemptOutcome, RunSettings } from '#schema/run.ts';
import { type AttemptState, countedAttempts, type StepState } from './state.ts';

type Models = AgentConfig['models'];

/** Outcomes caused by the model or its API, not by the work: a smaller model may avoid them. */
const modelTroubles: ReadonlySet<AttemptOutcome | null> = new Set(['api_error', 'limit']);

/**
 * The tier for the next attempt: the one the task wants, one step down after a failure of the model, one step up after the
 * first time the work took too long.
 */
export function nextTier(step: StepState, models: Models, policy: RunSettings['fallback']): ModelTier {
  const wanted = step.task.tier ?? 'standard';
  const last = countedAttempts(step).at(-1);
  if (!last || policy === 'none') return wanted;
  if (last.outcome === 'timeout') return nextModel(last.tier, models, 'up') ?? last.tier;
  return hasModelTrouble(last) ? (nextModel(last.tier, models, 'down') ?? last.tier) : last.tier;
}

/** The next tier in that direction that has a different model; null if there is none. */
function nextModel(tier: ModelTier, models: Models, direction: 'up' | 'down'): ModelTier | null {
  const at = ModelTier.options.indexOf(tier);
  const tiers =
    direction === 'up' ? ModelTier.options.slice(at + 1) : ModelTier.options.slice(0, at).toReversed();
  return tiers.find((each) => models[each] !== undefined && models[each] !== models[tier]) ?? null;
}

export function hasModelTrouble({ outcome }: Pick<AttemptState, 'outcome'>): boolean {
  return modelTroubles.has(outcome);
}
