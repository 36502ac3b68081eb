import { visible } from '#lib/visible.ts';
import type { ArtifactReport } from '#schema/artifact-report.ts';

/** One line per artifact: name, start of its hash, size, sections. */
export function renderArtifacts({ run, artifacts }: ArtifactReport): string {
  if (artifacts.length === 0) return `Run ${run} has no artifacts yet.\n`;
  const name = Math.max(0, ...artifacts.map((artifact) => artifact.name.length));
  const size = Math.max(0, ...artifacts.map(({ bytes }) => String(bytes).length));
  return `${artifacts
    .map((artifact) => {
      const sections = artifact.sections.length === 0 ? '' : `  #${artifact.sections.join(' #')}`;
      const figures = `${artifact.sha256.slice(0, 12)}  ${String(artifact.bytes).padStart(size)} bytes`;
      return `${visible(artifact.name).padEnd(name)}  ${figures}${visible(sections)}`;
    })
    .join('\n')}\n`;
}
