import type { SignerKeyEvent } from '@ponte/contracts';
import { NoncesAllocated } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { Allocations } from './allocations.domain';

export interface SignerKey {
  /** The nonce of the next transaction, as far as we know. */
  readonly next: number;
  readonly allocations: Allocations;
  /** Transactions that get no nonce. */
  readonly withheld: ReadonlySet<string>;
}

export interface AllocateNonces {
  readonly kind: 'allocate';
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

/** The transaction gets no nonce any more. Nothing when it has one. */
export interface WithholdNonce {
  readonly kind: 'withhold';
  readonly chain: Chain;
  readonly address: string;
  readonly transactionId: string;
}

export type SignerKeyCommand = AllocateNonces | WithholdNonce;

/** A key is one account on each chain, with nonces of its own. */
export const signerKeyId = (chain: Chain, address: string): string => `${chain}_${address}`;

/** The only allocator of a key's nonces on a chain: one for each transaction, without gaps, never twice. */
export const signerKey: Decider<SignerKeyCommand, SignerKey, SignerKeyEvent> = {
  category: 'signerKey',
  initial: { next: 0, allocations: Allocations.none, withheld: new Set() },
  events: [NoncesAllocated],

  decide(command, { next, allocations, withheld }) {
    const { chain, address } = command;
    const isOpen = (id: string): boolean => allocations.of(id) === undefined && !withheld.has(id);
    if (command.kind === 'withhold') {
      const { transactionId } = command;
      if (!isOpen(transactionId)) return [];
      return [new NoncesAllocated({ chain, address, first: next, transactionIds: [], withheld: [transactionId] })];
    }
    const { transactionIds, minedCount } = command;
    const fresh = [...new Set(transactionIds)].filter(isOpen);
    return fresh.length === 0
      ? []
      : [new NoncesAllocated({ chain, address, first: Math.max(next, minedCount), transactionIds: fresh })];
  },

  evolve({ allocations, withheld }, { data: { transactionIds, first, withheld: more = [] } }) {
    const grown = transactionIds.reduce((held, transactionId, at) => held.with(transactionId, first + at), allocations);
    const none = more.length === 0 ? withheld : new Set([...withheld, ...more]);
    return { next: first + transactionIds.length, allocations: grown, withheld: none };
  },
};
