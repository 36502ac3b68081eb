import { useEffect, useRef, useState } from 'react';
import { api, type HomeView, type RepositoryRow, type RunView } from '../api.ts';
import { go, pathTo, useRoute } from '../route.ts';
import { type Act, type Ask, useAct, useAsk } from './act.tsx';
import './command-bar.css';
import { allowNotifications } from './notify.ts';
import { taskActions } from './task-actions.tsx';

interface Command {
  readonly name: string;
  readonly detail: string;
  /** It decides something for a person: never chosen for them, and it asks once more. */
  readonly decides?: boolean;
  run(): void;
}

const mostShown = 50;

/** Every action by keyboard. */
export function CommandBar(props: {
  home: HomeView | null;
  others: readonly RepositoryRow[];
  close(): void;
  toggleTheme(): void;
  start(): void;
}) {
  const act = useAct();
  const ask = useAsk();
  const { parts } = useRoute();
  const view = useRunHere(parts);
  const [search, setSearch] = useState('');
  /** Null: the person has not moved to a command yet. */
  const [at, setAt] = useState<number | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const all: Command[] = [
    ...(view ? commandsOfRun(view, parts[3], act, ask) : []),
    ...commandsOfGates(props.home, act, ask),
    ...commandsOf(props.home, act, props.toggleTheme, props.start),
    ...props.others.map(({ key, name, path, isHere }) => ({
      name: `Repository: ${name}`,
      detail: path,
      run: () => go('/', isHere ? null : key),
    })),
  ];
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all
    .filter(({ name, detail }) => words.every((word) => `${name} ${detail}`.toLowerCase().includes(word)))
    .slice(0, mostShown);
  const chosen =
    at === null
      ? shown.findIndex(({ decides = false }) => !decides)
      : Math.max(0, Math.min(at, shown.length - 1));
  useEffect(() => {
    document.getElementById(`bar-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const start = (command: Command | undefined) => {
    if (command === undefined) return;
    props.close();
    if (!command.decides || confirm(`${command.name}?`)) command.run();
  };
  return (
    <div
      className="bar-ground"
      onPointerDown={(event) => event.target === event.currentTarget && props.close()}
    >
      <div className="bar" role="dialog" aria-modal="true" aria-label="Commands">
        <input
          ref={field}
          role="combobox"
          aria-expanded="true"
          aria-controls="bar-list"
          aria-activedescendant={chosen < 0 ? undefined : `bar-${chosen}`}
          aria-label="Command"
          placeholder="Type a command, a run, a task, a branch…"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setAt(null);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') props.close();
            if (event.key === 'Enter') start(shown[chosen]);
            if (event.key === 'ArrowDown') setAt(Math.min(shown.length - 1, chosen + 1));
            if (event.key === 'ArrowUp') setAt(Math.max(0, chosen - 1));
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp' || event.key === 'Tab')
              event.preventDefault();
          }}
        />
        <div role="listbox" id="bar-list" aria-label="Commands" tabIndex={-1}>
          {shown.map((command, n) => (
            <div
              key={`${command.name} ${command.detail}`}
              id={`bar-${n}`}
              role="option"
              tabIndex={-1}
              aria-selected={n === chosen}
              onPointerMove={() => setAt(n)}
              onClick={() => start(command)}
              onKeyDown={() => {}}
            >
              <span>{command.name}</span>
              <span className="soft small">{command.detail}</span>
            </div>
          ))}
          {shown.length === 0 && <p className="empty">Nothing matches.</p>}
        </div>
      </div>
    </div>
  );
}

/** The run of the page behind the bar, loaded when the bar is opened. */
function useRunHere([page, run]: readonly string[]): RunView | null {
  const [view, setView] = useState<RunView | null>(null);
  const here = (page === 'run' || page === 'town') && run !== undefined ? run : null;
  useEffect(() => {
    let isOver = false;
    if (here !== null)
      api.run(here).then(
        (found) => {
          if (!isOver) setView(found);
        },
        () => {},
      );
    return () => {
      isOver = true;
    };
  }, [here]);
  return view?.run === here ? view : null;
}

function commandsOfRun(view: RunView, taskHere: string | undefined, act: Act, ask: Ask): Command[] {
  const { run, tasks } = view;
  const isOver = ['done', 'failed', 'cancelled'].includes(view.status);
  const ofTask = (task: RunView['tasks'][number]) =>
    taskActions(run, task, act, ask).map(({ name, detail, run: start }) => ({
      name: `${name} ${task.id}`,
      detail,
      run: start,
    }));
  // The commands for the current task come first.
  const sorted = tasks.toSorted((a, b) => Number(b.id === taskHere) - Number(a.id === taskHere));
  return [
    ...sorted.flatMap(ofTask),
    ...(!isOver && view.holder === null
      ? [
          {
            name: 'Resume this run',
            detail: `joinery resume ${run}`,
            run: () => void act('The run goes on', () => api.resume(run)),
          },
        ]
      : []),
    ...(isOver
      ? []
      : [
          {
            name: 'Set the budget of this run',
            detail: 'in dollars; empty: no limit',
            run: () =>
              ask({
                title: 'Budget in dollars',
                hint: 'Empty: no limit.',
                action: 'Set',
                send: (text) =>
                  act('Budget was sent', () =>
                    api.budget(run, {
                      usd: Number(text) > 0 ? Number(text) : null,
                      tokens: view.budget.tokens,
                    }),
                  ),
              }),
          },
          {
            name: 'Cancel this run',
            detail: run,
            run: () => {
              if (confirm(`Cancel run ${run}? Accepted work stays on its branches.`))
                act('Cancel was sent', () => api.cancel(run));
            },
          },
        ]),
    { name: 'This run', detail: 'plan, timeline, cost, result', run: () => go(pathTo.run(run)) },
    { name: 'Town of this run', detail: run, run: () => go(pathTo.town(run)) },
    ...tasks.map(({ id, title, status }) => ({
      name: `Task: ${title}`,
      detail: `${status} ${id}`,
      run: () => go(pathTo.task(run, id)),
    })),
  ];
}

/** Commands for waiting gates, by name; the current node is looked up when the person decides. */
function commandsOfGates(home: HomeView | null, act: Act, ask: Ask): Command[] {
  const decide = async (run: string, verdict: 'approved' | 'rejected', reason: string) => {
    const { gate } = await api.workflow(run);
    if (!gate) throw new Error('the gate is open by now');
    return api.decide(run, gate.node, verdict, reason);
  };
  return (home?.inbox ?? []).flatMap(({ kind, run, title, detail }) =>
    kind === 'gate' && run !== null
      ? [
          {
            name: `Approve: ${title}`,
            detail,
            decides: true,
            run: () => void act('Approved', () => decide(run, 'approved', '')),
          },
          {
            name: `Reject: ${title}`,
            detail,
            decides: true,
            run: () =>
              ask({
                title: `Reject: ${title}`,
                hint: 'What is missing? The step begins again with this in its prompt.',
                action: 'Reject',
                isRequired: true,
                isDanger: true,
                send: (reason) => act('Rejected', () => decide(run, 'rejected', reason)),
              }),
          },
        ]
      : [],
  );
}

function commandsOf(home: HomeView | null, act: Act, toggleTheme: () => void, start: () => void): Command[] {
  const questions = (home?.inbox ?? []).flatMap(({ run: of, question }) =>
    question && of !== null
      ? question.options.map(({ value, effect }) => ({
          name: `Answer ${value}: ${effect}`,
          detail: question.text,
          decides: true,
          run: () => void act(`Answered ${value}`, () => api.answer(of, question.id, value)),
        }))
      : [],
  );
  return [
    ...questions,
    { name: 'Home', detail: 'runs, branches, inbox', run: () => go('/') },
    { name: 'Seams', detail: 'where branches do not fit', run: () => go('/seams') },
    {
      name: 'Check branches now',
      detail: 'joinery check',
      run: () => void act('The check has ended', () => api.runCheck()),
    },
    { name: 'Start a run', detail: 'joinery run spec.md', run: start },
    { name: 'Change theme', detail: 'light, dark, system', run: toggleTheme },
    {
      name: 'Allow notifications',
      detail: 'when a question waits',
      run: () => void act('Asked the browser', allowNotifications),
    },
    ...(home?.runs ?? []).map(({ run: id, title, status }) => ({
      name: `Run: ${title}`,
      detail: `${status} ${id}`,
      run: () => go(pathTo.run(id)),
    })),
    ...(home?.workflows ?? []).map(({ run: id, goal, workflow, status }) => ({
      name: `Workflow: ${goal}`,
      detail: `${status} ${workflow} ${id}`,
      run: () => go(pathTo.workflow(id)),
    })),
    ...(home?.branches ?? []).map(({ ref, subject }) => ({
      name: `Branch: ${ref}`,
      detail: subject,
      run: () => go(`/seams?branch=${encodeURIComponent(ref)}`),
    })),
  ];
}
