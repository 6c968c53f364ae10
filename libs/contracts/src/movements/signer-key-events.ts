import { event } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';

/**
 * Stream `signerKey-<chain>_<address>`: the only allocator of nonces of a key on a chain. One event for all that are
 * sent together.
 */
export class NoncesAllocated extends event('NoncesAllocated')<{
  chain: Chain;
  address: string;
  /** The nonce of the first; the others follow without gaps. */
  first: number;
  transactionIds: readonly string[];
  /** Transactions that had no nonce and will never get one: they are given up. Then no nonce is allocated. */
  withheld?: readonly string[];
}> {}

export type SignerKeyEvent = NoncesAllocated;

/**
 * Stream `keyFinality-<chain>_<address>`: every confirmed transaction of the key with a nonce under `below` is in the
 * final history of the chain.
 */
export class NoncesFinalized extends event('NoncesFinalized')<{
  chain: Chain;
  address: string;
  below: number;
  blockNumber: string;
  blockHash: string;
}> {}

export type KeyFinalityEvent = NoncesFinalized;
