import type { KeyFinalityEvent } from '@ponte/contracts';
import { NoncesFinalized } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';

/** Every confirmed transaction of the key with a nonce below this is final. */
interface KeyFinality {
  readonly below: number;
}

export type RecordFinality = NoncesFinalized['data'];

/** Up to which nonce a key on a chain is final: one event for many transactions. It never decreases. */
export const keyFinality: Decider<RecordFinality, KeyFinality, KeyFinalityEvent> = {
  category: 'keyFinality',
  initial: { below: 0 },
  events: [NoncesFinalized],
  decide: (command, { below }) => (command.below > below ? [new NoncesFinalized(command)] : []),
  evolve: (_, { data: { below } }) => ({ below }),
};
