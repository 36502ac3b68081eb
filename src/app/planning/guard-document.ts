import { type Guarded, guard } from '#planning/guardian/guardian.ts';
import type { SpecFile } from '#planning/spec/spec.ts';
import { UsageError } from '#schema/errors.ts';
import type { GuardianReport } from '#schema/planning.ts';
import type { ConsultWish, PlanRoom } from './plan-room.ts';

/** The vision document: the named one, else the one from the config; null if there is none. */
export function visionOf(room: PlanRoom, named: string | undefined): SpecFile | null {
  if (named !== undefined) return room.spec(named);
  const { vision } = room.config.planning;
  return vision === undefined ? null : room.specAtTop(vision);
}

export async function guardDocument(
  room: PlanRoom,
  wish: ConsultWish,
  vision: SpecFile,
  document: Pick<SpecFile, 'path' | 'text'>,
): Promise<Guarded> {
  const { consult, close } = room.consultant(wish);
  try {
    const role = room.role('guardian').text;
    return await guard({ role, vision, document }, consult);
  } finally {
    await close();
  }
}

export async function guardFile(
  room: PlanRoom,
  wish: ConsultWish & { readonly file: string; readonly vision: string | undefined },
): Promise<GuardianReport> {
  const vision = visionOf(room, wish.vision);
  if (vision === null) {
    throw new UsageError({
      code: 'no-vision',
      message: 'there is no vision to compare it with',
      hint: 'name one: --vision docs/vision.md, or config "planning.vision"',
    });
  }
  const document = room.spec(wish.file);
  const { guardian, consultations } = await guardDocument(room, wish, vision, document);
  return {
    schema: 'joinery/guardian@1',
    ...guardian,
    file: document.path,
    vision: vision.path,
    consultations: [...consultations],
  };
}
