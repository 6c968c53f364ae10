import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 100;
const PATIENCE_MS = 60_000;
const FINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'rolled-back']);

/**
 * Polls until `requested` holds. Orders are executed asynchronously, so a client either polls or waits for a webhook.
 */
export async function until<T>(what: string, ask: () => PromiseLike<T>, requested: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (requested(answer)) return answer;
    if (Date.now() > end) throw new Error(`gave up waiting for ${what}: ${JSON.stringify(answer)}`);
    await wait(POLL_MS);
  }
}

/** Polls until a resource is in a final state. Throws unless it is completed. */
export async function completed<T extends { readonly state: string }>(what: string, ask: () => Promise<T>): Promise<T> {
  const ended = await until(what, ask, ({ state }) => FINAL.has(state));
  if (ended.state !== 'completed') throw new Error(`${what} ended ${JSON.stringify(ended)}`);
  return ended;
}
