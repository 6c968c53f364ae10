import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Metrics } from '@ponte/nest';
import { METRICS } from '@ponte/nest';
import { DEPOSIT_ROWS } from '../ports/deposit-rows';
import type { DepositRows } from '../ports/deposit-rows';

/** What an operator sees of deposits that are not credited yet. */
@Injectable()
export class DepositMetrics implements OnModuleInit {
  constructor(@Inject(METRICS) private readonly metrics: Metrics, @Inject(DEPOSIT_ROWS) private readonly rows: DepositRows) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_deposits_open', async () => (await this.rows.open()).map(({ type, status, count }) => ({ labels: { type, status }, value: count })));
  }
}
