/** Node 22 calls its SQLite experimental. We chose to use it, and users cannot do anything about the warning. */
const known = /^SQLite is an experimental feature/;

/** Replaces Node's listener that prints process warnings. */
export function hideKnownWarnings(): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => {
    if (!known.test(message)) process.stderr.write(`${name}: ${message}\n`);
  });
}
