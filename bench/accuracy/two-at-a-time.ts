/** Answers in the order of the questions, two at a time: the machine is assumed to have two cores. */
export async function twoAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const waiting = [...items.entries()];
  const answers: R[] = [];
  const take = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      answers[next[0]] = await work(next[1]);
  };
  await Promise.all([take(), take()]);
  return answers;
}
