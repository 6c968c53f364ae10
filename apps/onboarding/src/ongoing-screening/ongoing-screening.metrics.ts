import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { secondsSince } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, METRICS } from '@ponte/nest';
import { FindingReadModel } from './findings.read-model';
import { ScreeningRounds } from '../screening-round/screening-rounds.service';
import { ScreeningRoundReadModel } from '../screening-round/screening-rounds.read-model';

const WAITING = ['open', 'matched'];

/** Metrics of ongoing screening: findings that wait, the age of the last completed round, and cases that fail. */
@Injectable()
export class OngoingScreeningMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly findings: FindingReadModel,
    private readonly rounds: ScreeningRoundReadModel,
    private readonly streams: ScreeningRounds,
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
      return [{ labels: { lists_version: 'none' }, value: this.age(first) }];
    });
    this.metrics.measure('ponte_screening_cases_aside', async () => [{ labels: {}, value: await this.aside() }]);
  }

  /** The cases that the latest round could not screen, or the one before until the latest has tried every case. */
  private async aside(): Promise<number> {
    const ids = await this.rounds.lastStarted();
    const [latest, before] = await Promise.all(ids.map((id) => this.streams.load(id)));
    if (latest?.status !== 'started') return 0;
    const earlier = latest.last !== null && before?.status === 'started' ? before.aside.length : 0;
    return Math.max(latest.aside.length, earlier);
  }

  private age(since: Timestamp | null): number {
    return secondsSince(since, this.clock.now());
  }
}
