import { Inject, Injectable } from '@nestjs/common';
import type { PixCoordinates } from '@ponte/contracts';
import { holderIdOf } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { SubjectErased } from '@ponte/event-sourcing';
import { derivedId, parseTaxId } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { Payer } from '../pix-charge/pix-charges.port';

/** Seals who paid under the payer's own subject, the same wherever the person appears. */
@Injectable()
export class SealPayer {
  constructor(@Inject(PERSONAL_DATA) private readonly personalData: PersonalData) {}

  async coordinates(depositId: string, payer: Payer, target: string): Promise<PixCoordinates> {
    const taxId = payer.taxId === null ? undefined : parseTaxId(payer.taxId)?.value;
    // A payer whom the bank does not name, or not properly, matches no account and has a subject of its own.
    const fingerprint = taxId === undefined ? '' : this.personalData.fingerprint('tax-id', taxId);
    const own = derivedId('person', 'payer', depositId);
    try {
      return await this.sealed(
        taxId === undefined ? own : holderIdOf(fingerprint),
        fingerprint,
        { ...payer, taxId: taxId ?? null },
        target,
      );
    } catch (error) {
      // A person who was erased and pays again leaves new data, which can be erased by itself.
      if (error instanceof SubjectErased)
        return this.sealed(own, fingerprint, { ...payer, taxId: taxId ?? null }, target);
      throw error;
    }
  }

  private async sealed(subject: string, fingerprint: string, payer: Payer, target: string): Promise<PixCoordinates> {
    const seal = (text: string) => this.personalData.seal(subject, text);
    return {
      sourceTaxId: await seal(payer.taxId ?? ''),
      sourceTaxIdFingerprint: fingerprint,
      sourceLegalName: await seal(payer.legalName),
      sourceBankCode: payer.bankCode,
      sourceType: payer.accountType,
      sourceAccountNumber: await seal(payer.accountNumber),
      sourceBranchCode: await seal(payer.branchCode),
      target,
    };
  }
}
