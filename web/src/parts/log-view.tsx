import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import type { LogLine } from './event-line.ts';
import './log-view.css';

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

const count = (lines: readonly LogLine[]) => lines.length.toLocaleString('en');

/** A log of any length: only the visible lines exist in the page. */
export function LogView({ lines, label }: { lines: readonly LogLine[]; label: string }) {
  const [search, setSearch] = useState('');
  const [isFollowing, setFollowing] = useState(true);
  const wanted = useDeferredValue(search.toLowerCase());
  const shown =
    wanted === '' ? lines : lines.filter(({ text, who }) => `${who} ${text}`.toLowerCase().includes(wanted));
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 24,
    overscan: 20,
  });
  const last = shown.length - 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer is the same object in every render
  useEffect(() => {
    if (isFollowing && last >= 0) rows.scrollToIndex(last, { align: 'end' });
  }, [last, isFollowing]);
  return (
    <section className="card log" aria-label={label}>
      <header>
        <input
          type="search"
          placeholder="Search the log"
          aria-label="Search the log"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <span className="soft small grow">
          {shown.length === lines.length
            ? `${count(lines)} lines`
            : `${count(shown)} of ${count(lines)} lines`}
        </span>
        <label className="row small">
          <input
            type="checkbox"
            checked={isFollowing}
            onChange={(event) => setFollowing(event.target.checked)}
          />
          follow
        </label>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      <div ref={frame} className="lines" tabIndex={0} role="log" aria-label={label}>
        <div style={{ height: rows.getTotalSize() }} className="inner">
          {rows.getVirtualItems().map(({ index, start }) => {
            const line = shown[index];
            return (
              line && (
                <div
                  key={line.seq}
                  data-index={index}
                  ref={rows.measureElement}
                  className="entry"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <time title={new Date(line.at).toLocaleString()}>{clock.format(new Date(line.at))}</time>
                  <span className="who">{line.who}</span>
                  <span className={`text ${line.tone}`}>{line.text}</span>
                </div>
              )
            );
          })}
        </div>
      </div>
    </section>
  );
}
