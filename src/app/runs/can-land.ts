import type { RunState } from '#crew/state/state.ts';
import { EngineError } from '#durable/engine-error.ts';
import { whyNotLand } from '#integrate/land/land.ts';
import { compileGlobs } from '#lib/glob.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { Question } from '#schema/run.ts';
import type { RunRoom } from './run-room.ts';

/** A yes to landing that cannot be carried out now is refused: otherwise the same question would come back under another id. */
export async function assertCanLand(
  { repository, config }: Pick<RunRoom, 'repository' | 'config'>,
  { target }: Pick<RunState, 'target'>,
  { id, kind }: Pick<Question, 'id' | 'kind'>,
  answer: string,
): Promise<void> {
  if (kind !== 'land' || answer !== 'land' || target === null) return;
  const isProtected = compileGlobs(config.run.protected)(target);
  const reason = await whyNotLand(repository, { ref: `refs/heads/${target}`, isProtected });
  if (reason === null) return;
  throw new EngineError('cannot-land', `${reason}, so nothing landed and ${id} is still open`, {
    exitCode: exitCodes.needsPerson,
    hint: `put that right, then: joinery questions answer ${id} land; or leave it on its branch: joinery questions answer ${id} keep`,
  });
}
