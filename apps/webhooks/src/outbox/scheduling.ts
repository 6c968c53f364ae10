import type { WebhookEndpointPinged } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Dispatcher } from '../dispatch/dispatcher.service';
import type { Publication } from '../publication/publication.domain';
import { byAudience } from '../publication/publication.domain';
import type { DeliveryScheduler, IsUndelivered, Scheduled } from './delivery-scheduler';
import type { UndeliveredWatermark } from './reader-progress.service';

/** Notifications about the deliveries of an account. */
export interface AccountWorkEvents {
  /** Called after each failure. */
  fails(accountId: string, error: unknown): void;
  /** Called when nothing of the account fails any more. */
  works(accountId: string): void;
}

/** Retries the work that the deliveries of an account need, and reports the accounts for which it fails. */
export class AccountWork {
  /** How many pieces of work of an account fail at present. */
  private readonly failing = new Map<string, number>();

  constructor(
    private readonly dispatcher: Pick<Dispatcher, 'retryForever'>,
    private readonly events: AccountWorkEvents,
  ) {}

  /** Retries until the work succeeds; rejects only when this process stops. `failure`: that of an earlier attempt. */
  async retryForever<T>(accountId: string, work: () => Promise<T>, failure?: { readonly error: unknown }): Promise<T> {
    let isFailing = false;
    const failed = (error: unknown): void => {
      if (!isFailing) this.count(accountId, 1);
      isFailing = true;
      this.events.fails(accountId, error);
    };
    if (failure) failed(failure.error);
    const result = await this.dispatcher.retryForever(async () => {
      try {
        return await work();
      } catch (error) {
        failed(error);
        throw error;
      }
    });
    if (isFailing && this.count(accountId, -1) === 0) this.events.works(accountId);
    return result;
  }

  private count(accountId: string, change: 1 | -1): number {
    const count = (this.failing.get(accountId) ?? 0) + change;
    if (count === 0) this.failing.delete(accountId);
    else this.failing.set(accountId, count);
    return count;
  }
}

/** The most publications and pings that wait for accounts whose deliveries cannot be scheduled. */
const MAX_WAITING = 2_048;

/** After a failure it is not known which deliveries exist, so each is looked up. */
const POSSIBLY_DELIVERED: IsUndelivered = () => false;

/** An account whose deliveries cannot be scheduled, until everything that waits for it is scheduled. */
interface Delayed {
  /** Scheduling of the last slice that waits. */
  last: Promise<void>;
  waiting: number;
  /** Something was left out, so everything later is too, until the log is read again. */
  isBehind: boolean;
}

/** What became of a slice. */
interface SliceScheduled {
  /** Each resolves when deliveries are recorded, and rejects when this process stops first. */
  readonly open: readonly Promise<void>[];
  /** False when something was left out: the slice has to be read again. */
  readonly isComplete: boolean;
}

/**
 * Schedules the deliveries of each account by itself. If that fails, for example because the account's endpoints cannot
 * be read, it is retried until it succeeds or this process stops. Only the later deliveries of this account wait for
 * it, and the checkpoint does. If too many wait, further ones are left out; they are read from the log again when
 * scheduling works.
 */
export class Scheduling {
  private readonly delayed = new Map<string, Delayed>();
  private waiting = 0;

  /** `readAgain` is called when something that was left out has to be read from the log again. */
  constructor(
    private readonly scheduler: Pick<DeliveryScheduler, 'schedule'>,
    private readonly undelivered: Pick<UndeliveredWatermark, 'in'>,
    private readonly work: AccountWork,
    private readonly readAgain: () => void,
  ) {}

  /** Call when the projector starts to read at its checkpoint, which is before everything that was left out. */
  readerBegins(): void {
    for (const [accountId, delayed] of this.delayed) {
      delayed.isBehind = false;
      if (delayed.waiting === 0) this.delayed.delete(accountId);
    }
  }

  /** Resolves when every delivery is planned, except those of accounts for which that fails. */
  async schedule(
    publications: readonly Publication[],
    pings: readonly Recorded<WebhookEndpointPinged>[],
  ): Promise<SliceScheduled> {
    const isUndelivered = await this.undelivered.in([
      ...publications.map(({ source }) => source.position),
      ...pings.map(({ position }) => position),
    ]);
    const made = await Promise.all(
      [...byAccount(publications, pings)].map(([accountId, slice]) => this.add(accountId, slice, isUndelivered)),
    );
    return { open: made.flatMap((open) => open ?? []), isComplete: made.every((open) => open !== undefined) };
  }

  /** Undefined when the slice was left out. */
  private async add(
    accountId: string,
    slice: Scheduled,
    isUndelivered: IsUndelivered,
  ): Promise<readonly Promise<void>[] | undefined> {
    let failure: { readonly error: unknown } | undefined;
    if (!this.delayed.has(accountId)) {
      try {
        return await this.scheduler.schedule(slice, isUndelivered);
      } catch (error) {
        failure = { error };
      }
    }
    const delayed = this.delayed.get(accountId) ?? { last: Promise.resolve(), waiting: 0, isBehind: false };
    this.delayed.set(accountId, delayed);
    const size = sizeOf(slice);
    // The first slice of an account always waits, since its success is what ends the delay.
    if (delayed.isBehind || (delayed.waiting > 0 && this.waiting + size > MAX_WAITING)) {
      delayed.isBehind = true;
      return undefined;
    }
    return [this.delay(accountId, delayed, slice, failure)];
  }

  /** Resolves when the deliveries of the slice are recorded. */
  private delay(
    accountId: string,
    delayed: Delayed,
    slice: Scheduled,
    failure: { readonly error: unknown } | undefined,
  ): Promise<void> {
    const size = sizeOf(slice);
    delayed.waiting += size;
    this.waiting += size;
    const planned = delayed.last.then(() =>
      this.work.retryForever(accountId, () => this.scheduler.schedule(slice, POSSIBLY_DELIVERED), failure),
    );
    // After a rejection the later slices reject too: scheduled now, they would overtake what is missing.
    delayed.last = planned.then(() => this.ended(accountId, delayed, size));
    delayed.last.catch(() => undefined);
    const recorded = planned.then(async (open) => {
      await Promise.all(open);
    });
    recorded.catch(() => undefined);
    return recorded;
  }

  private ended(accountId: string, delayed: Delayed, size: number): void {
    delayed.waiting -= size;
    this.waiting -= size;
    if (delayed.waiting > 0) return;
    if (delayed.isBehind) this.readAgain();
    else this.delayed.delete(accountId);
  }
}

/** How many publications and pings a slice has. */
const sizeOf = ({ publications, pings }: Scheduled): number => publications.length + pings.length;

/** Divides a slice of the log by the account whose endpoints receive it. */
function byAccount(
  publications: readonly Publication[],
  pings: readonly Recorded<WebhookEndpointPinged>[],
): Map<string, Scheduled> {
  const published = byAudience(publications);
  const accountIds = new Set([...published.keys(), ...pings.map(({ data }) => data.accountId)]);
  return new Map(
    [...accountIds].map((accountId) => [
      accountId,
      {
        publications: published.get(accountId) ?? [],
        pings: pings.filter(({ data }) => data.accountId === accountId),
      },
    ]),
  );
}
