import { lazy, Suspense, useEffect, useState } from 'react';
import { api } from './api.ts';
import { startStream, useConnection, useLive } from './live.ts';
import { Home } from './pages/home.tsx';
import { Repositories } from './pages/repositories.tsx';
import { Actions } from './parts/act.tsx';
import { Problem } from './parts/basics.tsx';
import { Boundary } from './parts/boundary.tsx';
import { CommandBar } from './parts/command-bar.tsx';
import { Icon, type IconName } from './parts/icon.tsx';
import { isNews } from './parts/news.ts';
import { useNotifications } from './parts/notify.ts';
import { RepositoryChoice, useRepositories } from './parts/repositories.tsx';
import { StartRun } from './parts/start-run.tsx';
import { follow, pathTo, useRoute } from './route.ts';
import { applyTheme, chooseTheme, storedTheme, type Theme } from './theme.ts';

const Run = lazy(() => import('./pages/run.tsx').then(({ Run: page }) => ({ default: page })));
const Task = lazy(() => import('./pages/task.tsx').then(({ Task: page }) => ({ default: page })));
const SeamsPage = lazy(() =>
  import('./pages/seams-page.tsx').then(({ SeamsPage: page }) => ({ default: page })),
);
const Workflow = lazy(() => import('./pages/workflow.tsx').then(({ Workflow: page }) => ({ default: page })));
const Town = lazy(() => import('./pages/town.tsx').then(({ Town: page }) => ({ default: page })));

/** Whether this address has a page. */
function isPage([page, id]: readonly string[]): boolean {
  if (page === undefined || page === 'seams') return true;
  return ['run', 'town', 'workflow'].includes(page) && id !== undefined;
}

const nextTheme: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

export function App() {
  const { repository, parts, query } = useRoute();
  const { value: home, error } = useLive(api.home, `home ${repository}`, isNews, 500);
  const repositories = useRepositories();
  const others = repositories?.filter(({ key }) => key !== home?.repository.key) ?? null;
  // A server started outside a repository shows nothing before one is chosen.
  const here = repositories?.find(({ isHere }) => isHere);
  const isNowhere = repository === null && repositories !== null && here === undefined;
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const [isBarOpen, setBarOpen] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const connection = useConnection();
  const waiting = home?.inbox.length ?? 0;
  const newest = home?.runs[0]?.run;
  useNotifications(home && others && [...home.inbox, ...others.flatMap(({ inbox }) => inbox)]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream reads the repository from the address
  useEffect(startStream, [repository]);
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
  const item = (icon: IconName, path: string, text: string, isHere: boolean, count = 0) => (
    <a className="item" {...follow(path)} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
      <Icon name={icon} />
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
              Joinery
              {(others?.length ?? 0) === 0 && (
                <small title={home?.repository.path}>{home?.repository.name}</small>
              )}
            </span>
          </div>
          <RepositoryChoice
            rows={repositories ?? []}
            chosen={home?.repository.key ?? repository ?? here?.key ?? null}
          />
          {item('home', '/', 'Home', page === undefined, waiting)}
          {!isNowhere && item('seams', '/seams', 'Seams', page === 'seams')}
          {newest && item('run', pathTo.run(newest), 'Newest run', page === 'run' && id === newest)}
          {newest && item('town', pathTo.town(newest), 'Town', page === 'town')}
          <button type="button" className="item push" onClick={() => setBarOpen(true)}>
            <Icon name="commands" />
            Commands <kbd>Ctrl K</kbd>
          </button>
          <button type="button" className="item" onClick={toggleTheme}>
            <Icon name={theme} />
            Theme: {theme}
          </button>
          {connection === 'waiting' && (
            <span className="badge tone-warn" role="status">
              reconnecting
            </span>
          )}
        </nav>
        <main>
          {connection === 'refused' && (
            <Problem
              error={{
                message: 'The server was restarted and does not know this browser.',
                hint: 'open the link that joinery ui has printed',
              }}
            />
          )}
          <Boundary key={`${repository} ${parts.join('/')}`}>
            <Suspense fallback={<p className="soft">Loading…</p>}>
              {page === undefined &&
                (isNowhere ? (
                  <Repositories rows={repositories} />
                ) : (
                  <Home
                    home={home}
                    error={error}
                    others={others ?? []}
                    isDemo={query.has('demo')}
                    start={() => setStarting(true)}
                  />
                ))}
              {page === 'seams' && <SeamsPage query={query} />}
              {page === 'workflow' && id !== undefined && <Workflow run={id} />}
              {page === 'town' && id !== undefined && <Town run={id} />}
              {page === 'run' &&
                id !== undefined &&
                (task === undefined ? <Run run={id} /> : <Task run={id} task={task} />)}
              {!isPage(parts) && <Nowhere />}
            </Suspense>
          </Boundary>
        </main>
      </div>
      {isBarOpen && (
        <CommandBar
          home={home}
          others={others ?? []}
          close={() => setBarOpen(false)}
          toggleTheme={toggleTheme}
          start={() => setStarting(true)}
        />
      )}
      {isStarting && <StartRun close={() => setStarting(false)} />}
    </Actions>
  );
}

function Nowhere() {
  return (
    <>
      <div className="head">
        <h1>Nothing here</h1>
      </div>
      <Problem
        error={{ message: `There is no page ${location.pathname}.`, hint: 'go Home, or press Ctrl-K' }}
      />
    </>
  );
}
