import { fileURLToPath } from 'node:url';

/** Top of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));
