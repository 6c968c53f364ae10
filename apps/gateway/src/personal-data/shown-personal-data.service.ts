import { Inject, Injectable } from '@nestjs/common';
import { ReportLimit } from '@ponte/concurrency';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { openIfReadable, UNAVAILABLE } from '@ponte/event-sourcing';
import { LOGGER, PERSONAL_DATA } from '@ponte/nest';
import type { Logger } from 'pino';

/** The ids of the resource that a text belongs to, for the log. */
type ShownIn = Readonly<Record<`${string}Id`, string>>;

/** What mappers open personal data with. */
export interface OpensPersonalData {
  open(sealed: Sealed, shownIn: ShownIn): Promise<string>;
}

/**
 * Opens personal data for responses. A text that cannot be decrypted reads `[unavailable]` and is reported, because it
 * must not hide its resource, nor the others of a list. Throws when the keys cannot be read now.
 */
@Injectable()
export class ShownPersonalData implements OpensPersonalData {
  private readonly reports = new ReportLimit();

  constructor(
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'open'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  async open(sealed: Sealed, shownIn: ShownIn): Promise<string> {
    const text = await openIfReadable(this.personalData, sealed);
    if (text !== undefined) return text;
    this.reports.note(Object.keys(shownIn).join(), (repeats) =>
      this.logger.error({ ...shownIn, ...repeats }, 'personal data cannot be decrypted'),
    );
    return UNAVAILABLE;
  }
}
