import type { DomainEvent, Sealed } from '@ponte/event-sourcing';
import { isoTime } from '@ponte/kernel';
import { Seeded } from './seeded';

/** The events that one command appends. */
export interface Step {
  readonly stream: string;
  readonly events: readonly DomainEvent[];
}

export const step = (stream: string, ...events: readonly DomainEvent[]): Step => ({ stream, events });

/** The steps of one resource from beginning to end. Steps of other lives are interleaved between them. */
export type Life = Generator<Step, void>;

const BEGAN = Date.UTC(2026, 0, 1);
const STEP_MS = 37;

/** The accounts, ids and clock that the lives share. */
export class Fixtures {
  readonly seeded: Seeded;
  private readonly nonces = new Map<string, number>();
  private steps = 0;

  constructor(
    seed: number,
    readonly accounts: number,
  ) {
    this.seeded = new Seeded(seed);
  }

  /** The current time, which advances by `STEP_MS` with each step. */
  now(): string {
    return isoTime(BEGAN + this.steps * STEP_MS);
  }

  tick(): void {
    this.steps += 1;
  }

  accountId(at: number): string {
    return this.seeded.id('account', at);
  }

  /** A partner has fifty sub-accounts. */
  partnerOf(at: number): string {
    return this.seeded.id('partner', Math.floor(at / 50));
  }

  /** One endpoint for each partner. */
  endpointOf(partnerId: string): string {
    return this.seeded.id('endpoint', partnerId);
  }

  nonce(key: string): number {
    const next = this.nonces.get(key) ?? 0;
    this.nonces.set(key, next + 1);
    return next;
  }

  /** A string with the length and entropy of a sealed name. */
  sealed(subject: string, what: string): Sealed {
    return `sealed:v1:${subject}:${Buffer.from(this.seeded.hex(44, subject, what))
      .toString('base64')
      .slice(0, 72)}`;
  }
}
