import { Unavailable } from '@ponte/kernel';
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
import type { CallbackRoute } from '../../vendor/adapters/callback-server';
import { BadCallback } from '../../vendor/adapters/callback-server';
import { fieldAt, textAt } from '../../vendor/adapters/json-fields';
import type { VendorAnswer } from '../../vendor/adapters/vendor-call';
import { callVendor, VendorFailed } from '../../vendor/adapters/vendor-call';

export interface HttpScreeningOptions extends ScreeningVendorSettings {
  /** 0 to 100, after scaling: the vendor's lower ones are no hits. */
  readonly threshold: number;
  readonly timeoutMs: number;
  /** Told why the vendor could not be asked, in words that name no one. */
  readonly warn: (reason: string) => void;
  readonly dispatcher?: Dispatcher;
}

/** More would not be read. */
const MAX_HITS = 100;
const MAX_EXPLANATION = 2_000;
const RETRY_SECONDS = 5;

/**
 * A vendor behind HTTP. Sends `{"subject-ref", "names", "date-of-birth", "country"}`; an answer 200 or 201 is the
 * result, 202 means that it is still looking (`Unavailable`, to be asked again), anything else `Unavailable` too. A hit
 * that cannot be read makes the whole answer unusable.
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

  listen(listener: (notice: ScreeningNotice) => Promise<void>): void {
    this.listener = listener;
  }

  /** The door for this vendor's callbacks. */
  routes(path: string): readonly CallbackRoute[] {
    const { callback: signature, fields } = this.options;
    if (!signature) return [];
    const receive = async (body: unknown): Promise<void> => {
      const subjectRef = textAt(body, fields['subject-ref']);
      const providerEventId = textAt(body, fields['event-id']);
      if (subjectRef === undefined || providerEventId === undefined)
        throw new BadCallback('the callback does not say whom it is about');
      await this.listening()({ subjectRef, providerEventId });
    };
    return [{ path, signature, receive }];
  }

  /** Before the service is up the vendor has to send again. */
  private listening(): (notice: ScreeningNotice) => Promise<void> {
    if (!this.listener) throw new Error('no one listens as yet');
    return this.listener;
  }

  private hitsOf({ status, body }: VendorAnswer): readonly ScreeningMatch[] {
    if (status === 202) throw new VendorFailed('the vendor is still looking');
    if (status === 404) throw new VendorFailed('the vendor answered 404');
    const hits = fieldAt(body, this.options.fields.hits);
    if (!Array.isArray(hits)) throw new VendorFailed('the answer has no list of hits');
    return hits
      .map((hit) => this.hitOf(hit))
      .filter(({ score }) => score >= this.options.threshold)
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_HITS);
  }

  private hitOf(hit: unknown): ScreeningMatch {
    const { fields, bestScore } = this.options;
    const list = textAt(hit, fields.list);
    const entryId = textAt(hit, fields['entry-id']);
    const score = numberOf(fieldAt(hit, fields.score));
    if (list === undefined || entryId === undefined || !(score >= 0 && score <= bestScore))
      throw new VendorFailed('a hit of the answer cannot be read');
    const explanation = fieldAt(hit, fields['matched-on']);
    const matchedOn = (typeof explanation === 'string' ? explanation : JSON.stringify(explanation ?? '')).slice(
      0,
      MAX_EXPLANATION,
    );
    return { list, entryId, score: Math.round((score / bestScore) * 100), matchedOn };
  }
}

/** A number, or one written as a text; NaN is neither. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,3}(\.\d{1,20})?$/.test(value) ? Number(value) : NaN;
}
