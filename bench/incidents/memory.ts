import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { benchFolder } from '../corpora.ts';
import { type Answer, ask } from './ask.ts';
import type { Pair } from './rebuild.ts';
import type { Store } from './store.ts';

/** Asks each pair once per build: a run that was stopped goes on where it was. Of CPU time the first asking counts. */
export async function askOnce(
  command: string,
  store: Store,
  pair: Pair,
  confirm: 'none' | 'types',
): Promise<Answer> {
  const question = [buildOf(command), confirm, pair.base, pair.earlier, pair.later];
  const file = join(benchFolder('incidents'), createHash('sha256').update(question.join('\n')).digest('hex'));
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Answer;
  const answer = await ask(command, store, pair, confirm);
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(answer));
  renameSync(`${file}.${process.pid}`, file);
  return answer;
}

const builds = new Map<string, string>();

/** What the code of a published command is, whatever folder it was published into. */
function buildOf(command: string): string {
  const known = builds.get(command);
  if (known !== undefined) return known;
  const root = dirname(dirname(command));
  const hash = createHash('sha256');
  const scripts = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
  for (const path of scripts.filter((each) => each.endsWith('.js')).sort())
    hash.update(`${path}\n`).update(readFileSync(join(root, 'dist', path)));
  const build = hash.digest('hex');
  builds.set(command, build);
  return build;
}
