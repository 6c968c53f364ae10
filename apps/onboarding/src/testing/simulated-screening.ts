import type {
  Screening,
  ScreeningNotice,
  ScreeningNotices,
  ScreeningResult,
  ScreeningSubject,
} from '../screening/screening.port';
import { Misbehaviour, SimulatedNotices } from '../vendor/adapters/misbehaviour';

/** A vendor in front of another screening, usually the local one with the invented lists. It misbehaves on request. */
export class SimulatedScreening implements Screening, ScreeningNotices {
  readonly misbehaviour = new Misbehaviour();
  private readonly notices = new SimulatedNotices<ScreeningNotice>(this.misbehaviour);
  private reported = 0;

  constructor(private readonly behind: Screening) {}

  async screen(subject: ScreeningSubject): Promise<ScreeningResult> {
    this.misbehaviour.call();
    return this.behind.screen(subject);
  }

  listsVersion(): string {
    return this.behind.listsVersion();
  }

  /** Sends a notice that the vendor has new results about a person. */
  async notify(subjectRef: string): Promise<void> {
    this.reported += 1;
    await this.notices.send({ subjectRef, providerEventId: `simulated-${this.reported}` });
  }

  listen(listener: (notice: ScreeningNotice) => Promise<void>): void {
    this.notices.listen(listener);
  }

  /** Sends the notices that were held back, the last one first. */
  release(): Promise<void> {
    return this.notices.release();
  }
}
