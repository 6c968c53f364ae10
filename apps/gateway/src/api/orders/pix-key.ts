import { Inject, Injectable } from '@nestjs/common';
import { LEDGER_TRANSIT_SUBJECT } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { derivedId, pixKeyOf } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';

/** Seals the Pix keys of requests, because messages and events contain personal data only in sealed form. */
@Injectable()
export class PixKeys {
  constructor(@Inject(PERSONAL_DATA) private readonly personalData: PersonalData) {}

  /**
   * Normalizes the key to the form of the Pix directory and seals it under a subject derived from it. A dry run uses a
   * shared subject, so it creates no encryption key. `invalid` if the text is not a Pix key, which the orders service
   * refuses together with any other violations.
   */
  async seal(text: string, isDryRun: boolean): Promise<Sealed | 'invalid'> {
    const key = pixKeyOf(text);
    if (!key) return 'invalid';
    const { personalData } = this;
    const subject = isDryRun
      ? LEDGER_TRANSIT_SUBJECT
      : derivedId('pix-key', personalData.fingerprint('pix-key', key.value));
    return personalData.seal(subject, key.value);
  }
}
