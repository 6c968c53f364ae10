import type { GiveUpReason, SignerKeyEvent } from '@ponte/contracts';
import { NoncesAllocated } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';

interface Allocation {
  readonly place: number;
  readonly nonce: number;
}

/** Far more allocations than are ever unsigned: each batch is signed before the next is allocated. */
const WINDOW = 10_000;

/**
 * The latest allocations, so that a transaction that asks again gets the nonce it has. Transactions older than the
 * window were signed long ago and never ask again. Behaves like an immutable value. Its lists are shared with the next
 * version until another version has appended to them.
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

  /** The latest allocations, in new lists. */
  private copy(): Allocations {
    const order = this.order.slice(Math.max(0, this.length - WINDOW), this.length);
    const known = new Map(order.map((id, place) => [id, { place, nonce: this.of(id) ?? 0 }]));
    return new Allocations(known, order, order.length);
  }
}

interface SignerKey {
  /** The next nonce, as far as we know. */
  readonly next: number;
  readonly allocations: Allocations;
  /** Transactions that get no nonce, and why; null if that is not recorded. */
  readonly withheld: ReadonlyMap<string, GiveUpReason | null>;
}

interface AllocateNonces {
  readonly kind: 'allocate';
  readonly chain: Chain;
  readonly address: string;
  /** In the order in which they are to be executed. A transaction that has a nonce keeps it. */
  readonly transactionIds: readonly string[];
  /**
   * How many transactions of the key are mined. Higher than the allocations here when the key was used before this log.
   */
  readonly minedCount: number;
}

/** Excludes the transaction from getting a nonce. Does nothing when it has one. */
interface WithholdNonce {
  readonly kind: 'withhold';
  readonly chain: Chain;
  readonly address: string;
  readonly transactionId: string;
  /** Why it is given up. */
  readonly reason: GiveUpReason;
}

type SignerKeyCommand = AllocateNonces | WithholdNonce;

/** A key is one account on each chain, with its own nonces. */
export const signerKeyId = (chain: Chain, address: string): string => `${chain}_${address}`;

/** The only allocator of a key's nonces on a chain: one per transaction, without gaps, never twice. */
export const signerKey: Decider<SignerKeyCommand, SignerKey, SignerKeyEvent> = {
  category: 'signerKey',
  initial: { next: 0, allocations: Allocations.none, withheld: new Map() },
  events: [NoncesAllocated],

  decide(command, { next, allocations, withheld }) {
    const { chain, address } = command;
    const isOpen = (id: string): boolean => allocations.of(id) === undefined && !withheld.has(id);
    if (command.kind === 'withhold') {
      const { transactionId, reason } = command;
      if (!isOpen(transactionId)) return [];
      return [
        new NoncesAllocated({ chain, address, first: next, transactionIds: [], withheld: [transactionId], reason }),
      ];
    }
    const { transactionIds, minedCount } = command;
    const fresh = [...new Set(transactionIds)].filter(isOpen);
    return fresh.length === 0
      ? []
      : [new NoncesAllocated({ chain, address, first: Math.max(next, minedCount), transactionIds: fresh })];
  },

  evolve({ allocations, withheld }, { data: { transactionIds, first, withheld: more = [], reason = null } }) {
    const grown = transactionIds.reduce((held, transactionId, at) => held.with(transactionId, first + at), allocations);
    const none = more.length === 0 ? withheld : new Map([...withheld, ...more.map((id) => [id, reason] as const)]);
    return { next: first + transactionIds.length, allocations: grown, withheld: none };
  },
};
