import { memo, useEffect, useRef, useState } from 'react';
import { api, type RunView, type TaskRow } from '../api.ts';
import { useLive } from '../live.ts';
import { Badge, Problem } from '../parts/basics.tsx';
import { isAbout } from '../parts/news.ts';
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
/** Room above the first row for speech bubbles: one line per figure. */
const firstRow = ground + 128;
const rowHeight = 92;
const bubbleHeight = 20;
const longestSaying = 26;
/** Figures walk for longer than that: more frequent updates would not be visible. */
const readMs = 1000;

export function Town({ run }: { run: string }) {
  const { value: view, error } = useLive(() => api.run(run), run, isAbout(run), readMs);
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
      <div className="town">
        <Scene view={view} />
        <Crew view={view} />
      </div>
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
  const lowest = Math.max(...[...places.values()].map(({ y }) => y), firstRow);
  const width = rooms.length * roomWidth;
  // If the scene is wider than the screen, start where most of the crew is.
  const crowd = rooms.map((_, at) => view.tasks.filter((task) => roomOf(task) === at).length);
  const middle = (crowd.indexOf(Math.max(...crowd)) + 0.5) / rooms.length;
  const hasLooked = useRef(false);
  const lookAt = (frame: HTMLDivElement | null) => {
    if (!frame || hasLooked.current) return;
    hasLooked.current = true;
    frame.scrollLeft = middle * frame.scrollWidth - frame.clientWidth / 2;
  };
  return (
    <div className="card scroll" ref={lookAt}>
      <svg className="scene" viewBox={`0 0 ${width} ${lowest + 64}`} aria-label={describe(view.tasks)}>
        <title>The town</title>
        <Backdrop width={width} bottom={lowest + 64} isFestive={view.status === 'done'} />
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
          <Figure key={task.id} run={view.run} task={task} place={places.get(task.id) ?? nowhere} />
        ))}
      </svg>
    </div>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
  /** Neighbours' bubbles are stacked, the first one highest; figures behind them speak only on hover. */
  readonly level: number;
  readonly isBehind: boolean;
}

const nowhere: Place = { x: 0, y: 0, level: 0, isBehind: false };

/** The position of every figure: the tasks of a house in rows before it. */
function placesOf(tasks: readonly TaskRow[]): Map<string, Place> {
  const crowds = Map.groupBy(tasks, roomOf);
  return new Map(
    [...crowds].flatMap(([room, crowd]) =>
      crowd.map(({ id }, n): [string, Place] => {
        const [column, row] = [n % perRow, Math.floor(n / perRow)];
        return [
          id,
          {
            x: room * roomWidth + 42 + column * 52,
            y: firstRow + row * rowHeight,
            level: Math.min(perRow, crowd.length - row * perRow) - 1 - column,
            isBehind: row > 0,
          },
        ];
      }),
    ),
  );
}

