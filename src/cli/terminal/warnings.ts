/** Node 22 calls its SQLite experimental. We have decided to use it, and users cannot do anything about the warning. */
const known = /^SQLite is an experimental feature/;

/** Node prints the warnings of its process through a listener; this one takes its place. */
export function hideKnownWarnings(): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => {
    if (!known.test(message)) process.stderr.write(`${name}: ${message}\n`);
  });
}
