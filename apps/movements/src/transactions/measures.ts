import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import type { Metrics } from '@ponte/nest';
import { CLOCK, METRICS } from '@ponte/nest';
import type { ServedChains } from '../ports/served-chains';
import { SERVED_CHAINS } from '../ports/served-chains';
import { PendingTransactions } from '../views/pending-transactions';

/** What an operator sees of the chains; one on which nothing is under way shows zero. */
@Injectable()
export class MovementsMeasures implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics, @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(CLOCK) private readonly clock: Clock, private readonly pending: PendingTransactions,
  ) {}

  onModuleInit(): void {
    const each = (value: (of: { readonly count: number; readonly since: string } | undefined) => number) => async () => {
      const rows = await this.pending.byChain();
      return this.chains.all.map(({ evm: { chain } }) => ({ labels: { chain }, value: value(rows.find((row) => row.chain === chain)) }));
    };
    this.metrics.measure('ponte_chain_pending_transactions', each((of) => of?.count ?? 0));
    this.metrics.measure('ponte_chain_oldest_pending_seconds', each((of) => (of ? Math.max(0, this.clock.now() - Date.parse(of.since)) / 1000 : 0)));
  }
}