function House({ x, id, name, count }: { x: number; id: string; name: string; count: number }) {
  const Building = houses[id] ?? houses.office;
  return (
    <g transform={`translate(${x} 0)`} className={`house ${count > 0 ? 'lit' : ''}`}>
      {Building && <Building isLit={count > 0} />}
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
const faces = ['#f3c9a3', '#e3b088', '#c98d63', '#8f5c3d'];
const hairs = ['#4a3526', '#2b2523', '#a8672f', '#d9b25f', '#8d8d92'];

/** A stable look for each task, derived from its id. */
function looksOf(id: string) {
  const number = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return {
    shirt: shirts[number % shirts.length],
    face: faces[(number >>> 3) % faces.length],
    hair: hairs[(number >>> 5) % hairs.length],
    hat: (number >>> 7) % 4,
  };
}

interface FigureProps {
  readonly run: string;
  readonly task: TaskRow;
  readonly place: Place;
}

/** Redrawn only if its appearance changes. */
const Figure = memo(
  DrawnFigure,
  (before, after) =>
    isAlike(before, after) && before.place.x === after.place.x && before.place.y === after.place.y,
);

function isAlike({ task: before }: { task: TaskRow }, { task: after }: { task: TaskRow }): boolean {
  return before.status === after.status && sayingOf(before) === sayingOf(after);
}

function DrawnFigure({ run, task, place }: FigureProps) {
  const walking = useWalking(`${place.x} ${place.y}`);
  const isBusy = task.status === 'running' || task.status === 'revising';
  return (
    <a {...follow(pathTo.task(run, task.id))}>
      <g className="figure" style={{ transform: `translate(${place.x}px, ${place.y}px)` }}>
        <title>{`${task.title}: ${task.status} ${task.doing}`}</title>
        <g className={walking ? 'walking' : ''}>
          <Body task={task} />
        </g>
        <text y={48} textAnchor="middle" className="name">
          {shortened(task.id, 9)}
        </text>
        {isBusy && task.doing !== '' && <Bubble text={shortened(task.doing, longestSaying)} place={place} />}
      </g>
    </a>
  );
}

/** The pose and tools of the figure show the status of its task. */
function Body({ task: { id, status } }: { task: TaskRow }) {
  const { shirt, face, hair, hat } = looksOf(id);
  const isGlad = status === 'accepted';
  const isStuck = status === 'failed' || status === 'escalated';
  return (
    <g transform="scale(1.22)">
      <ellipse className="shade" cx={0} cy={25} rx={13} ry={4} />
      <rect x={-5} y={13} width={4} height={12} rx={2} className="leg" />
      <rect x={1} y={13} width={4} height={12} rx={2} className="leg" />
      <rect x={-9} y={-4} width={18} height={20} rx={7} fill={shirt} />
      <path className="arm" d={isGlad ? 'M-9 1 l-6 -9 M9 1 l6 -9' : 'M-9 1 l-4 9 M9 1 l4 9'} stroke={shirt} />
      {status === 'running' && <path className="tool" d="M13 11 l7 -9 M16 -1 l8 5" />}
      {(status === 'submitted' || status === 'checking') && (
        <g className="paper">
          <rect x={9} y={4} width={11} height={14} rx={1} />
          <path d="M11.5 8 h6 M11.5 11 h6 M11.5 14 h4" />
        </g>
      )}
      <circle cx={0} cy={-12} r={9} fill={face} />
      <path d="M-9 -14 a9 9 0 0 1 18 0 q-9 -5 -18 0" fill={hair} />
      {hat === 0 && <path d="M-9.5 -15 a9.5 8 0 0 1 19 0 Z M6 -15 h9 v2 h-9 Z" fill={shirt} />}
      {hat === 1 && <path d="M-9 -13 q-3 10 1 12 M9 -13 q3 10 -1 12" className="braid" stroke={hair} />}
      {hat === 2 && <circle cx={0} cy={-22} r={3.4} fill={hair} />}
      <circle cx={-3} cy={-11} r={1.2} className="eye" />
      <circle cx={3} cy={-11} r={1.2} className="eye" />
      <path
        className="mouth"
        d={isGlad ? 'M-3.5 -7.5 q3.5 4 7 0' : isStuck ? 'M-3 -5.5 q3 -2.5 6 0' : 'M-2 -6.5 h4'}
      />
      {isStuck && (
        <g className="alarm">
          <circle cx={11} cy={-24} r={7} />
          <text x={11} y={-20} textAnchor="middle">
            !
          </text>
        </g>
      )}
    </g>
  );
}

const letterWidth = 6.7;

function Bubble({ text, place }: { text: string; place: Place }) {
  const width = text.length * letterWidth + 16;
  // The bubble starts above its figure, like a flag on its pole, so that no pole crosses another flag.
  const left = Math.min(-12, rooms.length * roomWidth - 4 - width - place.x);
  const y = -50 - place.level * bubbleHeight;
  return (
    <g className={place.isBehind ? 'bubble behind' : 'bubble'}>
      <path className="stem" d={`M0 -30 V ${y + 6}`} />
      <rect x={left} y={y - 13} width={width} height={18} rx={8} />
      <text x={left + 8} y={y}>
        {text}
      </text>
    </g>
  );
}

/** The same tasks as a list, with the text that does not fit into the scene. */
function Crew({ view }: { view: RunView }) {
  return (
    <ul className="crew">
      {view.tasks.map((task) => (
        <Member key={task.id} run={view.run} task={task} />
      ))}
    </ul>
  );
}

const Member = memo(
  ({ run, task }: Omit<FigureProps, 'place'>) => (
    <li>
      <a className="card" {...follow(pathTo.task(run, task.id))}>
        <svg viewBox="-24 -38 48 72" aria-hidden="true">
          <Body task={task} />
        </svg>
        <div>
          <b>{task.title}</b>
          <Badge status={task.status} />
          <span className="soft small">{sayingOf(task)}</span>
        </div>
      </a>
    </li>
  ),
  isAlike,
);

function sayingOf({ status, doing, waitsFor, reason }: TaskRow): string {
  if (status === 'running' && doing !== '') return doing;
  return waitsFor.length > 0 ? `waits for ${waitsFor.join(', ')}` : reason;
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

const walkMs = 1200;

/** True for a moment after a figure moved: nothing is animated while nothing moves. */
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
