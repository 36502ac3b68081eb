import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part } from '../part.ts';
import { runAlarms } from './alarms.ts';
import { runLarge } from './large.ts';
import { runMutants } from './mutants.ts';
import { runPlanted } from './planted.ts';

export const review: Part = {
  name: 'review',
  summary: 'planted defects and scripted reviewers; false alarms for secrets; large diffs',
  async run({ full }) {
    const root = mkdtempSync(join(tmpdir(), 'joinery-bench-'));
    try {
      return [await runPlanted(root), runAlarms(), await runLarge(root, full ? 5 : 1)].join('\n\n');
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};

export const reviewMutants: Part = {
  name: 'review-mutants',
  summary: 'mutation score of our own validators of reviews',
  async run({ full }) {
    const root = mkdtempSync(join(tmpdir(), 'joinery-bench-'));
    try {
      return await runMutants(root, full ? 200 : 8);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};
