import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Timers } from '@ponte/concurrency';
import { LeasedJobs, SweepCount, each } from '@ponte/concurrency';
import type { Timestamp, TransactionEnd } from '@ponte/contracts';
import { HandleTransactionEnd } from '@ponte/contracts';
import type { Lease, MessageBus, Recorded, RequestContext } from '@ponte/event-sourcing';
import { logged, systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import type { Policies } from '@ponte/nest';
import { CLOCK, IDS, LEASE, LOGGER, MESSAGE_BUS, METRICS, policiesOf, SYSTEM_CLOCK, TIMERS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import { PendingTransactions } from '../transactions/pending-transactions.read-model';
import type { AcceptedMovement, Source } from './accepted-movements.service';
import { AcceptedMovements } from './accepted-movements.service';
import { TransactionEnds } from './transaction-ends.service';

/** Interval between two sweeps. */
const EVERY_MS = 30_000;
/** The age from which an accepted resource lacks its transaction. Its policy needs a second, or retries meanwhile. */
const MISSING_MS = 2 * 60_000;
/** Repeated runs over the movements of one kind of resource. */
interface MissingSweep {
  readonly of: string;
  readonly pages: Source;
  readonly missing: SweepCount;
}

/**
 * Requests the movements again that have no transaction, and handles the ends again of those whose transaction has
 * ended, because an event was lost or parked. Runs on one process at a time. Each kind of resource has its own timer: a
 * list that cannot be read, or takes long, delays no other.
 */
@Injectable()
export class RequestMissingMovements implements OnApplicationBootstrap {
  private readonly jobs: LeasedJobs;
  /** One for each kind of resource. */
  readonly sweeps: readonly MissingSweep[];

  constructor(
    private readonly commands: CommandBus,
    accepted: AcceptedMovements,
    private readonly transactions: ChainTransactions,
    private readonly pending: PendingTransactions,
    private readonly ends: TransactionEnds,
    @Inject(policiesOf('movements')) private readonly policies: Policies,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(TIMERS) timers: Timers,
    @Inject(LEASE) lease: Lease,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SYSTEM_CLOCK) systemClock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {
    this.jobs = new LeasedJobs(lease, 'movements-missing', timers);
    this.sweeps = Object.entries(accepted.sources).map(([of, pages]) => ({
      ...{ of, pages },
      missing: new SweepCount(systemClock),
    }));
  }

  onApplicationBootstrap(): void {
    this.metrics.measure('ponte_movements_without_transaction', async () => [
      { value: this.sweeps.reduce((sum, { missing }) => sum + missing.value(), 0) },
    ]);
    for (const one of this.sweeps)
      this.jobs.every({
        name: `movements-request-missing-${one.of}`,
        everyMs: EVERY_MS,
        run: (_, signal) => this.sweep(one, systemContext(this.ids, 'request-missing-movements'), signal),
      });
  }

  /** One run; tests call it directly. */
  sweep({ pages, missing }: MissingSweep, context: RequestContext, signal?: AbortSignal): Promise<void> {
    const before = isoTime(this.clock.now() - MISSING_MS);
    return missing.run(async (found) => {
      for await (const page of pages(before, context)) {
        if (signal?.aborted) return;
        await this.requestMissing(page, before, found, context);
      }
    });
  }

  /** Requests what has no transaction, ends what has not learned of its end, and calls `found` for each. */
  private async requestMissing(
    accepted: readonly AcceptedMovement[],
    before: Timestamp,
    found: () => void,
    context: RequestContext,
  ): Promise<void> {
    const known = await this.pending.among(accepted.map(transactionIdOf));
    await each(
      accepted.filter((one) => !known.has(transactionIdOf(one))),
      async (one) => {
        const { id, kind } = one;
        if ((await this.transactions.load(transactionIdOf(one))).status === 'absent') {
          found();
          this.logger.warn({ ...logged(context), id, kind }, 'a movement has no transaction; it is requested again');
          await this.commands.execute(await one.request(context));
        } else {
          const end = await this.ends.find(transactionIdOf(one));
          // The end of the last minutes is left to the policies.
          if (!end || end.meta.occurredAt > before) return;
          found();
          this.logger.warn(
            { ...logged(context), id, kind, event: end.type },
            'a movement is unfinished although its transaction has ended; the end is handled again',
          );
          await this.handle(end, one, context);
        }
      },
      (error, { id, kind }) => {
        this.logger.warn(
          { ...logged(context), err: error, id, kind },
          'a movement could not be requested or ended again; the next sweep retries',
        );
      },
    );
  }

  /** Handles the end as if the event had just arrived. What was done before is not done again. */
  private async handle(
    end: Recorded<TransactionEnd>,
    { id: movementId, endsIn }: AcceptedMovement,
    context: RequestContext,
  ): Promise<void> {
    if (endsIn === 'movements') await this.policies.dispatch(end);
    else await this.bus.request(HandleTransactionEnd, { movementId, end }, context);
  }
}
