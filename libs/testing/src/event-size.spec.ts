import { MemoryEventStore } from './memory/event-store';
import type { Decider, DomainEvent } from '@ponte/event-sourcing';
import { Aggregates, MAX_EVENT_BYTES } from '@ponte/event-sourcing';

class Said implements DomainEvent<'Said', { readonly text: string }> {
  static readonly type = 'Said';
  static readonly version = 1;
  static readonly upcasts = {};
  readonly type = 'Said';
  constructor(readonly data: { readonly text: string }) {}
}
const talk: Decider<string, number, Said> = {
  category: 'talk',
  initial: 0,
  events: [Said],
  decide: (text) => [new Said({ text })],
  evolve: (state) => state + 1,
};
const context = (commandId: string) => ({ commandId, correlationId: commandId, now: () => '2026-11-20T12:00:00.000Z' });
/** `{"text":""}` */
const AROUND = 11;

it.each([[true], [false]])(
  'an event that is too large is refused with its own code and not written, and the stream can be continued (sole writer: %s)',
  async (soleWriter) => {
    const store = new MemoryEventStore({ soleWriter });
    const aggregates = new Aggregates({
      store,
      systemNow: () => 0,
      pause: async () => undefined,
    });
    await aggregates.handle(talk, '1', 'hello', context('a'));
    await expect(
      aggregates.handle(talk, '1', 'x'.repeat(MAX_EVENT_BYTES - AROUND + 1), context('b')),
    ).rejects.toMatchObject({ name: 'Refusal', code: 'event-too-large' });
    // The limit applies to the bytes of the JSON text.
    await expect(
      aggregates.handle(talk, '1', '\u0000'.repeat(MAX_EVENT_BYTES / 6), context('c')),
    ).rejects.toMatchObject({ code: 'event-too-large' });
    expect(await store.read('talk-1')).toHaveLength(1);
    expect(await aggregates.handle(talk, '1', 'x'.repeat(MAX_EVENT_BYTES - AROUND), context('d'))).toMatchObject({
      state: 2,
      revision: 1,
    });
  },
);
