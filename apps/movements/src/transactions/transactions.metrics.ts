import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { secondsSince } from '@ponte/kernel';
import type { Metrics, Sample } from '@ponte/observability';
import { AWAITED, CLOCK, METRICS } from '@ponte/nest';
import { gasLimitsOn, typicalGasOn } from '../chain/gas-limits.domain';
import type { ServedChain, ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { Hex } from '../chain/chain.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import type { FeeLimits } from '../sending/fees';
import { capped } from '../sending/fees';
import { NonceGaps } from '../signer-key/nonce-gaps.service';
import type { OfKey } from '../signer-key/pending-by-key.service';
import { PendingByKey } from '../signer-key/pending-by-key.service';
import { UnfinalTransactions } from '../finality/unfinal-transactions.read-model';
import { WaitingTransactions } from './waiting-transactions.read-model';

/** The metrics of the chains. A chain without unfinished transactions reports zero. */
@Injectable()
export class MovementsMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly waiting: WaitingTransactions,
    private readonly unfinal: UnfinalTransactions,
    private readonly gaps: NonceGaps,
    private readonly byKey: PendingByKey,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_operator_gas_coins', () =>
      this.keys(async ({ evm }, address) => Number(await evm.gasBalance(address)) / WEI),
    );
    this.metrics.measure('ponte_operator_movements_left', () =>
      this.keys((served, address) => movementsLeft(served, address, this.settings.feeLimits[served.evm.chain])),
    );
    this.metrics.measure('ponte_nonce_gap', () =>
      this.keys(async (served, address) => (await this.gaps.of(served, address)).length),
    );
    this.metrics.measure('ponte_nonce_unsigned', () =>
      this.keys(async (served, address) => Number(await this.gaps.isUnsigned(served, address))),
    );
    this.metrics.measure('ponte_operator_pending_transactions', async () =>
      (await this.byKey.unfinished()).map(sampleOf),
    );
    this.metrics.measure('ponte_operator_unfinal_transactions', async () =>
      (await this.byKey.unfinalOnes()).map(sampleOf),
    );
    this.metrics.measure('ponte_chain_pending_transactions', async () => {
      const unfinished = await this.waiting.unfinished();
      return this.chains.all.map(({ evm: { chain } }) => ({
        labels: { chain },
        value: unfinished.filter((one) => one.chain === chain).reduce((sum, { count }) => sum + count, 0),
      }));
    });
    this.metrics.measure('ponte_chain_oldest_pending_seconds', async () => {
      const now = this.clock.now();
      const unfinished = await this.waiting.unfinished();
      return this.chains.all.flatMap(({ evm: { chain } }) =>
        AWAITED.map((waits_for) => {
          const found = unfinished.filter((one) => one.chain === chain && one.waitsFor === waits_for);
          const ages = found.map(({ since }) => secondsSince(since, now));
          return { labels: { chain, waits_for }, value: ages.reduce((max, age) => Math.max(max, age), 0) };
        }),
      );
    });
    this.metrics.measure('ponte_chain_oldest_unfinal_seconds', async () => {
      const now = this.clock.now();
      const oldest = new Map((await this.unfinal.oldest()).map(({ chain, confirmedAt }) => [chain, confirmedAt]));
      return this.chains.all.map(({ evm: { chain } }) => ({
        labels: { chain },
        value: secondsSince(oldest.get(chain), now),
      }));
    });
  }

  /** One reading for each operator key and each former one, on each chain; a chain that does not answer is left out. */
  private async keys(read: (served: ServedChain, address: Hex) => Promise<number>): Promise<readonly Sample[]> {
    const readings = this.chains.all.flatMap((served) =>
      this.settings.heldKeyIds.map(async (key) => ({
        labels: { chain: served.evm.chain, operator: key },
        value: await read(served, await this.signer.addressOf(key)),
      })),
    );
    return (await Promise.allSettled(readings)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }
}

const sampleOf = ({ chain, keyId, count }: OfKey): Sample => ({ labels: { chain, operator: keyId }, value: count });

/** Wei of one coin. */
const WEI = 1e18;

/**
 * How many movements out of one wallet the key can still pay for at the fee that it offers. A node accepts a
 * transaction only if its key has the coins for the whole gas limit, so the last one needs them; what a movement does
 * not take stays with the key for the next. The margin is in the fee, which leaves room for base fees three times the
 * current one, and in the typical gas.
 */
async function movementsLeft({ evm }: ServedChain, address: Hex, limits: FeeLimits): Promise<number> {
  const gas = gasLimitsOn(evm.chain).send(1);
  const [balance, quote] = await Promise.all([evm.gasBalance(address), evm.feeQuote()]);
  // A transaction never offers more. While blocks cost more, it waits.
  const { maxFeePerGas } = capped(quote, limits, gas);
  if (maxFeePerGas === 0n) return Number(balance);
  const afterLast = balance - gas * maxFeePerGas;
  return afterLast < 0n ? 0 : 1 + Number(afterLast / (typicalGasOn(evm.chain) * maxFeePerGas));
}
