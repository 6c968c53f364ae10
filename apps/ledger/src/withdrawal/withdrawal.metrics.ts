import { WITHDRAWAL_METHODS } from '@ponte/contracts';
import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { fromIso, isoTime } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, METRICS, READ_MODELS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { BusinessCalendar } from '../business-calendar/business-calendar';
import { oldestWithdrawals } from '../waiting-work/oldest-withdrawals';
import { WithdrawalReadModel } from './withdrawals.read-model';

@Injectable()
export class WithdrawalMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly readModel: WithdrawalReadModel,
    @Inject(READ_MODELS) private readonly readModels: Kysely<unknown>,
    private readonly calendar: BusinessCalendar,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_withdrawals_open', async () =>
      (await this.readModel.open()).map(({ state, method, count }) => ({ labels: { state, method }, value: count })),
    );
    this.metrics.measure('ponte_withdrawal_oldest_seconds', async () => {
      const now = this.clock.now();
      const oldest = await oldestWithdrawals(this.readModels);
      return WITHDRAWAL_METHODS.map((method) => {
        const since = fromIso(oldest.get(method) ?? isoTime(now));
        // Banks process a TED only in these hours, whether or not it has reached them.
        const ms = method === 'ted' ? this.calendar.openFor(since, now) : Math.max(0, now - since);
        return { labels: { method }, value: ms / 1000 };
      });
    });
  }
}
