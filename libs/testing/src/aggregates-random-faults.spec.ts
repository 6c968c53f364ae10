import fc from 'fast-check';
import { Refusal, Unavailable } from '@ponte/kernel';
import type { CommandContext } from '@ponte/event-sourcing';
import type { Aggregates } from '@ponte/event-sourcing';
import type { FaultKind } from './memory/faults';
import { MemoryEventStore } from './memory/event-store';
import { freshId } from './recorded';
import { purse, command, over, change, turns, WAYS, store, aggregates, purseOver } from './purse.testing';

describe.each(WAYS)('Aggregates over a store with %j', (way) => {
  const { soleWriter } = way;
  purseOver(way);

  test('of 64 parallel spends of a balance that covers k, exactly k succeed', async () => {
    for (let round = 0; round < 25; round += 1) {
      const k = (round * 11) % 65;
      const purseId = freshId();
      if (k > 0) await change(aggregates, purseId, k);
      const writers = soleWriter ? [aggregates] : [aggregates, over(store)];
      const spends = Array.from({ length: 64 }, (_, at) =>
        retryWhileUnavailable((context) => change(writers[at % writers.length] as Aggregates, purseId, -1, context)),
      );
      const outcomes = await Promise.allSettled(spends);
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(k);
      expect(outcomes.every((outcome) => outcome.status === 'fulfilled' || outcome.reason instanceof Refusal)).toBe(
        true,
      );
      expect(await over(store).load(purse, purseId)).toEqual({ state: { balance: 0n }, revision: k === 0 ? -1 : k });
    }
  });

  test('under random faults and several writers, every event was decided on exactly the preceding ones, and all acknowledged events are kept', async () => {
    const kinds = fc.array(fc.constantFrom<FaultKind>('refuse', 'drop', 'lose-reply'), { maxLength: 8 });
    const plan = fc.record({
      kinds,
      seed: fc.integer(),
      capacity: fc.constantFrom(1, 2, 50),
      writers: fc.integer({ min: 1, max: soleWriter ? 1 : 3 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ kinds: faults, seed, capacity, writers }) => {
        await chaos(soleWriter, faults, seed, capacity, writers);
      }),
      { numRuns: 60 },
    );
  });
});

/** Retries as a client does: with the same command id while the result is `Unavailable`. */
async function retryWhileUnavailable<T>(ask: (context: CommandContext) => Promise<T>, context = command()): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask(context);
    } catch (error) {
      if (!(error instanceof Unavailable) || tries >= 50) throw error;
    }
  }
}

async function chaos(
  soleWriter: boolean,
  kinds: readonly FaultKind[],
  seed: number,
  capacity: number,
  writers: number,
): Promise<void> {
  const store = new MemoryEventStore({ soleWriter });
  const processes = Array.from({ length: writers }, () => over(store, capacity));
  let state = seed >>> 0;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const kept = new Map<string, string>();
  const work = Array.from({ length: 60 }, async () => {
    await turns(random(6));
    if (random(4) === 0 && kinds.length > 0) store.faults.next({ kind: kinds[random(kinds.length)] as FaultKind });
    const [id, context] = [`p${random(3)}`, command()];
    const aggregates = processes[random(writers)] as Aggregates;
    const ask = (): Promise<unknown> =>
      change(aggregates, id, random(2) ? 5 : -5, context).then(() => kept.set(context.commandId, id));
    await ask().catch((error: unknown) => {
      if (!(error instanceof Refusal || error instanceof Unavailable)) throw error;
    });
  });
  await Promise.all(work);
  const commands = new Set<string>();
  for (const id of ['p0', 'p1', 'p2']) {
    let balance = 0n;
    for (const { data, meta } of await store.read(`purse-${id}`)) {
      const { amount, before } = data as { amount: string; before: string };
      expect(before).toBe(String(balance));
      balance += BigInt(amount);
      expect(balance >= 0n).toBe(true);
      expect(commands.has(meta.commandId)).toBe(false);
      commands.add(meta.commandId);
    }
  }
  for (const commandId of kept.keys()) expect(commands.has(commandId)).toBe(true);
}
