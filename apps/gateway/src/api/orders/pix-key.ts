import { Inject, Injectable } from '@nestjs/common';
import { LEDGER_TRANSIT_SUBJECT } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { derivedId, pixKeyOf, refuse } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';

/** Seals the Pix keys of requests, because messages and events contain personal data only in sealed form. */
@Injectable()
export class PixKeys {
  constructor(@Inject(PERSONAL_DATA) private readonly personalData: PersonalData) {}

  /**
   * Normalizes the key to the form of the Pix directory and seals it under a subject derived from it. A dry run uses a
   * shared subject, so it creates no encryption key. Refuses `invalid-pix-key`.
   */
  seal(text: string, path: string, isDryRun: boolean): Promise<Sealed> {
    const key =
      pixKeyOf(text) ??
      refuse(
        'invalid-pix-key',
        'must be a CPF, a CNPJ, an e-mail address, a +55 phone number or a random key (UUID)',
        path,
      );
    const { personalData } = this;
    const subject = isDryRun
      ? LEDGER_TRANSIT_SUBJECT
      : derivedId('pix-key', personalData.fingerprint('pix-key', key.value));
    return personalData.seal(subject, key.value);
  }
}
