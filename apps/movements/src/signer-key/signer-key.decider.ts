import type { SignerKeyEvent } from '@ponte/contracts';
import { NoncesAllocated } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';

interface Allocation {
  readonly place: number;
  readonly nonce: number;
}

/** Far more than are ever allocated and not yet signed: each batch is signed before the next is allocated. */
const WINDOW = 10_000;

/**
 * Which transaction has which nonce: the latest of them, so that a transaction that asks again gets the nonce it has.
 * One that is older than the window was signed long ago, and signed bytes are never asked for a nonce again. Behaves
 * like an immutable value; the lists are shared with the next version as long as no one else has grown them.
 */
export class Allocations {
  static readonly none = new Allocations(new Map(), [], 0);

  private constructor(
    private readonly known: Map<string, Allocation>,
    private readonly order: string[],
    private readonly length: number,
  ) {}

  of(transactionId: string): number | undefined {
    const allocation = this.known.get(transactionId);
    return allocation !== undefined && allocation.place < this.length ? allocation.nonce : undefined;
  }

  with(transactionId: string, nonce: number): Allocations {
    const mayGrow = this !== Allocations.none && this.length === this.order.length && this.length < 2 * WINDOW;
    return (mayGrow ? this : this.copy()).grown(transactionId, nonce);
  }

  private grown(transactionId: string, nonce: number): Allocations {
    this.known.set(transactionId, { place: this.order.length, nonce });
    this.order.push(transactionId);
    return new Allocations(this.known, this.order, this.order.length);
  }

  /** The latest, in lists of its own. */
  private copy(): Allocations {
    const order = this.order.slice(Math.max(0, this.length - WINDOW), this.length);
    const known = new Map(order.map((id, place) => [id, { place, nonce: this.of(id) ?? 0 }]));
    return new Allocations(known, order, order.length);
  }
}

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
