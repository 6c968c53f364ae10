import { Inject, Injectable } from '@nestjs/common';
import { LEDGER_TRANSIT_SUBJECT } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { pixKeyOf } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';

/** The subject of Pix keys on their way to the ledger, which seals what it keeps under the owner of the key. */
const TRANSIT_SUBJECT = 'pix-key-transit';

/** Seals the Pix keys of requests, because messages and events contain personal data only in sealed form. */
@Injectable()
export class PixKeys {
  constructor(@Inject(PERSONAL_DATA) private readonly personalData: PersonalData) {}

  /**
   * Normalizes the key to the form of the Pix directory and seals it for transit: a subject of its own would leave an
   * encryption key behind that no erasure finds. The subject of a dry run tells the ledger to keep nothing. `invalid`
   * if the text is not a Pix key, which the orders service refuses together with any other violations.
   */
  async seal(text: string, isDryRun: boolean): Promise<Sealed | 'invalid'> {
    const key = pixKeyOf(text);
    if (!key) return 'invalid';
    return this.personalData.seal(isDryRun ? LEDGER_TRANSIT_SUBJECT : TRANSIT_SUBJECT, key.value);
  }
}
