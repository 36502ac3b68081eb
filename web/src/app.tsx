import { lazy, Suspense, useEffect, useState } from 'react';
import { api } from './api.ts';
import { useConnected, useLive } from './live.ts';
import { Home } from './pages/home.tsx';
import { Actions } from './parts/act.tsx';
import { Boundary } from './parts/boundary.tsx';
import { CommandBar } from './parts/command-bar.tsx';
import { useNotifications } from './parts/notify.ts';
import { follow, useRoute } from './route.ts';
import { applyTheme, chooseTheme, storedTheme, type Theme } from './theme.ts';

const Run = lazy(() => import('./pages/run.tsx').then(({ Run: page }) => ({ default: page })));
const Task = lazy(() => import('./pages/task.tsx').then(({ Task: page }) => ({ default: page })));
const SeamsPage = lazy(() =>
  import('./pages/seams-page.tsx').then(({ SeamsPage: page }) => ({ default: page })),
);
const Town = lazy(() => import('./pages/town.tsx').then(({ Town: page }) => ({ default: page })));

const nextTheme: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

export function App() {
  const { parts, query } = useRoute();
  const { value: home } = useLive(
    api.home,
    'home',
    (message) => message === 'check' || isNews(message.event.type),
  );
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const [isBarOpen, setBarOpen] = useState(false);
  const isConnected = useConnected();
  const waiting = home?.inbox.length ?? 0;
  useNotifications(home?.inbox ?? null);

  useEffect(() => applyTheme(theme), [theme]);
  useEffect(() => {
    const name = home?.repository.name ?? 'Joinery';
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${name} · Joinery`;
  }, [home?.repository.name, waiting]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setBarOpen((open) => !open);
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  const [page, id, , task] = parts;
  const toggleTheme = () => {
    const chosen = nextTheme[theme];
    setTheme(chosen);
    chooseTheme(chosen);
  };
  const item = (path: string, text: string, isHere: boolean, count = 0) => (
    <a className="item" {...follow(path)} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
      {text}
      {count > 0 && <span className="count">{count}</span>}
    </a>
  );
  return (
    <Actions>
      <div className="shell">
        <nav className="side" aria-label="Main">
          <div className="brand">
            <img src="/icon.svg" alt="" />
            <span>
              Joinery<small title={home?.repository.path}>{home?.repository.name}</small>
            </span>
          </div>
          {item('/', 'Home', page === undefined, waiting)}
          {item('/seams', 'Seams', page === 'seams')}
          {home?.runs[0] &&
            item(`/run/${encodeURIComponent(home.runs[0].run)}`, 'Newest run', page === 'run')}
          {home?.runs[0] && item(`/town/${encodeURIComponent(home.runs[0].run)}`, 'Town', page === 'town')}
          <button type="button" className="item push" onClick={() => setBarOpen(true)}>
            Commands <kbd className="soft small">Ctrl K</kbd>
          </button>
          <button type="button" className="item" onClick={toggleTheme}>
            Theme: {theme}
          </button>
          {!isConnected && (
            <span className="badge tone-warn" role="status">
              reconnecting
            </span>
          )}
        </nav>
        <main>
          <Boundary key={parts.join('/')}>
            <Suspense fallback={<p className="soft">Loading…</p>}>
              {page === undefined && <Home />}
              {page === 'seams' && <SeamsPage query={query} />}
              {page === 'town' && id !== undefined && <Town run={id} />}
              {page === 'run' &&
                id !== undefined &&
                (task === undefined ? <Run run={id} /> : <Task run={id} task={task} />)}
            </Suspense>
          </Boundary>
        </main>
      </div>
      {isBarOpen && <CommandBar home={home} close={() => setBarOpen(false)} toggleTheme={toggleTheme} />}
    </Actions>
  );
}

/** Events that change what the side shows. */
function isNews(type: string): boolean {
  return (
    type.startsWith('run.') ||
    type.startsWith('question.') ||
    type === 'step.failed' ||
    type === 'step.escalated'
  );
}
