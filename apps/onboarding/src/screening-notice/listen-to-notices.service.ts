import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { LocalBuckets } from '@ponte/concurrency';
import { systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { isUuid, Unavailable } from '@ponte/kernel';
import { CLOCK, IDS } from '@ponte/nest';
import { ScreenPerson } from '../ongoing-screening/screen-person.service';
import type { Screening, ScreeningNotice, ScreeningNotices } from '../screening/screening.port';
import { SCREENING, SCREENING_NOTICES } from '../screening/screening.port';

/** A person is screened at most this often at once, and then once a minute. */
const PER_PERSON = { capacity: 3, perSecond: 1 / 60 };
/** The limit for all people on one process, so that a vendor that repeats itself does not hold up other work. */
const IN_TOTAL = { capacity: 100, perSecond: 2 };

/**
 * Screens a person again when a vendor has new results. Nothing of the notice is recorded or trusted: it only says whom
 * to screen. Without an answer the vendor sends the notice again, and the daily round finds what no notice reported.
 */
@Injectable()
export class ScreeningNoticeListener implements OnApplicationBootstrap {
  private readonly limits = new LocalBuckets();

  constructor(
    private readonly people: ScreenPerson,
    @Inject(SCREENING) private readonly screening: Screening,
    @Inject(SCREENING_NOTICES) private readonly notices: ScreeningNotices | null,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  onApplicationBootstrap(): void {
    this.notices?.listen((notice) => this.receive(notice));
  }

  /** Screens every case of the person. Throws `Unavailable` if a case cannot be screened now. */
  private async receive({ subjectRef }: ScreeningNotice): Promise<void> {
    if (!isUuid(subjectRef)) return;
    const person = await this.people.read(subjectRef);
    if (person.cases.length === 0) return;
    this.assertNotTooOften(subjectRef);
    const context = systemContext(this.ids, 'screening-vendor');
    // Each notice has an id of its own, because a repeated one may find something else. Only new hits are raised.
    const round = { roundId: context.commandId, listsVersion: this.screening.listsVersion() };
    await this.people.everywhere(person, round, context);
  }

  private assertNotTooOften(subjectId: string): void {
    const nowMs = this.clock.now();
    const isAllowed =
      this.limits.take({ bucket: subjectId, ...PER_PERSON, nowMs }).allowed &&
      this.limits.take({ bucket: 'everyone', ...IN_TOTAL, nowMs }).allowed;
    if (!isAllowed) throw new Unavailable('service-unavailable');
  }
}
