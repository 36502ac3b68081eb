import { symbolId } from '#schema/identity.ts';
import { type ExtinctName, extinctNames } from './names/extinct-names.ts';
import { type LostThing, lostThings } from './names/lost-things.ts';
import type { Rule } from './rule.ts';
import type { Sighting, Survey } from './survey/survey.ts';

export const extinctName = {
  id: 'N01',
  name: 'extinct-name',
  category: 'naming',
  // 0 alarms in 1,035 clean merges (limit 2 %); found a true clash of a merge that people had to repair (docs/accuracy.md).
  severity: 'blocking',
  languages: ['any'],
  precision: 0.9,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'One branch takes a name out of the whole tree, by renaming or deleting it, and another branch uses it in new code: an environment variable, a translation or feature-flag key, an event, a CSS class, a CI job, a path. Works in every language, because it compares texts. A more specific rule about the name replaces it.',
  example: { a: ['- DATABASE_URL=…', '+ DB_URL=…'], b: ['+ connect(process.env.DATABASE_URL)'] },
  move: 'Use the new name, or keep the old one until its last use is gone.',
  proof: ['likely'],
  owner: 'consumer',
  givesWay: true,
  detect: { survey: usesOfExtinctNames },
} satisfies Rule;

async function usesOfExtinctNames(survey: Survey): Promise<Sighting[]> {
  const lost = await lostThings(survey);
  const extinct = (await extinctNames(survey)).filter(
    ({ name, remover, user }) =>
      !lost.some((each) => each.thing.name === name && each.remover === remover && each.user === user),
  );
  return [...lost.map(ofLostThing), ...extinct.flatMap(ofExtinctName)];
}

function ofLostThing({ thing: { role, name, line }, remover, file, user, uses }: LostThing): Sighting {
  return {
    key: `${role} ${name}`,
    provider: { side: remover, file, line, name, removed: true },
    sites: uses,
    subject: `${role} ${name}`,
    confidence: 'likely',
    message: `${remover.ref} has no ${role} ${name} any more; ${user.ref} uses it in new lines`,
    suggestion: `use what ${remover.ref} has instead of ${name}`,
  };
}

function ofExtinctName({ name, remover, was, successor, user, uses }: ExtinctName): Sighting[] {
  const [first, ...more] = uses.map((use) => ({ ...use, side: user, name }));
  if (!first) return [];
  return [
    {
      key: symbolId(was.file, name),
      provider: { ...was, side: remover, name, removed: true },
      sites: [first, ...more],
      // Rules that follow `shop.mail.send` to its definition report `send`.
      subject: [name, name.slice(name.lastIndexOf('.') + 1)],
      confidence: 'likely',
      message: `${remover.ref} takes ${name} out of the whole tree; ${user.ref} uses it in new code`,
      suggestion:
        successor === null
          ? `use what ${remover.ref} has instead of ${name}`
          : `use ${successor} instead of ${name}`,
    },
  ];
}
