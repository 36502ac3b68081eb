import { compileGlobs } from '#lib/glob.ts';
import type { Gate, GateDefinitions, GateMode } from '#schema/gates.ts';

/**
 * The gates that work on these files has to pass. Gates outside of any subsystem always run; those of a subsystem run
 * when one of its files is among them. When no file belongs to any subsystem, it is unknown which gates do not
 * matter, and all run.
 */
export function selectGates(
  { gates, subsystems }: GateDefinitions,
  files: readonly string[],
  mode: GateMode,
): Gate[] {
  const touched = touchedSubsystems(subsystems, files);
  return gates.filter(
    ({ kind, subsystem }) =>
      (mode === 'full' || kind === 'lint' || kind === 'typecheck') &&
      (subsystem === null || touched.length === 0 || touched.includes(subsystem)),
  );
}

function touchedSubsystems(subsystems: GateDefinitions['subsystems'], files: readonly string[]): string[] {
  return Object.entries(subsystems).flatMap(([name, globs]) => {
    const isInside = compileGlobs(globs);
    // A declared folder stands for whatever will be in it.
    return files.some((file) => isInside(file) || (file.endsWith('/') && isInside(`${file}x`))) ? [name] : [];
  });
}
