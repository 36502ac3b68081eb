import { proveEvents } from '#test/support/prove-events.ts';

proveEvents('c11/ts-', { program: process.execPath, oracle: 'event-oracle.js', fewest: 16 });
