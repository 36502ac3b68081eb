/** What reading a text may cost. Beyond it the text is unreadable. */
export interface Bounds {
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

/** Real sources need a twentieth of both, on a slow machine a fifth. */
const cpuMsPerByte = 0.01;
const memoryPerByte = 400;
/** Loading a parser, compiling it, and garbage that is not collected yet. */
const freeCpuMs = 3000;
const freeMemory = 512 * 1024 * 1024;

/** Grows with the size of the text alone: nothing in it can buy more. */
export function boundsOf(bytes: number): Bounds {
  return { cpuMs: freeCpuMs + bytes * cpuMsPerByte, memoryBytes: freeMemory + bytes * memoryPerByte };
}
