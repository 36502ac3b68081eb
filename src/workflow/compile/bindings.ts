import { nearest } from '#lib/nearest.ts';
import type { Workflow } from '#schema/workflow.ts';

const slot = /\{\{\s*wr\.bindings\.([A-Za-z0-9_]+)\s*\}\}/g;

export interface Bound {
  readonly workflow: Workflow;
  /** slot → value. */
  readonly bindings: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/** Replaces every slot by the project's choice, or else by the author's default. */
export function bindSlots(workflow: Workflow, overrides: Readonly<Record<string, string>>): Bound {
  const points = new Map((workflow.extensionPoints ?? []).map((point) => [point.slotId, point.default]));
  const bindings: Record<string, string> = {};
  const problems: string[] = [];
  const replaceIn = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(slot, (whole, name: string) => bind(whole, name));
    if (Array.isArray(value)) return value.map(replaceIn);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceIn(inner)]));
  };
  const steps = replaceIn(workflow.steps) as Workflow['steps'];
  return { workflow: { ...workflow, steps }, bindings, problems };

  function bind(whole: string, name: string): string {
    const standard = points.get(name);
    if (standard === undefined) {
      const meant = nearest(name, points.keys());
      problems.push(
        `there is no extension point ${JSON.stringify(name)}${meant === null ? '' : `; did you mean "${meant}"?`}`,
      );
      return whole;
    }
    const value = Object.hasOwn(overrides, name) ? (overrides[name] ?? standard) : standard;
    bindings[name] = value;
    return value;
  }
}
