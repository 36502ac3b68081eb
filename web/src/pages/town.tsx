import { useEffect, useRef, useState } from 'react';
import { api, type RunView, type TaskRow } from '../api.ts';
import { useLive } from '../live.ts';
import { Badge, Problem } from '../parts/basics.tsx';
import { follow, pathTo } from '../route.ts';
import './town.css';

interface Room {
  readonly id: string;
  readonly name: string;
  readonly holds: readonly TaskRow['status'][];
  readonly roof: string;
}

/** The phases of a task, as houses along a street. */
const rooms: readonly Room[] = [
  { id: 'square', name: 'Square', holds: ['pending', 'ready'], roof: '#7d8aa5' },
  { id: 'workshop', name: 'Workshop', holds: ['running', 'revising'], roof: '#3b6fd4' },
  { id: 'gatehouse', name: 'Gatehouse', holds: ['submitted', 'checking'], roof: '#7a55c7' },
  { id: 'office', name: 'Office', holds: ['escalated', 'failed', 'skipped'], roof: '#c2542d' },
  { id: 'hall', name: 'Town hall', holds: ['accepted'], roof: '#2f8f57' },
];

const roomWidth = 240;
const ground = 250;
const perRow = 4;

export function Town({ run }: { run: string }) {
  const { value: view, error } = useLive(
    () => api.run(run),
    run,
    (message) => message !== 'check' && message.run === run,
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
      <Scene view={view} />
      <Ticker view={view} />
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
      <svg className="town" viewBox={`0 0 ${width} ${lowest + 50}`} aria-label={describe(view.tasks)}>
        <title>The town</title>
        <rect className="sky" width={width} height={ground - 20} />
        <circle className="sun" cx={width - 90} cy={52} r={26} />
        <path
          className="hills"
          d={`M0 ${ground - 20} Q 160 120 340 ${ground - 30} T 720 ${ground - 34} T ${width} ${ground - 20} Z`}
        />
        <rect className="street" y={ground - 20} width={width} height={lowest + 90 - ground} />
        {rooms.map(({ id, name, roof }, at) => (
          <House key={id} x={at * roomWidth + 20} name={name} roof={roof} isTall={id === 'hall'} />
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
        { x: room * roomWidth + 42 + (n % perRow) * 50, y: ground + 34 + Math.floor(n / perRow) * 62 },
      ];
    }),
  );
}

function House({ x, name, roof, isTall }: { x: number; name: string; roof: string; isTall: boolean }) {
  const top = isTall ? 70 : 100;
  return (
    <g transform={`translate(${x} 0)`}>
      <rect className="wall" x={14} y={top + 36} width={172} height={ground - 56 - top} rx={4} />
      <path d={`M4 ${top + 40} L100 ${top} L196 ${top + 40} Z`} fill={roof} />
      {isTall && <path d={`M100 ${top} v-26 l22 7 l-22 7`} fill={roof} stroke={roof} strokeWidth={2} />}
      <rect className="door" x={86} y={ground - 62} width={28} height={42} rx={4} />
      <rect className="pane" x={34} y={top + 58} width={30} height={26} rx={3} />
      <rect className="pane" x={136} y={top + 58} width={30} height={26} rx={3} />
      <text x={100} y={ground - 2} textAnchor="middle">
        {name}
      </text>
    </g>
  );
}

const shirts = ['#e0723a', '#3f7ad9', '#3fa36b', '#b554c4', '#c9a227', '#d14b5f', '#2f9c9c', '#7768d8'];

function Figure({ run, task, place }: { run: string; task: TaskRow; place: { x: number; y: number } }) {
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
