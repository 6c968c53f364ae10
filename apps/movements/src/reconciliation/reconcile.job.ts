import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Backlogs, Lease, LeaseGrant, RequestContext } from '@ponte/event-sourcing';
import { logged, systemContext, withCommandId } from '@ponte/event-sourcing';
import type { AssetId, Chain, Clock, Ids } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { Metrics, Sample } from '@ponte/observability';
import { LeasedJobs, pause } from '@ponte/concurrency';
import { BACKLOGS, IDS, LEASE, LOGGER, METRICS, SYSTEM_CLOCK, TIMERS } from '@ponte/nest';
import type { Logger } from 'pino';
import type { ServedChain, ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import type { ChainReading } from './reconciler.service';
import { Reconciler } from './reconciler.service';
import type { AssetReconciliation } from './reconciliation.domain';
import { differs, textOf } from './reconciliation.domain';

const RECONCILIATION_LEASE = 'movements/reconciliation';
/**
 * A confirmed mint that is not booked yet, or a deposit that was not seen yet, looks like a difference for a moment. So
 * a difference counts only if each comparison finds it for the same asset, even when it compares what an earlier one
 * read with the current books: a new block may have other movements that are not booked yet. The first comparisons read
 * the chains again. Later ones only wait until the ledger has booked what was read.
 */
const READINGS = 3;
const BETWEEN_READINGS_MS = 1_000;
/**
 * While a service reports that it is behind, comparisons continue for this many times the time that the ledger may lag.
 */
const MAX_LAGS = 5;

/** What was found for one chain. */
export type ChainReconciliation =
  | { readonly chain: Chain; readonly assets: readonly AssetReconciliation[] }
  /** The chain was not compared, and not since then: its last comparison, or when this process got the lease. */
  | { readonly chain: Chain; readonly failure: unknown; readonly since: string };

/**
 * Reconciles each chain on its own, so that one that cannot be read does not hold up the others: on a schedule, on one
 * process at a time, and on request.
 */
@Injectable()
export class ReconciliationJob implements OnApplicationBootstrap {
  private readonly jobs: LeasedJobs;
  private lastGrant: LeaseGrant | undefined;
  /** When each chain was last compared. */
  private readonly comparedAt = new Map<Chain, number>();

  constructor(
    private readonly reconciler: Reconciler,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(TIMERS) timers: Timers,
    @Inject(LEASE) lease: Lease,
    @Inject(BACKLOGS) private readonly backlogs: Pick<Backlogs, 'worst'>,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(SYSTEM_CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.countFromNow();
    // Another process reports the numbers from then on.
    this.jobs = new LeasedJobs(lease, RECONCILIATION_LEASE, timers, () => this.showNothing());
  }

  onApplicationBootstrap(): void {
    this.showNothing();
    this.metrics.measure('ponte_reconciliation_age_seconds', async () =>
      [...this.comparedAt].map(([chain, at]): Sample => ({
        labels: { chain },
        value: this.holds() ? Math.max(0, this.clock.now() - at) / 1_000 : 0,
      })),
    );
    for (const served of this.chains.all)
      this.jobs.every({
        name: `movements-reconcile-${served.evm.chain}`,
        everyMs: this.settings.reconcileMs,
        run: (grant, signal) => this.runUnder(grant, served, signal),
      });
  }

  /** Whether this process reconciles, and so reports the numbers. */
  holds(): boolean {
    return this.jobs.holds();
  }

  /** Compares all chains at once. Never rejects: what fails is in the result and in the log. */
  run(): Promise<readonly ChainReconciliation[]> {
    const { signal } = new AbortController();
    return Promise.all(this.chains.all.map((served) => this.runChain(served, signal)));
  }

  private async runChain(served: ServedChain, signal: AbortSignal): Promise<ChainReconciliation> {
    const { chain } = served.evm;
    const context = systemContext(this.ids, 'reconciliation');
    try {
      const assets = await this.compareAssets(served, context, signal);
      // Unless another process reports the numbers.
      if (!signal.aborted) {
        this.comparedAt.set(chain, this.clock.now());
        for (const one of assets) this.show(one, context);
      }
      return { chain, assets };
    } catch (failure) {
      const since = new Date(this.comparedAt.get(chain) ?? this.clock.now()).toISOString();
      if (!signal.aborted)
        this.logger[failure instanceof Unavailable ? 'warn' : 'error'](
          { ...logged(context), err: failure, chain, since },
          'a chain was not compared with the ledger; the next run tries again',
        );
      return { chain, failure, since };
    }
  }

  /**
   * The comparison of each asset of a chain: the first one that agrees, or else the last one. Rejects with
   * `Unavailable` when the ledger or a node does not answer, or the ledger is too far behind.
   */
  private async compareAssets(
    served: ServedChain,
    context: RequestContext,
    signal: AbortSignal,
  ): Promise<readonly AssetReconciliation[]> {
    const byAsset = new Map<AssetId, AssetReconciliation>();
    const readings: ChainReading[] = [];
    const began = performance.now();
    let waitedMs: number;
    do {
      if (readings.length > 0) await pause(BETWEEN_READINGS_MS, signal, { ref: false });
      if (readings.length < READINGS) readings.push(await this.reconciler.read(served, this.next(context)));
      // By when the books are read. What the ledger books while they are compared is not in them.
      waitedMs = performance.now() - began;
      for (const one of await this.reconciler.compare(served, readings, this.next(context)))
        if (!byAsset.has(one.asset) || differs(byAsset.get(one.asset) ?? one)) byAsset.set(one.asset, one);
    } while (!signal.aborted && [...byAsset.values()].some(differs) && (await this.isLagPossible(waitedMs)));
    return [...byAsset.values()];
  }

  private next(context: RequestContext): RequestContext {
    return withCommandId(this.ids.next(), context);
  }

  /** Whether the ledger may not have booked yet what the chains had this long before its books were read. */
  private async isLagPossible(waitedMs: number): Promise<boolean> {
    const { ledgerLagMs } = this.settings;
    if (waitedMs < ledgerLagMs) return true;
    const behind = await this.backlogs.worst();
    if (behind && waitedMs >= MAX_LAGS * ledgerLagMs)
      throw new Unavailable('service-unavailable', `ledger and chain cannot be compared: ${behind.reader} is behind`);
    return behind !== null;
  }

  private show(one: AssetReconciliation, context: RequestContext): void {
    const { asset, supplyDifference, walletsDifference } = one;
    this.showDifference(asset, supplyDifference.minor, walletsDifference.minor);
    if (differs(one)) this.logger.error({ ...logged(context), ...textOf(one) }, 'ledger and chain differ');
  }

  private showDifference(asset: string, supply: bigint, wallets: bigint): void {
    this.metrics.set('ponte_reconciliation_difference_minor_units', Number(supply), { asset, of: 'supply' });
    this.metrics.set('ponte_reconciliation_difference_minor_units', Number(wallets), { asset, of: 'wallets' });
  }

  private showNothing(): void {
    for (const { tokens } of this.chains.all) {
      for (const asset of Object.keys(tokens)) this.showDifference(asset, 0n, 0n);
    }
  }

  private async runUnder(grant: LeaseGrant, served: ServedChain, signal: AbortSignal): Promise<void> {
    if (grant !== this.lastGrant) this.countFromNow();
    this.lastGrant = grant;
    await this.runChain(served, signal);
  }

  /** The age of the last comparison counts from the grant of the lease. */
  private countFromNow(): void {
    for (const { evm } of this.chains.all) this.comparedAt.set(evm.chain, this.clock.now());
  }
}
