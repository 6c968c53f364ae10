import { isoTime, Unavailable } from '@ponte/kernel';
import type { Liveness, LivenessOutcome, LivenessResult } from '../ports/liveness';
import type { Screening, ScreeningMatch, ScreeningResult, ScreeningSubject } from '../ports/screening';

/** The vendors of a test: they say what the test tells them to. */
export class ToldScreening implements Screening {
  readonly asked: ScreeningSubject[] = [];
  hits: ScreeningMatch[] = [];
  down = false;

  async screen(subject: ScreeningSubject): Promise<ScreeningResult> {
    if (this.down) throw new Unavailable('service-unavailable');
    this.asked.push(subject);
    return { hits: this.hits };
  }
}

export class ToldLiveness implements Liveness {
  outcome: LivenessOutcome = 'passed';

  async resultOf({ id }: { readonly provider: string; readonly id: string }): Promise<LivenessResult> {
    return { outcome: this.outcome, providerEventId: `${id}:${this.outcome}`, decidedAt: isoTime(1_790_000_000_000) };
  }
}

/** A blob store that only forgets. */
export class ToldBlobs {
  readonly deleted: string[] = [];

  async delete(id: string): Promise<void> {
    this.deleted.push(id);
  }
}
