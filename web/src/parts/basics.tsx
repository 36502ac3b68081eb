import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { useNow } from '../live.ts';
import { follow } from '../route.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'mute';

const tones: Readonly<Record<string, Tone>> = {
  accepted: 'good',
  done: 'good',
  pass: 'good',
  fits: 'good',
  running: 'busy',
  checking: 'busy',
  submitted: 'busy',
  revising: 'warn',
  awaiting_human: 'warn',
  escalated: 'warn',
  stale: 'warn',
  warn: 'warn',
  important: 'warn',
  inconclusive: 'warn',
  failed: 'bad',
  fail: 'bad',
  blocking: 'bad',
  blocked: 'bad',
};

const words: Readonly<Record<string, string>> = {
  awaiting_human: 'needs you',
  escalated: 'needs you',
  fits: 'fits',
  unknown: 'not checked',
  stale: 'check again',
};

export function toneOf(status: string): Tone {
  return tones[status] ?? 'mute';
}

/** 'awaiting_human' → 'needs you' */
export function wordOf(status: string): string {
  return words[status] ?? status;
}

export function Badge({ status, children }: { status: string; children?: ReactNode }) {
  return <span className={`badge tone-${toneOf(status)}`}>{children ?? wordOf(status)}</span>;
}

export function Card(props: {
  title?: ReactNode;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={`card ${props.className ?? ''}`}>
      {props.title !== undefined && (
        <header>
          <h2 className="grow">{props.title}</h2>
          {props.aside}
        </header>
      )}
      {props.children}
    </section>
  );
}

export function Empty({ children, command }: { children: ReactNode; command?: string }) {
  return (
    <div className="empty">
      <div>{children}</div>
      {command !== undefined && <code>{command}</code>}
    </div>
  );
}

export function Problem({ error }: { error: { message: string; hint: string } }) {
  return (
    <Card className="ask">
      <div className="body" role="alert">
        <h1 className="problem">{error.message}</h1>
        {error.hint !== '' && <p className="soft">Next: {error.hint}</p>}
        <p>
          <a className="btn" {...follow('/')}>
            Home
          </a>
        </p>
      </div>
    </Card>
  );
}

const units: readonly [number, string][] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** 75 → '1 min 15 s' */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const at = units.findIndex(([size]) => whole >= size);
  const [size, name] = units[at] ?? [1, 's'];
  const next = units[at + 1];
  const rest = next ? Math.floor((whole % size) / next[0]) : 0;
  return `${Math.floor(whole / size)} ${name}${next && rest > 0 && size <= 3600 ? ` ${rest} ${next[1]}` : ''}`;
}

/** Relative, with the exact time on hover. */
export function Time({ at }: { at: string }) {
  const now = useNow(15_000);
  const seconds = (now - Date.parse(at)) / 1000;
  const text = seconds < 5 ? 'just now' : `${formatDuration(seconds).split(' ').slice(0, 2).join(' ')} ago`;
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {text}
    </time>
  );
}

export function Elapsed({ from, to }: { from: string; to: string | null }) {
  return to === null ? (
    <Running from={from} />
  ) : (
    <>{formatDuration((Date.parse(to) - Date.parse(from)) / 1000)}</>
  );
}

function Running({ from }: { from: string }) {
  return <>{formatDuration((useNow() - Date.parse(from)) / 1000)}</>;
}

export function formatUsd(usd: number): string {
  return usd === 0 ? '$0' : usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;
}

export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(2)}M`;
}

export function Meter({ parts, label }: { parts: readonly { share: number; tone: Tone }[]; label: string }) {
  return (
    <div className="meter" role="img" aria-label={label}>
      {parts
        .filter(({ share }) => share > 0)
        .map(({ share, tone }) => (
          <i
            key={tone}
            style={{
              width: `${Math.min(1, share) * 100}%`,
              background: `var(--${tone === 'mute' ? 'line-strong' : tone})`,
            }}
          />
        ))}
    </div>
  );
}

const narrow = typeof matchMedia === 'undefined' ? null : matchMedia('(max-width: 720px)');

/** On a phone, lists are more readable than graphs. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (tell) => {
      narrow?.addEventListener('change', tell);
      return () => narrow?.removeEventListener('change', tell);
    },
    () => narrow?.matches ?? false,
  );
}

/** Preformatted text in a separate box: long ones scroll, also by keyboard. */
export function Verbatim({ children, isSmall = false }: { children: ReactNode; isSmall?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached
    <pre className={`prompt ${isSmall ? 'small' : ''}`} tabIndex={0}>
      {children}
    </pre>
  );
}

export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<string | null>(null);
  return (
    <button
      type="button"
      className="btn"
      onClick={async () => {
        // The clipboard is only available on localhost or over TLS.
        const isDone = await navigator.clipboard?.writeText(text).then(
          () => true,
          () => false,
        );
        setOutcome(isDone ? 'Copied' : 'Not copied');
        setTimeout(() => setOutcome(null), 1500);
      }}
    >
      {outcome ?? label}
    </button>
  );
}

export function Tabs<T extends string>(props: {
  tabs: readonly (readonly [NoInfer<T>, ReactNode])[];
  chosen: T;
  choose: (tab: NoInfer<T>) => void;
  label: string;
}) {
  const move = (step: number) => {
    const at = props.tabs.findIndex(([id]) => id === props.chosen);
    const next = props.tabs[(at + step + props.tabs.length) % props.tabs.length];
    if (next) props.choose(next[0]);
  };
  return (
    <div
      className="tabs"
      role="tablist"
      aria-label={props.label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') move(1);
        if (event.key === 'ArrowLeft') move(-1);
      }}
    >
      {props.tabs.map(([id, text]) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === props.chosen}
          tabIndex={id === props.chosen ? 0 : -1}
          onClick={() => props.choose(id)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
