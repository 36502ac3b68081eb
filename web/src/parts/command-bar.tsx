import { useEffect, useRef, useState } from 'react';
import { api, type HomeView } from '../api.ts';
import { go, pathTo, useRoute } from '../route.ts';
import { useAct } from './act.tsx';
import './command-bar.css';
import { allowNotifications } from './notify.ts';

interface Command {
  readonly name: string;
  readonly detail: string;
  run(): void;
}

/** Every action by keyboard. */
export function CommandBar(props: { home: HomeView | null; close(): void; toggleTheme(): void }) {
  const act = useAct();
  const { parts } = useRoute();
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const all = commandsOf(props.home, parts, act, props.toggleTheme);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all
    .filter(({ name, detail }) => words.every((word) => `${name} ${detail}`.toLowerCase().includes(word)))
    .slice(0, 50);
  const chosen = Math.min(at, shown.length - 1);
  const start = (command: Command | undefined) => {
    props.close();
    command?.run();
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
          aria-activedescendant={`bar-${chosen}`}
          aria-label="Command"
          placeholder="Type a command, a run, a task, a branch…"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setAt(0);
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

function commandsOf(
  home: HomeView | null,
  [page, run]: readonly string[],
  act: (what: string, action: () => Promise<unknown>) => Promise<void>,
  toggleTheme: () => void,
): Command[] {
  const questions = (home?.inbox ?? []).flatMap(({ run: of, question }) =>
    question && of !== null
      ? question.options.map(({ value, effect }) => ({
          name: `Answer ${value}: ${question.text}`,
          detail: effect,
          run: () => act(`Answered ${value}`, () => api.answer(of, question.id, value)),
        }))
      : [],
  );
  const inRun = page === 'run' && run !== undefined ? run : undefined;
  const ofRun = inRun
    ? [
        { name: 'Town of this run', detail: inRun, run: () => go(`/town/${encodeURIComponent(inRun)}`) },
        {
          name: 'Cancel this run',
          detail: inRun,
          run: () => {
            if (confirm(`Cancel run ${inRun}?`)) act('Cancel was sent', () => api.cancel(inRun));
          },
        },
      ]
    : [];
  return [
    ...questions,
    ...ofRun,
    { name: 'Home', detail: 'runs, branches, inbox', run: () => go('/') },
    { name: 'Seams', detail: 'where branches do not fit', run: () => go('/seams') },
    {
      name: 'Check branches now',
      detail: 'joinery check',
      run: () => act('The check has ended', () => api.runCheck()),
    },
    { name: 'Change theme', detail: 'light, dark, system', run: toggleTheme },
    {
      name: 'Allow notifications',
      detail: 'when a question waits',
      run: () => act('Asked the browser', allowNotifications),
    },
    ...(home?.runs ?? []).map(({ run: id, title, status }) => ({
      name: `Run: ${title}`,
      detail: `${status} ${id}`,
      run: () => go(pathTo.run(id)),
    })),
    ...(home?.branches ?? []).map(({ ref, subject }) => ({
      name: `Branch: ${ref}`,
      detail: subject,
      run: () => go(`/seams?branch=${encodeURIComponent(ref)}`),
    })),
  ];
}
