const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** How far work of many similar steps has come, and how long the rest will take at this pace: ` (34 of 180, about 2 min left)`. */
export function paceOf(steps: number, now = () => performance.now()): (done: number) => string {
  const started = now();
  return (done) => {
    if (steps < 10) return '';
    const place = `${done + 1} of ${steps}`;
    const elapsed = now() - started;
    // The first steps say little about the others.
    if (done < 5 || elapsed < 5 * secondMs) return ` (${place})`;
    const left = (elapsed / done) * (steps - done);
    const time = left < minuteMs ? 'less than a minute' : `about ${Math.round(left / minuteMs)} min`;
    return ` (${place}, ${time} left)`;
  };
}
