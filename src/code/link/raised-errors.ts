import type { Facts, Handler, Use } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { symbolId } from '#schema/identity.ts';
import { ancestryOf } from './members.ts';
import type { ModuleGraph } from './module-graph.ts';
import type { Trace } from './trace.ts';
import { typeEntity } from './type-values.ts';

/** An error that a function called in a `try` raises directly. */
export interface RaisedError {
  readonly use: Use;
  /** Symbol id of its class. */
  readonly error: string;
  readonly path: string;
  /** Whether one of the clauses catches it; null when unknown. */
  readonly isCaught: boolean | null;
}

type Follow = (use: Use) => { readonly path: string; readonly raises: readonly string[] } | null;

/** The errors that functions called in a `try` raise, one level deep. */
export function raisedErrors(
  graph: ModuleGraph,
  path: string,
  facts: Facts,
  handler: Handler,
  follow: Follow,
  trace: Trace,
): RaisedError[] {
  const calls = facts.uses.filter(
    ({ call, line, scope }) =>
      call !== null && line >= handler.line && line <= handler.endLine && scope === handler.scope,
  );
  const caught = calls.length === 0 ? [] : handler.catches.map((name) => idOf(graph, path, name, trace));
  return calls.flatMap((use) => {
    const callee = follow(use);
    return (callee?.raises ?? []).flatMap((name) => {
      const entity = typeEntity(graph, callee?.path ?? path, name, trace);
      const [definition] = entity.is === 'definition' ? entity.definitions : [];
      if (entity.is !== 'definition' || definition?.kind !== 'class') return [];
      const { names, isWhole } = ancestryOf(graph, entity, trace);
      const isIn = caught.some((id) => id !== null && names.has(id));
      // The hierarchy of builtin errors is not known here.
      const isKnown = isWhole && caught.every((id) => id?.includes('#'));
      const error = symbolId(entity.path, symbolPath(definition));
      return [{ use, error, path: entity.path, isCaught: isIn ? true : isKnown ? false : null }];
    });
  });
}

function idOf(graph: ModuleGraph, path: string, name: string, trace: Trace): string | null {
  const entity = typeEntity(graph, path, name, trace);
  const [definition] = entity.is === 'definition' ? entity.definitions : [];
  if (entity.is === 'definition' && definition) return symbolId(entity.path, symbolPath(definition));
  // A name that the file does not bind is a builtin.
  return graph.local(path, name.split('.', 1)[0] ?? name, trace) === null ? name : null;
}
