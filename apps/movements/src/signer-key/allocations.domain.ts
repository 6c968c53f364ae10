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
