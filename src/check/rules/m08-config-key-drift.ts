import type { Rule } from './rule.ts';
import type { Sighting, Survey } from './survey/survey.ts';

export const configKeyDrift = {
  id: 'M08',
  name: 'config-key-drift',
  category: 'dependency',
  severity: 'blocking',
  languages: ['any'],
  precision: 0.8,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'One branch renames or removes a key of a settings file (JSON, YAML, TOML), and another branch adds code that reads it: `config.cache.ttl`, `settings["cache"]["ttl"]`, `config.get("cache.ttl")`.',
  example: { a: ['- cache: { ttl: 60 }', '+ cache: { ttlSeconds: 60 }'], b: ['+ config.cache.ttl * 2'] },
  move: 'Read the new key.',
  proof: ['likely'],
  owner: 'consumer',
  detect: { survey: readsOfLostKeys },
} satisfies Rule;

async function readsOfLostKeys(survey: Survey): Promise<Sighting[]> {
  const found: Sighting[] = [];
  for (const remover of survey.sides) {
    const news = [...(await remover.news())];
    const added = new Set(news.flatMap(([, { keys }]) => keys?.added ?? []));
    for (const [file, { keys }] of news)
      for (const { path, line } of keys?.gone ?? []) {
        if (added.has(path)) continue;
        for (const side of survey.sides) {
          if (side === remover || !survey.isApart(side, remover)) continue;
          const reads = [...(await side.news())].flatMap(([reader, { keys: own }]) =>
            (own?.reads ?? []).flatMap((read) =>
              endsLike(read.path, path) ? [{ side, file: reader, line: read.line, name: path }] : [],
            ),
          );
          const [first, ...more] = reads;
          if (!first) continue;
          found.push({
            key: `${file}#${path}`,
            provider: { side: remover, file, line, name: path, removed: true },
            sites: [first, ...more],
            subject: path,
            confidence: 'likely',
            message: `${remover.ref} takes the key ${path} out of ${file}; ${side.ref} adds code that reads it`,
            suggestion: `read what ${file} has now`,
          });
        }
      }
  }
  return found;
}

/** The whole key, or the key below the section of settings that code receives. */
function endsLike(read: string, key: string): boolean {
  return read === key || key.endsWith(`.${read}`) || read.startsWith(`${key}.`);
}
