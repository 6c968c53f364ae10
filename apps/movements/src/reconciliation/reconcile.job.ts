import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Backlogs, Lease, LeaseGrant } from '@ponte/event-sourcing';
import { systemContext } from '@ponte/event-sourcing';
import type { AssetId, Clock, Ids } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { Metrics } from '@ponte/observability';
import { LeasedJobs, pause } from '@ponte/concurrency';
import { BACKLOGS, IDS, LEASE, LOGGER, METRICS, SYSTEM_CLOCK, TIMERS } from '@ponte/nest';
import type { Logger } from 'pino';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import type { ChainReading } from './reconciler.service';
import { Reconciler } from './reconciler.service';
import type { AssetReconciliation } from './reconciliation.domain';
import { differs } from './reconciliation.domain';

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

/** Reconciles on a schedule, on one process at a time, and on request. */
@Injectable()
export class ReconciliationJob implements OnApplicationBootstrap {
  private readonly jobs: LeasedJobs;
  private lastGrant: LeaseGrant | undefined;
  private lastRun: number;

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
    this.lastRun = clock.now();
    // Another process reports the numbers from then on.
    this.jobs = new LeasedJobs(lease, RECONCILIATION_LEASE, timers, () => this.showNothing());
  }

  onApplicationBootstrap(): void {
    this.showNothing();
    this.metrics.measure('ponte_reconciliation_age_seconds', async () => [
      { value: this.holds() ? Math.max(0, this.clock.now() - this.lastRun) / 1_000 : 0 },
    ]);
    this.jobs.every({
      name: 'movements-reconcile',
      everyMs: this.settings.reconcileMs,
      run: (grant, signal) => this.runUnder(grant, signal),
    });
  }

  /** Whether this process reconciles, and so reports the numbers. */
  holds(): boolean {
    return this.jobs.holds();
  }

  /** Rejects with `Unavailable` when the ledger or a node does not answer, or the ledger is too far behind. */
  async run(signal = new AbortController().signal): Promise<readonly AssetReconciliation[]> {
    const comparisons = await this.compareAssets(signal);
    // Another process reports the numbers.
    if (signal.aborted) return comparisons;
    this.lastRun = this.clock.now();
    for (const one of comparisons) this.show(one);
    return comparisons;
  }

  /** The comparison of each asset: the first one that agrees, or else the last one. */
  private async compareAssets(signal: AbortSignal): Promise<readonly AssetReconciliation[]> {
    const byAsset = new Map<AssetId, AssetReconciliation>();
    const isDone = () => byAsset.size > 0 && ![...byAsset.values()].some(differs);
    const readings: (readonly ChainReading[])[] = [];
    const began = performance.now();
    let waitedMs: number;
    do {
      if (readings.length > 0) await pause(BETWEEN_READINGS_MS, signal, { ref: false });
      if (readings.length < READINGS)
        readings.push(await this.reconciler.read(systemContext(this.ids, 'reconciliation')));
      // By when the books are read. What the ledger books while they are compared is not in them.
      waitedMs = performance.now() - began;
      for (const reading of readings)
        for (const one of await this.reconciler.compare(reading, systemContext(this.ids, 'reconciliation')))
          if (!byAsset.has(one.asset) || differs(byAsset.get(one.asset) ?? one)) byAsset.set(one.asset, one);
    } while (!signal.aborted && !isDone() && (await this.isLagPossible(waitedMs)));
    return [...byAsset.values()];
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

  private show(one: AssetReconciliation): void {
    const { asset, supplyDifference, walletsDifference } = one;
    this.showDifference(asset, supplyDifference.minor, walletsDifference.minor);
    if (differs(one)) this.logger.error(textOf(one), 'ledger and chain differ');
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

  /** The age of the last run counts from the grant of the lease. */
  private async runUnder(grant: LeaseGrant, signal: AbortSignal): Promise<void> {
    if (grant !== this.lastGrant) this.lastRun = this.clock.now();
    this.lastGrant = grant;
    await this.run(signal);
  }
}

/** Amounts as text, for people and logs. */
export function textOf({
  asset,
  issued,
  held,
  supply,
  wallets,
  supplyDifference,
  walletsDifference,
}: AssetReconciliation): Readonly<Record<string, string | null>> {
  return {
    asset,
    issued: issued.toString(),
    supply: supply?.toString() ?? null,
    'supply-difference': supplyDifference.toString(),
    held: held.toString(),
    wallets: wallets.toString(),
    'wallets-difference': walletsDifference.toString(),
  };
}
