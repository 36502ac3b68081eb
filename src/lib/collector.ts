import { setFlagsFromString } from 'node:v8';
import { knowsFlags } from './compiler.ts';

/**
 * A check ends before its heap is full: marking what is old beside its work was a tenth of one that follows a commit. So
 * new objects get much room at once, and old ones are looked at only when room runs out.
 */
export function collectForShortRuns(): void {
  if (!knowsFlags) return;
  setFlagsFromString('--semi-space-growth-factor=8');
  setFlagsFromString('--no-incremental-marking');
}
