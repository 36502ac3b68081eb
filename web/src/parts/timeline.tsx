import type { AttemptRow, RunView } from '../api.ts';
import { useNow } from '../live.ts';
import { follow, pathTo } from '../route.ts';
import { Card, formatDuration, type Tone, toneOf } from './basics.tsx';
import './timeline.css';

const width = 1000;
const rowHeight = 30;
const labelWidth = 190;

/** Every attempt as a bar, with marks for its problems. */
export function Timeline({ view }: { view: RunView }) {
  const now = useNow(2000);
  const start = Date.parse(view.createdAt);
  const isOver = view.tasks.every(({ attempts }) => attempts.every(({ endedAt }) => endedAt !== null));
  const end = Math.max(isOver || view.holder === null ? Date.parse(view.at) : now, start + 1000);
  const scale = (at: number) => labelWidth + ((at - start) / (end - start)) * (width - labelWidth - 20);
  const height = view.tasks.length * rowHeight + 30;
  const ticks = ticksOf((end - start) / 1000);
  return (
    <Card>
      <div className="body scroll">
        <svg viewBox={`0 0 ${width} ${height}`} className="timeline" aria-label="Attempts over time">
          <title>Attempts over time</title>
          {ticks.map((seconds) => (
            <g key={seconds}>
              <line
                x1={scale(start + seconds * 1000)}
                x2={scale(start + seconds * 1000)}
                y1={20}
                y2={height}
              />
              <text x={scale(start + seconds * 1000)} y={13} textAnchor="middle">
                {formatDuration(seconds)}
              </text>
            </g>
          ))}
          {view.tasks.map((task, row) => (
            <g key={task.id} transform={`translate(0 ${row * rowHeight + 24})`}>
              <a {...follow(pathTo.task(view.run, task.id))}>
                <text x={0} y={18} className="label">
                  {task.title.length > 26 ? `${task.title.slice(0, 25)}…` : task.title}
                </text>
              </a>
              {task.attempts.map((attempt) => {
                const from = scale(Date.parse(attempt.startedAt));
                const to = scale(attempt.endedAt === null ? end : Date.parse(attempt.endedAt));
                const issues = attempt.findings.length + attempt.incidents.length;
                return (
                  <g key={attempt.n}>
                    <rect
                      x={from}
                      y={4}
                      width={Math.max(3, to - from)}
                      height={18}
                      rx={4}
                      className={toneOfAttempt(attempt)}
                    >
                      <title>{titleOf(attempt)}</title>
                    </rect>
                    {issues > 0 && (
                      <circle cx={Math.max(from + 3, to - 5)} cy={13} r={4} className="mark">
                        <title>{`${issues} issues`}</title>
                      </circle>
                    )}
                  </g>
                );
              })}
            </g>
          ))}
        </svg>
      </div>
    </Card>
  );
}

function toneOfAttempt({ verdict, outcome }: AttemptRow): Tone {
  if (outcome === null) return 'busy';
  if (verdict === 'approve') return 'good';
  return verdict === null ? 'mute' : verdict === 'revise' ? 'warn' : toneOf('failed');
}

function titleOf({ n, driver, model, startedAt, endedAt, outcome, verdict, findings }: AttemptRow): string {
  const took =
    endedAt === null ? 'still running' : formatDuration((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
  return [
    `attempt ${n}: ${driver}${model === null ? '' : ` (${model})`}, ${took}`,
    `${outcome ?? 'at work'}${verdict === null ? '' : `, verdict ${verdict}`}`,
    ...findings.slice(0, 5).map(({ message }) => message),
  ].join('\n');
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 86_400];

function ticksOf(seconds: number): number[] {
  const step = steps.find((size) => seconds / size <= 8) ?? 86_400;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, n) => n * step);
}
