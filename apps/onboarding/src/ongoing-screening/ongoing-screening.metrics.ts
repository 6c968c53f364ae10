import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { fromIso } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, METRICS } from '@ponte/nest';
import { FindingReadModel } from './findings.read-model';
import { ScreeningRoundReadModel } from './screening-rounds.read-model';

/** Statuses in which a finding waits. */
const WAITING = ['open', 'matched'];

/** Metrics of ongoing screening: the findings that wait, and the age of the last completed round. */
@Injectable()
export class OngoingScreeningMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly findings: FindingReadModel,
    private readonly rounds: ScreeningRoundReadModel,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_screening_findings_open', async () => {
      const counts = await this.findings.counts();
      return WAITING.map((status) => ({
        labels: { status },
        value: counts.find((one) => one.status === status)?.count ?? 0,
      }));
    });
    this.metrics.measure('ponte_screening_finding_oldest_seconds', async () => {
      const ages = (await this.findings.counts()).map(({ since }) => this.age(since));
      return [{ labels: {}, value: Math.max(0, ...ages) }];
    });
    this.metrics.measure('ponte_screening_round_age_seconds', async () => {
      const last = await this.rounds.lastCompleted();
      if (last) return [{ labels: { lists_version: last.listsVersion }, value: this.age(last.at) }];
      const first = await this.rounds.firstStarted();
      return [{ labels: { lists_version: 'none' }, value: first === null ? 0 : this.age(first) }];
    });
  }

  private age(since: Timestamp): number {
    return Math.max(0, this.clock.now() - fromIso(since)) / 1_000;
  }
}
