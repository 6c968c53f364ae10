import type { SignerKeyEvent } from '@ponte/contracts';
import { NoncesAllocated } from '@ponte/contracts';
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
  /**
   * How many transactions of the key are mined. More than were allocated here when the key was used before this log
   * began.
   */
  readonly minedCount: number;
}

/** A key is one account on each chain, with nonces of its own. */
export const signerKeyId = (chain: Chain, address: string): string => `${chain}_${address}`;

/** The only allocator of a key's nonces on a chain: one for each transaction, without gaps, never twice. */
export const signerKey: Decider<AllocateNonces, SignerKey, SignerKeyEvent> = {
  category: 'signerKey',
  initial: { next: 0, allocations: Allocations.none },
  events: [NoncesAllocated],

  decide({ chain, address, transactionIds, minedCount }, { next, allocations }) {
    const fresh = [...new Set(transactionIds)].filter((transactionId) => allocations.of(transactionId) === undefined);
    return fresh.length === 0
      ? []
      : [new NoncesAllocated({ chain, address, first: Math.max(next, minedCount), transactionIds: fresh })];
  },

  evolve({ allocations }, { data: { transactionIds, first } }) {
    const grown = transactionIds.reduce((held, transactionId, at) => held.with(transactionId, first + at), allocations);
    return { next: first + transactionIds.length, allocations: grown };
  },
};
