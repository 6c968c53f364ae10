import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Timers } from '@ponte/concurrency';
import { LeasedJobs } from '@ponte/concurrency';
import type { Lease } from '@ponte/event-sourcing';
import { LEASE, TIMERS } from '@ponte/nest';
import { DueScreenings } from './request-intake/due-screenings.service';
import { DueWork } from './request-intake/due-work.service';
import { SweepBlobs } from './evidence-file/sweep-blobs.service';
import { FollowFindings } from './ongoing-screening/follow-findings.service';
import { ScreeningRoundJob } from './screening-round/screening-round.job';
import type { OnboardingSettings } from './onboarding-settings.port';
import { ONBOARDING_SETTINGS_OF } from './onboarding-settings.port';

/** Runs the periodic jobs of this service, on one process at a time. */
@Injectable()
export class OnboardingTimers implements OnApplicationBootstrap {
  private readonly jobs: LeasedJobs;

  constructor(
    private readonly due: DueWork,
    private readonly screenings: DueScreenings,
    private readonly orphans: SweepBlobs,
    private readonly rounds: ScreeningRoundJob,
    private readonly findings: FollowFindings,
    @Inject(TIMERS) timers: Timers,
    @Inject(LEASE) lease: Lease,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
  ) {
    this.jobs = new LeasedJobs(lease, 'onboarding-timers', timers);
  }

  onApplicationBootstrap(): void {
    const { dueEveryMs, screenAgainEveryMs, sweepEveryMs } = this.settings;
    this.every('onboarding-due-work', dueEveryMs, this.due);
    this.every('onboarding-due-screenings', dueEveryMs, this.screenings);
    this.every('onboarding-screening-round', screenAgainEveryMs, this.rounds);
    this.every('onboarding-follow-findings', screenAgainEveryMs, this.findings);
    this.every('onboarding-sweep-blobs', sweepEveryMs, this.orphans);
  }

  private every(name: string, everyMs: number, work: { run(signal: AbortSignal): Promise<void> }): void {
    this.jobs.every({ name, everyMs, run: (_grant, signal) => work.run(signal) });
  }
}
