import { memo, useEffect, useRef, useState } from 'react';
import { api, type RunView, type TaskRow } from '../api.ts';
import { useLive } from '../live.ts';
import { Badge, Problem } from '../parts/basics.tsx';
import { follow, pathTo } from '../route.ts';
import { Backdrop, ground, houses } from './town-houses.tsx';
import './town.css';

interface Room {
  readonly id: string;
  readonly name: string;
  readonly holds: readonly TaskRow['status'][];
}

/** The phases of a task, as houses along a street. */
const rooms: readonly Room[] = [
  { id: 'square', name: 'Square', holds: ['pending', 'ready'] },
  { id: 'workshop', name: 'Workshop', holds: ['running', 'revising'] },
  { id: 'gatehouse', name: 'Gatehouse', holds: ['submitted', 'checking'] },
  { id: 'office', name: 'Office', holds: ['escalated', 'failed', 'skipped'] },
  { id: 'hall', name: 'Town hall', holds: ['accepted'] },
];

const roomWidth = 240;
const perRow = 4;
/** Figures walk for longer than that: reading more often would show nothing more. */
const readMs = 1000;

export function Town({ run }: { run: string }) {
  const { value: view, error } = useLive(
    () => api.run(run),
    run,
    (message) => message !== 'check' && message.run === run,
    readMs,
  );
  if (error) return <Problem error={error} />;
  if (!view) return <p className="soft">Reading…</p>;
  return (
    <>
      <div className="head">
        <div className="grow">
          <div className="crumbs">
            <a {...follow('/')}>Home</a> / <a {...follow(pathTo.run(run))}>{view.title}</a>
          </div>
          <h1>Town</h1>
        </div>
        <Badge status={view.status} />
      </div>
      <Ladder view={view} />
      <Ticker view={view} />
      <Scene view={view} />
    </>
  );
}

function roomOf(task: TaskRow): number {
  return rooms.findIndex(({ holds }) => holds.includes(task.status));
}

function Ladder({ view }: { view: RunView }) {
  return (
    <ol className="ladder">
      {rooms.map(({ id, name }, at) => {
        const here = view.tasks.filter((task) => roomOf(task) === at).length;
        return (
          <li key={id} className={here > 0 ? 'lit' : ''}>
            <strong>{here}</strong> {name}
          </li>
        );
      })}
    </ol>
  );
}

function Scene({ view }: { view: RunView }) {
  const places = placesOf(view.tasks);
  const lowest = Math.max(...places.values().map(({ y }) => y), ground);
  const width = rooms.length * roomWidth;
  return (
    <div className="card scroll">
      <svg className="town" viewBox={`0 0 ${width} ${lowest + 52}`} aria-label={describe(view.tasks)}>
        <title>The town</title>
        <Backdrop width={width} bottom={lowest + 70} />
        {rooms.map(({ id, name }, at) => (
          <House
            key={id}
            id={id}
            name={name}
            x={at * roomWidth + 20}
            count={view.tasks.filter((task) => roomOf(task) === at).length}
          />
        ))}
        {view.tasks.map((task) => (
          <Figure key={task.id} run={view.run} task={task} place={places.get(task.id) ?? { x: 0, y: 0 }} />
        ))}
      </svg>
    </div>
  );
}

/** Where everyone stands: the tasks of a house in rows before it. */
function placesOf(tasks: readonly TaskRow[]): Map<string, { x: number; y: number }> {
  const counts = new Map<number, number>();
  return new Map(
    tasks.map((task) => {
      const room = roomOf(task);
      const n = counts.get(room) ?? 0;
      counts.set(room, n + 1);
      return [
        task.id,
        { x: room * roomWidth + 42 + (n % perRow) * 50, y: ground + 52 + Math.floor(n / perRow) * 66 },
      ];
    }),
  );
}

