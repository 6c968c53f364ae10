import { refuse } from '@ponte/kernel';
import type { CommandContext, Decider, EventStore, Recorded } from '@ponte/event-sourcing';
import { Aggregates, event } from '@ponte/event-sourcing';
import type { Fault } from './memory/faults';
import { MemoryEventStore } from './memory/event-store';
import { freshId } from './recorded';

class Earned extends event('Earned')<{ amount: string; before: string }> {}
class Spent extends event('Spent')<{ amount: string; before: string }> {}
type Change = Earned | Spent;
interface Command {
  readonly amount: bigint;
}
interface Purse {
  readonly balance: bigint;
}

/** Every event contains the balance it was decided on, so the log shows whether a decision saw all earlier events. */
export const purse: Decider<Command, Purse, Change> = {
  category: 'purse',
  initial: { balance: 0n },
  events: [Earned, Spent],
  decide({ amount }, { balance }) {
    if (amount === 0n) return [];
    if (balance + amount < 0n) return refuse('insufficient-balance', 'too little');
    const data = { amount: String(amount), before: String(balance) };
    return [amount > 0n ? new Earned(data) : new Spent(data)];
  },
  evolve: (state, { data }) => ({ balance: state.balance + BigInt(data.amount) }),
};

export const NOW = '2026-01-02T03:04:05.678Z';
export const command = (commandId = freshId(), deadline?: number): CommandContext => ({
  commandId,
  correlationId: commandId,
  deadline,
  now: () => NOW,
});
export const over = (store: EventStore, capacity?: number, systemNow = () => 0): Aggregates =>
  new Aggregates({
    store,
    systemNow,
    capacity,
    pause: () =>
      new Promise((resolve) => {
        setImmediate(resolve);
      }),
  });
export const change = (aggregates: Aggregates, id: string, amount: number, context = command()) =>
  aggregates.handle(purse, id, { amount: BigInt(amount) }, context);
export const amounts = (events: readonly Recorded[]): number[] =>
  events.map((one) => Number((one.data as { amount: string }).amount));
export const turns = async (count = 20): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
};
/** Matches the append of one command. */
export const of =
  (context: CommandContext): Fault['match'] =>
  (_, events) =>
    events[0]?.meta.commandId === context.commandId;

export const WAYS = [{ soleWriter: true }, { soleWriter: false }];
export let store: MemoryEventStore;
export let aggregates: Aggregates;
export let id: string;
export const stream = (): Promise<Recorded[]> => store.read(`purse-${id}`);

/** Gives each test of a block a store, aggregates that use it, and the id of a purse that does not exist yet. */
export const purseOver = ({ soleWriter }: (typeof WAYS)[number]): void =>
  beforeEach(() => {
    store = new MemoryEventStore({ soleWriter });
    aggregates = over(store);
    id = freshId();
  });
