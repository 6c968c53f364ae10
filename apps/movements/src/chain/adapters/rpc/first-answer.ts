import { Unavailable } from '@ponte/kernel';

/** Asks the nodes in order until one answers. If none does, rejects with the error of the last one. */
export async function firstAnswer<N, T>(nodes: readonly N[], ask: (node: N) => Promise<T>): Promise<T> {
  let failure: unknown = new Unavailable('chain-unavailable', 'there is no node to ask');
  for (const node of nodes) {
    try {
      return await ask(node);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/**
 * As {@link firstAnswer}, but goes on to the next node after null. Null when no node found anything; rejects with
 * `Unavailable` only if none answered.
 */
export async function firstFound<N, T>(nodes: readonly N[], ask: (node: N) => Promise<T | null>): Promise<T | null> {
  let answers = 0;
  const find = async (node: N): Promise<T> => {
    const found = await ask(node);
    answers += 1;
    if (found === null) throw new Unavailable('chain-unavailable', 'the node has not found it');
    return found;
  };
  return firstAnswer(nodes, find).catch((error: unknown) => {
    if (answers > 0 && error instanceof Unavailable) return null;
    throw error;
  });
}