function House({ x, id, name, count }: { x: number; id: string; name: string; count: number }) {
  const Building = houses[id] ?? houses.office;
  return (
    <g transform={`translate(${x} 0)`} className={`house ${count > 0 ? 'lit' : ''}`}>
      {Building && <Building />}
      <g transform={`translate(100 ${ground - 4})`}>
        <rect
          className="sign"
          x={-name.length * 3.6 - 10}
          y={-11}
          width={name.length * 7.2 + 20}
          height={19}
          rx={5}
        />
        <text textAnchor="middle" y={3}>
          {name}
        </text>
      </g>
    </g>
  );
}

const shirts = ['#e0723a', '#3f7ad9', '#3fa36b', '#b554c4', '#c9a227', '#d14b5f', '#2f9c9c', '#7768d8'];

interface FigureProps {
  readonly run: string;
  readonly task: TaskRow;
  readonly place: { readonly x: number; readonly y: number };
}

/** Drawn again only when something about it looks different. */
const Figure = memo(
  DrawnFigure,
  (before, after) =>
    before.task.status === after.task.status &&
    before.task.doing === after.task.doing &&
    before.place.x === after.place.x &&
    before.place.y === after.place.y,
);

function DrawnFigure({ run, task, place }: FigureProps) {
  const walking = useWalking(`${place.x} ${place.y}`);
  const shirt = shirts[[...task.id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % shirts.length];
  const doing = task.doing === '' ? '' : task.doing.length > 30 ? `${task.doing.slice(0, 29)}…` : task.doing;
  const isBusy = task.status === 'running';
  return (
    <a {...follow(pathTo.task(run, task.id))}>
      <g className="figure" style={{ transform: `translate(${place.x}px, ${place.y}px)` }}>
        <title>{`${task.title}: ${task.status} ${task.doing}`}</title>
        <g className={walking ? 'walking' : ''}>
          <ellipse className="shade" cx={0} cy={25} rx={13} ry={4} />
          <rect x={-5} y={13} width={4} height={12} rx={2} className="leg" />
          <rect x={1} y={13} width={4} height={12} rx={2} className="leg" />
          <rect x={-9} y={-4} width={18} height={20} rx={7} fill={shirt} />
          <path className="arm" d="M-9 1 l-4 9 M9 1 l4 9" stroke={shirt} />
          {isBusy && <path className="tool" d="M13 11 l7 -9 M16 -1 l8 5" />}
          <circle cx={0} cy={-12} r={9} className="face" />
          <path d="M-9 -14 a9 9 0 0 1 18 0 q-9 -5 -18 0" className="hair" />
          <circle cx={-3} cy={-11} r={1.2} />
          <circle cx={3} cy={-11} r={1.2} />
        </g>
        <text y={38} textAnchor="middle" className="name">
          {task.id}
        </text>
        {isBusy && doing !== '' && (
          <g className="bubble" transform="translate(0 -34)">
            <rect x={-doing.length * 3 - 8} y={-13} width={doing.length * 6 + 16} height={20} rx={8} />
            <path d="M-4 7 l4 6 l4 -6 z" />
            <text textAnchor="middle" y={1}>
              {doing}
            </text>
          </g>
        )}
        {(task.status === 'failed' || task.status === 'escalated') && (
          <text className="alarm" y={-26} textAnchor="middle">
            !
          </text>
        )}
      </g>
    </a>
  );
}

const walkMs = 1200;

/** True for the moment after a figure got another place: nothing is animated while nothing moves. */
function useWalking(place: string): boolean {
  const last = useRef(place);
  const [walking, setWalking] = useState(false);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    setWalking(true);
    const timer = setTimeout(() => setWalking(false), walkMs);
    return () => clearTimeout(timer);
  }, [place]);
  return walking;
}

function Ticker({ view }: { view: RunView }) {
  const busy = view.tasks.filter(({ doing, status }) => status === 'running' && doing !== '');
  return (
    <p className="ticker" aria-live="polite">
      {busy.length === 0
        ? 'No agent is at work.'
        : busy.map(({ id, doing }) => `${id}: ${doing}`).join('  ·  ')}
    </p>
  );
}

function describe(tasks: readonly TaskRow[]): string {
  return tasks.map((task) => `${task.title} is in the ${rooms[roomOf(task)]?.name}`).join('. ');
}
