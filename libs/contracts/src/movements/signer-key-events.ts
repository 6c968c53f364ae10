import { event } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import type { GiveUpReason } from './give-up-reasons';

/**
 * Stream `signerKey-<chain>_<address>`: the only allocator of the nonces of a key on a chain. One event for all
 * transactions that are sent together.
 */
export class NoncesAllocated extends event('NoncesAllocated')<{
  chain: Chain;
  address: string;
  /** Nonce of the first transaction; the others follow without gaps. */
  first: number;
  transactionIds: readonly string[];
  /**
   * Transactions that will never get a nonce, because they are given up. No nonce is allocated in the same event.
   * Absent if there are none.
   */
  withheld?: readonly string[];
  /** Why those are given up. Absent without them, and in old events. */
  reason?: GiveUpReason;
}> {}

export type SignerKeyEvent = NoncesAllocated;

/**
 * Stream `keyFinality-<chain>_<address>`: all confirmed transactions of the key with a nonce less than `below` are
 * final.
 */
export class NoncesFinalized extends event('NoncesFinalized')<{
  chain: Chain;
  address: string;
  below: number;
  blockNumber: string;
  blockHash: string;
}> {}

export type KeyFinalityEvent = NoncesFinalized;
