import { compileGlobs } from '#lib/glob.ts';
import type { Gate, GateDefinitions, GateMode } from '#schema/gates.ts';

/**
 * The gates that work on these files must pass. Gates outside any subsystem always run; those of a subsystem run if one of
 * its files is among them. If no file belongs to any subsystem, it is unknown which gates matter, so all run.
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
    // A declared folder stands for any file that will be in it.
    return files.some((file) => isInside(file) || (file.endsWith('/') && isInside(`${file}x`))) ? [name] : [];
  });
}
