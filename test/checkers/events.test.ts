import { proveEvents } from '../support/prove-events.ts';

proveEvents('c11/py-', { program: 'python3', oracle: 'event-oracle.py', fewest: 10 });
