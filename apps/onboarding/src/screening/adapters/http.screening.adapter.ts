import { Unavailable } from '@ponte/kernel';
import { BadCallback } from '@ponte/nest';
import type { Dispatcher } from 'undici';
import type { ScreeningVendorSettings } from '../../checks.vendors';
import type {
  Screening,
  ScreeningMatch,
  ScreeningNotice,
  ScreeningNotices,
  ScreeningResult,
  ScreeningSubject,
} from '../screening.port';
import { isOwnList } from '../own-lists.domain';
import type { VendorRoute } from '../../vendor/adapters/callback-server';
import { fieldAt, textAt } from '../../vendor/adapters/json-fields';
import type { VendorAnswer } from '../../vendor/adapters/vendor-call';
import { callVendor, VendorFailed } from '../../vendor/adapters/vendor-call';

export interface HttpScreeningOptions extends ScreeningVendorSettings {
  /** 0 to 100, after scaling. Hits of the vendor with a lower score are ignored. */
  readonly threshold: number;
  readonly timeoutMs: number;
  /** Receives the reason why the vendor could not be asked. The reason contains no personal data. */
  readonly warn: (reason: string) => void;
  readonly dispatcher?: Dispatcher;
}

const MAX_EXPLANATION = 2_000;
const RETRY_SECONDS = 5;

/**
 * A screening vendor over HTTP. Sends `{"subject-ref", "names", "date-of-birth", "country"}`. 200 or 201 is the result;
 * 202 means that the vendor is still screening (`Unavailable`, retried later); anything else is `Unavailable` too. A
 * hit that cannot be parsed makes the whole response invalid.
 */
export class HttpScreening implements Screening, ScreeningNotices {
  private listener: ((notice: ScreeningNotice) => Promise<void>) | undefined;

  constructor(private readonly options: HttpScreeningOptions) {}

  async screen({ subjectRef, names, dateOfBirth, country }: ScreeningSubject): Promise<ScreeningResult> {
    const { url, headers, timeoutMs, dispatcher, warn } = this.options;
    try {
      const body = { 'subject-ref': subjectRef, names, 'date-of-birth': dateOfBirth, country };
      return { hits: this.hitsOf(await callVendor({ method: 'POST', url, headers, body, timeoutMs, dispatcher })) };
    } catch (error) {
      if (!(error instanceof VendorFailed)) throw error;
      warn(error.message);
      throw new Unavailable('service-unavailable', undefined, RETRY_SECONDS);
    }
  }

  /** A vendor screens against its own lists and does not say when they change. */
  listsVersion(): string {
    return 'vendor';
  }

  listen(listener: (notice: ScreeningNotice) => Promise<void>): void {
    this.listener = listener;
  }

  /** The route for this vendor's callbacks. */
  routes(path: string): readonly VendorRoute[] {
    const { callback: signature, fields } = this.options;
    if (!signature) return [];
    const receive = async (body: unknown): Promise<void> => {
      const subjectRef = textAt(body, fields['subject-ref']);
      const providerEventId = textAt(body, fields['event-id']);
      if (subjectRef === undefined || providerEventId === undefined)
        throw new BadCallback('the callback has no subject reference or no event id');
      await this.listening()({ subjectRef, providerEventId });
    };
    return [{ path, signature, receive }];
  }

  /** Before the service is up, callbacks fail, so that the vendor resends them. */
  private listening(): (notice: ScreeningNotice) => Promise<void> {
    if (!this.listener) throw new Error('the service is not ready for callbacks yet');
    return this.listener;
  }

  private hitsOf({ status, body }: VendorAnswer): readonly ScreeningMatch[] {
    if (status === 202) throw new VendorFailed('the vendor is still screening');
    if (status >= 400) throw new VendorFailed(`the vendor responded with ${status}`);
    const hits = fieldAt(body, this.options.fields.hits);
    if (!Array.isArray(hits)) throw new VendorFailed('the response has no list of hits');
    return hits
      .map((hit) => this.hitOf(hit))
      .filter(({ score }) => score >= this.options.threshold)
      .sort((a, b) => b.score - a.score);
  }

  private hitOf(hit: unknown): ScreeningMatch {
    const { fields, lists, bestScore } = this.options;
    const list = textAt(hit, fields.list);
    const entryId = textAt(hit, fields['entry-id']);
    const score = numberOf(fieldAt(hit, fields.score));
    if (list === undefined || entryId === undefined || !(score >= 0 && score <= bestScore))
      throw new VendorFailed('a hit in the response cannot be parsed');
    const explanation = fieldAt(hit, fields['matched-on']);
    const matchedOn = (typeof explanation === 'string' ? explanation : JSON.stringify(explanation ?? '')).slice(
      0,
      MAX_EXPLANATION,
    );
    const name = Object.hasOwn(lists, list) ? (lists[list] ?? list) : list;
    if (isOwnList(name)) throw new VendorFailed('the list of a hit has a name with another meaning: rename it');
    return { list: name, entryId, score: Math.round((score / bestScore) * 100), matchedOn };
  }
}

/** The value as a number if it is a number or a numeric string, otherwise NaN. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,3}(\.\d{1,20})?$/.test(value) ? Number(value) : NaN;
}
