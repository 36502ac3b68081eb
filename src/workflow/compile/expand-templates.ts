import { nearest } from '#lib/nearest.ts';
import type { StandardStep, Workflow, WorkflowStep } from '#schema/workflow.ts';
import { blocking, important, type Path, type Problem } from '#workflow/language/problem.ts';
import { isLoop, type Located, type LocatedLoop } from './located.ts';

/** `routine.context-gathering` → the workflow with its steps. */
export type Routines = ReadonlyMap<string, Workflow>;

/** The names a routine can be called by, from its id: `wr.routine-x` and `routine-x` are `wr.templates.routine.x`. */
export function templateIds(id: string): string[] {
  const name = /^(?:wr\.)?routine-(?<name>.+)$/.exec(id)?.groups?.name;
  return name === undefined ? [] : [`wr.templates.routine.${name}`, `routine.${name}`];
}

/** Fields that a step with a template call may have. */
const ofCaller: ReadonlySet<string> = new Set(['type', 'id', 'title', 'runCondition', 'templateCall']);

interface Expansion {
  readonly steps: readonly Located[];
  readonly problems: readonly Problem[];
}

/** Replaces template calls by the steps of their routines, and resolves loop bodies that name a step. */
export function expandTemplates(workflow: Workflow, routines: Routines): Expansion {
  const problems: Problem[] = [];
  const located = workflow.steps.flatMap((step, index) => locate(step, ['steps', index]));
  const used = new Set<string>();
  const steps = located.map(withNamedBody).filter((each) => !used.has(each.step.id));
  return { steps, problems };

  function locate(step: WorkflowStep, path: Path): Located[] {
    if (step.type === 'loop') {
      const body = Array.isArray(step.body)
        ? step.body.flatMap((inner, index) => locate(inner, [...path, 'body', index]))
        : [];
      return [{ path, step, body }];
    }
    if ((step.type ?? 'step') !== 'step' || !(step as StandardStep).templateCall)
      return [{ path, step, guidance: [] }];
    return callTemplate(step as StandardStep, path);
  }

  /** If a body is the id of another top-level step, that step moves into the loop. */
  function withNamedBody(each: Located): Located {
    if (!isLoop(each) || typeof each.step.body !== 'string') return each;
    const name = each.step.body;
    const path = [...each.path, 'body'];
    const target = located.find((other) => other.step.id === name);
    if (!target || isLoop(target)) {
      problems.push(blocking(path, 'unknown-body', `there is no step ${JSON.stringify(name)} at the top`));
      return each;
    }
    used.add(name);
    const { step } = target;
    if (step.runCondition)
      problems.push(blocking(path, 'body-condition', 'a step that a loop names cannot have a runCondition'));
    if ('verification' in step || 'audit' in step)
      problems.push(
        blocking(path, 'body-extras', 'a step that a loop names cannot have verification or audit'),
      );
    return { ...each, body: [target] } satisfies LocatedLoop;
  }

  function callTemplate(caller: StandardStep, path: Path): Located[] {
    const call = caller.templateCall;
    if (!call) return [];
    const at = [...path, 'templateCall'];
    for (const name of Object.keys(caller).filter((each) => !ofCaller.has(each)))
      problems.push(
        important(
          [...path, name],
          'no-effect',
          'a step that calls a template hands on its runCondition alone',
        ),
      );
    const routine = routines.get(call.templateId);
    if (!routine) {
      const meant = nearest(call.templateId, routines.keys());
      const hint = meant === null ? '' : `; did you mean "${meant}"?`;
      problems.push(
        blocking(
          [...at, 'templateId'],
          'unknown-template',
          `there is no template ${JSON.stringify(call.templateId)}${hint}`,
        ),
      );
      return [];
    }
    return routine.steps.flatMap((step) => expandStep(step, caller, routine, at));
  }

  function expandStep(step: WorkflowStep, caller: StandardStep, routine: Workflow, at: Path): Located[] {
    if ((step.type ?? 'step') !== 'step') {
      problems.push(
        blocking(at, 'bad-template', `routine ${routine.id}: step ${step.id} is not a standard step`),
      );
      return [];
    }
    const inner = step as StandardStep;
    if (inner.prompt === undefined || inner.templateCall) {
      problems.push(
        blocking(at, 'bad-template', `routine ${routine.id}: step ${step.id} has no prompt of its own`),
      );
      return [];
    }
    const args = caller.templateCall?.args ?? {};
    const condition = inner.runCondition ?? caller.runCondition;
    const expanded: StandardStep = {
      ...inner,
      id: `${caller.id}.${inner.id}`,
      title: substitute(inner.title, args, at),
      prompt: substitute(inner.prompt, args, at),
      ...(condition === undefined ? {} : { runCondition: condition }),
    };
    return [{ path: at, step: expanded, guidance: routine.metaGuidance ?? [] }];
  }

  /** Replaces `{name}`, but not `{{name}}`, which is filled in when the step is shown. */
  function substitute(text: string, args: Readonly<Record<string, unknown>>, at: Path): string {
    return text.replace(/(?<!\{)\{([A-Za-z_]\w*)\}(?!\})/g, (whole, name: string) => {
      const value = Object.hasOwn(args, name) ? args[name] : undefined;
      if (value === undefined)
        problems.push(blocking([...at, 'args'], 'missing-argument', `${name} is missing`));
      else if (typeof value === 'object')
        problems.push(
          blocking([...at, 'args', name], 'bad-argument', 'is neither text nor a number nor true or false'),
        );
      else return String(value);
      return whole;
    });
  }
}
