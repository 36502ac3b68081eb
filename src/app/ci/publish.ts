import type { Forge } from '#ci/forge.ts';
import { ApiError } from '#ci/http/api-error.ts';
import { isOwn, marker, planComment } from '#ci/judge/choose-comment.ts';
import type { CiReport } from '#schema/ci-report.ts';

interface Published<Outcome> {
  readonly outcome: Outcome;
  /** Why it failed. */
  readonly note: string | null;
}

/** Keeps one Joinery comment on a pull request: creates it, edits it in place, or leaves it unchanged. */
export async function publishComment(
  forge: Forge,
  number: number,
  { body, hasFindings }: { readonly body: string; readonly hasFindings: boolean },
): Promise<Published<CiReport['comment']>> {
  try {
    return { outcome: await writeComment(forge, number, body, hasFindings), note: null };
  } catch (error) {
    return refused(error, 'the comment could not be written');
  }
}

async function writeComment(
  forge: Forge,
  number: number,
  body: string,
  hasFindings: boolean,
): Promise<CiReport['comment']> {
  const marked = (await forge.comments(number)).filter((comment) => comment.body.startsWith(marker));
  const self = marked.some(({ isBot }) => !isBot) ? await forge.self() : null;
  const plan = planComment(
    marked.filter((comment) => isOwn(comment, self)),
    body,
    hasFindings,
  );
  if (plan.action === 'create') {
    await forge.addComment(number, body);
    return 'created';
  }
  if (plan.action === 'update') await forge.changeComment(number, plan.id, body);
  for (const id of plan.surplus) await forge.removeComment(number, id);
  return plan.action === 'update' ? 'updated' : plan.action;
}

export async function publishSarif(forge: Forge, sarif: string): Promise<Published<CiReport['sarif']>> {
  if (!forge.uploadSarif) return { outcome: 'none', note: null };
  try {
    await forge.uploadSarif(sarif);
    return { outcome: 'uploaded', note: null };
  } catch (error) {
    return refused(error, 'the SARIF report could not be uploaded');
  }
}

/** A forge that refuses a comment does not change the verdict; the report mentions it. */
function refused(error: unknown, what: string): Published<'refused'> {
  if (!(error instanceof ApiError)) throw error;
  return { outcome: 'refused', note: `${what}: ${error.message}; ${error.hint}` };
}
