import { findSecrets, type SecretSite } from '#lib/find-secrets.ts';
import { compileGlobs } from '#lib/glob.ts';
import { secretFingerprint } from '#lib/secret-fingerprint.ts';
import type { GroundingPolicy } from '#schema/grounding.ts';
import type { FileChange } from './change.ts';

export interface FoundSecret extends SecretSite {
  readonly file: string;
  readonly fingerprint: string;
  /** A person has marked it as not secret. */
  readonly isAllowed: boolean;
}

/** Secrets in the added lines of a file, except in files that the project excludes. */
export function secretFinder({
  notSecret,
  allowedSecrets,
}: Pick<GroundingPolicy, 'notSecret' | 'allowedSecrets'>): (file: FileChange) => FoundSecret[] {
  const isExempt = compileGlobs(notSecret);
  const allowed = new Set(allowedSecrets);
  return ({ path, lines }) => {
    if (isExempt(path)) return [];
    const sites = findSecrets(path, lines.added);
    if (sites.length === 0) return [];
    const texts = new Map(lines.added.map(({ line, text }) => [line, text]));
    return sites.map((site) => {
      const fingerprint = secretFingerprint(path, site.kind, texts.get(site.line) ?? '');
      return { ...site, file: path, fingerprint, isAllowed: allowed.has(fingerprint) };
    });
  };
}
