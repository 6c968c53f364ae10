import { Inject, Injectable } from '@nestjs/common';
import { ReportLimit } from '@ponte/concurrency';
import type { PublishedEnvelope } from '@ponte/contracts';
import { openedPayload } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { LOGGER, PERSONAL_DATA } from '@ponte/nest';
import type { Logger } from 'pino';

/** Opens the personal members of events for one request, and reports those that cannot be decrypted. */
@Injectable()
export class PayloadOpener {
  private readonly reports = new ReportLimit();

  constructor(
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'open'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /** `personal`: the personal members in clear text, to be removed from a response before it is stored. */
  async open(
    envelope: PublishedEnvelope,
  ): Promise<{ readonly payload: PublishedEnvelope['payload']; readonly personal: readonly string[] }> {
    const { payload, personal, unreadable } = await openedPayload(envelope, this.personalData);
    if (unreadable.length > 0) {
      const { accountId, eventId } = envelope;
      this.reports.note('unreadable', (repeats) =>
        this.logger.error({ accountId, eventId, members: unreadable, ...repeats }, 'an event cannot be decrypted'),
      );
    }
    return { payload, personal };
  }
}
