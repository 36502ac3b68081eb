/** Caches the last answer to the same question for a while. */
export function atMostEvery<A, T>(ms: number, read: (argument: A) => Promise<T>) {
  let last: { key: string; at: number; value: Promise<T> } | null = null;
  return (argument: A, key: string): Promise<T> => {
    if (last === null || last.key !== key || Date.now() - last.at > ms)
      last = { key, at: Date.now(), value: read(argument) };
    return last.value;
  };
}
