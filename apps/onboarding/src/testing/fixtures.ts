import type { BlobPage } from '@ponte/event-sourcing';
import { isoTime, Unavailable } from '@ponte/kernel';
import type { Liveness, LivenessOutcome, LivenessResult } from '../liveness/liveness.port';
import type {
  Screening,
  ScreeningMatch,
  ScreeningNotice,
  ScreeningNotices,
  ScreeningResult,
  ScreeningSubject,
} from '../screening/screening.port';

/** The simulated vendors of a test, which return what the test sets. */
export class ScriptedScreening implements Screening, ScreeningNotices {
  readonly screened: ScreeningSubject[] = [];
  hits: ScreeningMatch[] = [];
  down = false;
  /** Names that the vendor always refuses to screen, as written in the request. */
  readonly refusedNames = new Set<string>();
  version = 'lists-1';
  private listener: ((notice: ScreeningNotice) => Promise<void>) | undefined;

  listen(listener: (notice: ScreeningNotice) => Promise<void>): void {
    this.listener = listener;
  }

  /** Sends a notice of the vendor that there are new results about a person. */
  async notify(subjectRef: string): Promise<void> {
    if (!this.listener) throw new Error('nothing listens to notices');
    await this.listener({ subjectRef, providerEventId: 'event' });
  }

  listsVersion(): string {
    return this.version;
  }

  async screen(subject: ScreeningSubject): Promise<ScreeningResult> {
    const isRefused = subject.names.some((name) => this.refusedNames.has(name));
    if (this.down || isRefused) throw new Unavailable('service-unavailable');
    this.screened.push(subject);
    return { hits: this.hits };
  }
}

export class ScriptedLiveness implements Liveness {
  outcome: LivenessOutcome = 'passed';
  /** When the provider decided the sessions. */
  decidedAtMs = Date.now();

  async resultOf({ id }: { readonly provider: string; readonly id: string }): Promise<LivenessResult> {
    return { outcome: this.outcome, providerEventId: `${id}:${this.outcome}`, decidedAt: isoTime(this.decidedAtMs) };
  }
}

/** A blob store that lists given files and only records deletions. */
export class ScriptedBlobs {
  readonly deleted: string[] = [];
  /** Ids by page, with the time when each was stored (epoch milliseconds). */
  pages: Readonly<Record<string, number>>[] = [];

  async list({ beforeMs, cursor }: { readonly beforeMs: number; readonly cursor: string | null }): Promise<BlobPage> {
    const at = Number(cursor ?? 0);
    const ids = Object.entries(this.pages[at] ?? {})
      .filter(([id, since]) => since < beforeMs && !this.deleted.includes(id))
      .map(([id]) => id);
    return { ids, next: at + 1 < this.pages.length ? String(at + 1) : null };
  }

  async delete(id: string): Promise<void> {
    this.deleted.push(id);
  }
}
