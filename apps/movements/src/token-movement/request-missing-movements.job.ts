import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { CommandBus } from '@nestjs/cqrs';
import type { Timers } from '@ponte/concurrency';
import { LeasedJobs, SweepCount, each } from '@ponte/concurrency';
import type { PageCursor, PageRequest, TransactionPurpose } from '@ponte/contracts';
import { ListAllWithdrawals } from '@ponte/contracts';
import type { Lease, MessageBus, RequestContext } from '@ponte/event-sourcing';
import { logged, systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, IDS, LEASE, LOGGER, MESSAGE_BUS, METRICS, SYSTEM_CLOCK, TIMERS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import { SendNftTransferCommand } from '../nft-transfer/send-nft-transfer.command';
import { SendTokenWithdrawalCommand } from '../token-withdrawal/send-token-withdrawal.command';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions';
import { PendingTransactions } from '../transactions/pending-transactions.read-model';
import { SendTransferCommand } from '../transfer/send-transfer.command';
import { UnsentTransfers } from './unsent-transfers';

/** Interval between two sweeps. */
const EVERY_MS = 30_000;
/** The age from which an accepted resource lacks its transaction. Its policy needs a second, or retries meanwhile. */
const MISSING_MS = 2 * 60_000;
/** Rows per page; every page is read. */
const PAGE = 200;

/** An accepted resource that should have a transaction, and the command that requests it. */
interface Accepted {
  readonly id: string;
  readonly kind: TransactionPurpose['kind'];
  readonly send: (context: RequestContext) => Command<void>;
}

/**
 * Requests again the movements of token withdrawals, token transfers and NFT transfers that have no transaction,
 * because an event was lost or parked. Runs on one process at a time.
 */
@Injectable()
export class RequestMissingMovements implements OnApplicationBootstrap {
  private readonly jobs: LeasedJobs;
  private readonly missing: SweepCount;

  constructor(
    private readonly commands: CommandBus,
    private readonly transfers: UnsentTransfers,
    private readonly transactions: ChainTransactions,
    private readonly pending: PendingTransactions,
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
    this.missing = new SweepCount(systemClock);
  }

  onApplicationBootstrap(): void {
    this.metrics.measure('ponte_movements_without_transaction', async () => [{ value: this.missing.value() }]);
    this.jobs.every({
      name: 'movements-request-missing-movements',
      everyMs: EVERY_MS,
      run: (_, signal) => this.sweep(systemContext(this.ids, 'request-missing-movements'), signal),
    });
  }

  /** One run; tests call it directly. */
  sweep(context: RequestContext, signal?: AbortSignal): Promise<void> {
    const before = isoTime(this.clock.now() - MISSING_MS);
    return this.missing.run(async (found) => {
      for (const pages of [this.unsentTransfers(before), this.withdrawals(before, context)])
        for await (const page of pages) {
          if (signal?.aborted) return;
          await this.requestMissing(page, found, context);
        }
    });
  }

  /** Requests what has no transaction, and calls `found` for each. */
  private async requestMissing(
    accepted: readonly Accepted[],
    found: () => void,
    context: RequestContext,
  ): Promise<void> {
    const known = await this.pending.among(accepted.map(transactionIdOf));
    await each(
      accepted.filter((one) => !known.has(transactionIdOf(one))),
      async (one) => {
        if ((await this.transactions.load(transactionIdOf(one))).status !== 'absent') return;
        found();
        const { id, kind } = one;
        this.logger.warn({ ...logged(context), id, kind }, 'a movement has no transaction; it is requested again');
        await this.commands.execute(one.send(context));
      },
      (error, { id, kind }) => {
        this.logger.warn(
          { ...logged(context), err: error, id, kind },
          'a movement without a transaction could not be requested again; the next sweep retries',
        );
      },
    );
  }

  private async *unsentTransfers(before: string): AsyncGenerator<readonly Accepted[]> {
    for await (const ids of this.transfers.pages('transfers', before, PAGE))
      yield ids.map((id) => ({
        id,
        kind: 'token-movement',
        send: (context) => new SendTransferCommand({ transferId: id }, context),
      }));
    for await (const ids of this.transfers.pages('nft_transfers', before, PAGE))
      yield ids.map((id) => ({
        id,
        kind: 'nft-movement',
        send: (context) => new SendNftTransferCommand({ transferId: id }, context),
      }));
  }

  private async *withdrawals(before: string, context: RequestContext): AsyncGenerator<readonly Accepted[]> {
    const filters = { asset: null, state: 'processing', method: 'token', externalId: null } as const;
    for (let cursor: PageCursor | null = null; ;) {
      const page: PageRequest = { limit: PAGE, cursor, createdFrom: null, createdTo: null };
      const { items, next } = await this.bus.request(ListAllWithdrawals, { accountId: null, filters, page }, context);
      yield items.flatMap(({ id, accountId, asset, amount, target, stateUpdatedAt }) => {
        if (target.method !== 'token' || stateUpdatedAt > before) return [];
        const started = { withdrawalId: id, accountId, asset, amount, destination: target.destinationWalletAddress };
        const send = (own: RequestContext) => new SendTokenWithdrawalCommand(started, own);
        return [{ id, kind: 'token-movement', send } as const];
      });
      if (next === null) return;
      cursor = next;
    }
  }
}
