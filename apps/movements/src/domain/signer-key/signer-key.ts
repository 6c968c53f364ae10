import type { SignerKeyFact } from '@ponte/contracts';
import { NonceAllocated } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { Allocations } from './allocations';

export interface SignerKey {
  /** The nonce of the next transaction, as far as we know. */
  readonly next: number;
  readonly allocations: Allocations;
}

export interface AllocateNonces {
  readonly chain: Chain;
  readonly address: string;
  /** In the order in which they shall be executed. Who has a nonce keeps it. */
  readonly transactionIds: readonly string[];
  /** How many transactions of the key are mined. More than were allocated here when the key was used before this log began. */
  readonly minedCount: number;
}

/** A key is one account on each chain, with nonces of its own. */
export const signerKeyId = (chain: Chain, address: string): string => `${chain}_${address}`;

/** The only allocator of a key's nonces on a chain: one for each transaction, without gaps, never twice. */
export const signerKey: Decider<AllocateNonces, SignerKey, SignerKeyFact> = {
  category: 'signerKey',
  initial: { next: 0, allocations: Allocations.none },
  events: [NonceAllocated],

  decide({ chain, address, transactionIds, minedCount }, { next, allocations }) {
    const first = Math.max(next, minedCount);
    const fresh = [...new Set(transactionIds)].filter((transactionId) => allocations.of(transactionId) === undefined);
    return fresh.map((transactionId, at) => new NonceAllocated({ chain, address, nonce: first + at, transactionId }));
  },

  evolve({ allocations }, { data: { transactionId, nonce } }) {
    return { next: nonce + 1, allocations: allocations.with(transactionId, nonce) };
  },
};
