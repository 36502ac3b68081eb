import { factsOfText } from '#code/extraction/read-apart.ts';
import { languageOf } from '#code/languages/index.ts';
import type { Git } from '#git/call/git.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import type { Change } from '#git/trees/tree.ts';
import type { SyntaxReport } from '#schema/gates.ts';

const mostBytes = 2_000_000;

/**
 * Checks that the changed files parse; needs no command of the project. A file that did not parse on the base commit either
 * is not this work's fault, and files in unknown languages are not judged.
 */
export async function checkSyntax(git: Git, changes: readonly Change[]): Promise<SyntaxReport> {
  const reader = new ObjectReader(git);
  try {
    const errors: SyntaxReport['errors'] = [];
    let files = 0;
    for (const { path, oldPath, before, after } of changes) {
      if (after?.kind !== 'file' || !languageOf(path)) continue;
      files += 1;
      const error = await errorIn(reader, path, after.id);
      if (error === null) continue;
      const old = before?.kind === 'file' ? await errorIn(reader, oldPath ?? path, before.id) : null;
      if (old === null) errors.push({ file: path, ...error });
    }
    return { status: errors.length > 0 ? 'fail' : 'pass', files, errors };
  } finally {
    reader.close();
  }
}

async function errorIn(
  reader: ObjectReader,
  path: string,
  id: string,
): Promise<Omit<SyntaxReport['errors'][number], 'file'> | null> {
  const content = await reader.content(id, mostBytes);
  if (!content) return null;
  const problem = (await factsOfText(path, content.toString('utf8')))?.syntaxError;
  return problem ? { line: problem.line, message: problem.message } : null;
}
