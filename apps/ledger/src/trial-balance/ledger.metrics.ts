import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { AssetId, Clock } from '@ponte/kernel';
import { ASSET_IDS, isoTime, isToken, Money } from '@ponte/kernel';
import type { Metrics, Sample } from '@ponte/observability';
import { CLOCK, METRICS, READ_MODELS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { countHolds, countHoldsWithoutWithdrawal } from '../waiting-work/count-holds';
import { TrialBalance } from './trial-balance.read-model';

/** Age in milliseconds from which a hold counts as old. An order paid from the balance takes only seconds. */
const OLD_MS = 10 * 60_000;
/** The age from which a hold without a withdrawal is reported. The sweep gives it back long before. */
const FORGOTTEN_MS = 15 * 60_000;
const SUM_EVERY_MS = 60_000;
const FIAT = ASSET_IDS.filter((asset) => !isToken(asset));

/** Metrics of the books. */
@Injectable()
export class LedgerMetrics implements OnModuleInit {
  private summed: { readonly at: number; readonly of: ReturnType<TrialBalance['sums']> } | undefined;

  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly trialBalance: TrialBalance,
    @Inject(READ_MODELS) private readonly readModels: Kysely<unknown>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_ledger_sum_minor_units', () => this.sumSamples());
    this.metrics.measure('ponte_settlement_minor_units', () => this.settlementSamples());
    this.metrics.measure('ponte_ledger_open_holds', async () => {
      const counts = await countHolds(this.readModels, 'order', isoTime(this.clock.now() - OLD_MS));
      return counts.flatMap(({ waitsFor: waits_for, all, old }) => [
        { labels: { age: 'to-10m', waits_for }, value: all - old },
        { labels: { age: 'over-10m', waits_for }, value: old },
      ]);
    });
    this.metrics.measure('ponte_holds_without_withdrawal', async () => [
      { value: await countHoldsWithoutWithdrawal(this.readModels, isoTime(this.clock.now() - FORGOTTEN_MS)) },
    ]);
  }

  /** The database reads every line of every account, so one sum is reused for all scrapes within a minute. */
  private sums(): ReturnType<TrialBalance['sums']> {
    const now = this.systemClock.now();
    if (this.summed && now - this.summed.at < SUM_EVERY_MS) return this.summed.of;
    const of = this.trialBalance.sums();
    this.summed = { at: now, of };
    of.catch(() => {
      this.summed = undefined;
    });
    return of;
  }

  private async sumSamples(): Promise<readonly Sample[]> {
    // An asset without postings sums to zero.
    const sums = new Map<AssetId, bigint>(ASSET_IDS.map((asset) => [asset, 0n]));
    const { house, customers } = await this.sums();
    for (const { asset, amount } of [...house, ...customers])
      sums.set(asset, (sums.get(asset) ?? 0n) + Money.stored(asset, amount).minor);
    // A sum too large to be exact as a number is still not zero.
    return [...sums].map(([asset, minor]) => ({ labels: { asset }, value: Number(minor) }));
  }

  private async settlementSamples(): Promise<readonly Sample[]> {
    const lines = (await this.sums()).house.filter(({ account }) => account === 'house:settlement');
    return FIAT.map((asset) => {
      const line = lines.find((one) => one.asset === asset);
      return { labels: { asset }, value: line ? -Number(Money.stored(asset, line.amount).minor) : 0 };
    });
  }
}
