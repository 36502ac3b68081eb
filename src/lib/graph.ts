/** The successors of a node: tasks that wait for a task, modules that a module imports. */
type Next<Node> = (node: Node) => Iterable<Node>;

/** Every node reachable from `starts`; a start itself only if a cycle leads back to it. Stops when it has more than `most`. */
export function reachable<Node>(starts: Iterable<Node>, next: Next<Node>, most = Infinity): Set<Node> {
  const found = new Set<Node>();
  const open = [...starts];
  while (open.length > 0 && found.size <= most) {
    for (const node of next(open.pop() as Node)) {
      if (found.has(node)) continue;
      found.add(node);
      open.push(node);
    }
  }
  return found;
}

/**
 * Like `reachable`, for a graph that is read from disk: breadth first, one call of `next` per distance. `next` gives each node with the
 * edge that leads to it. The result includes the starts, with null; it stops at about `most` nodes.
 */
export async function reachableInRounds<Node, Edge>(
  starts: Iterable<Node>,
  next: (nodes: readonly Node[]) => Promise<Iterable<readonly [Node, Edge]>>,
  most: number,
): Promise<Map<Node, Edge | null>> {
  const found = new Map<Node, Edge | null>([...starts].map((node) => [node, null]));
  let round = [...found.keys()];
  while (round.length > 0 && found.size < most) {
    const edges = await next(round);
    round = [];
    for (const [node, edge] of edges) {
      if (found.has(node)) continue;
      found.set(node, edge);
      round.push(node);
    }
  }
  return found;
}

/** The nodes of one cycle, the first one repeated at the end: ['a', 'b', 'a']. Null when there is none. */
export function findCycle<Node>(nodes: Iterable<Node>, next: Next<Node>): Node[] | null {
  const finished = new Set<Node>();
  for (const node of nodes) {
    const cycle = cycleFrom(node, next, finished);
    if (cycle) return cycle;
  }
  return null;
}

/** An explicit stack: a chain of ten thousand nodes must not overflow the call stack. */
function cycleFrom<Node>(start: Node, next: Next<Node>, finished: Set<Node>): Node[] | null {
  if (finished.has(start)) return null;
  const path = new Map([[start, [...next(start)].reverse()]]);
  const stack = [start];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const child = path.get(top)?.pop();
    if (child === undefined) {
      finished.add(top);
      path.delete(top);
      stack.pop();
    } else if (path.has(child)) {
      return [...stack.slice(stack.indexOf(child)), child];
    } else if (!finished.has(child)) {
      path.set(child, [...next(child)].reverse());
      stack.push(child);
    }
  }
  return null;
}

/** Groups of nodes that reach each other, each sorted: [['a', 'b']]. A single node is a group if it has an edge to itself. */
export function cycles(edges: ReadonlyMap<string, Iterable<string>>): string[][] {
  const reach = new Map(
    [...edges.keys()].map((node) => [node, reachable([node], (each) => edges.get(each) ?? [])]),
  );
  const groups = new Map<string, string[]>();
  for (const [node, found] of reach) {
    if (!found.has(node)) continue;
    const group = [...found].filter((other) => reach.get(other)?.has(node)).sort();
    groups.set(group.join('\n'), group);
  }
  return [...groups.values()];
}

/** Sorts every node after its dependencies and otherwise keeps the order. Nodes of a cycle and their dependents are left out. */
export function inOrder<Node, Key>(
  nodes: readonly Node[],
  keyOf: (node: Node) => Key,
  needs: (node: Node) => readonly Key[],
): Node[] {
  const done = new Set<Key>();
  const ordered: Node[] = [];
  for (let left = nodes; ; ) {
    const ready = left.find((node) => needs(node).every((key) => done.has(key)));
    if (ready === undefined) return ordered;
    done.add(keyOf(ready));
    ordered.push(ready);
    left = left.filter((node) => node !== ready);
  }
}
