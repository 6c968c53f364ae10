import { Inject, Injectable } from '@nestjs/common';
import type { SealedPayee } from '@ponte/contracts';
import { LEDGER_TRANSIT_SUBJECT, holderIdOf } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { ERASED, SubjectErased } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { KeyOwner } from '../key-directory/key-directory.port';

/** Seals who is paid under the person's own subject, the same wherever the person appears. */
@Injectable()
export class PayeeSealing {
  constructor(@Inject(PERSONAL_DATA) private readonly personalData: PersonalData) {}

  fingerprint(taxId: string): string {
    return this.personalData.fingerprint('tax-id', taxId);
  }

  async seal(
    owner: KeyOwner,
    pixKey: string | null,
    withdrawalId: string,
  ): Promise<{ readonly payee: SealedPayee; readonly pixKey: Sealed | null }> {
    const fingerprint = this.fingerprint(owner.taxId);
    try {
      return await this.sealedUnder(holderIdOf(fingerprint), fingerprint, owner, pixKey);
    } catch (error) {
      // A person who was erased can be paid again; the new data has a subject of its own.
      if (error instanceof SubjectErased)
        return this.sealedUnder(derivedId('person', 'payee', withdrawalId), fingerprint, owner, pixKey);
      throw error;
    }
  }

  /** For a dry run: sealed for the way back alone, so that no encryption key is made for the person. */
  sealInTransit(
    owner: KeyOwner,
    pixKey: string,
  ): Promise<{ readonly payee: SealedPayee; readonly pixKey: Sealed | null }> {
    return this.sealedUnder(LEDGER_TRANSIT_SUBJECT, this.fingerprint(owner.taxId), owner, pixKey);
  }

  /** Null when the person was erased meanwhile: no one can be paid whose account is no longer known. */
  async open({ legalName, taxId, bankCode, branchCode, accountNumber }: SealedPayee): Promise<KeyOwner | null> {
    const [name, number, branch, account] = await Promise.all(
      [legalName, taxId, branchCode, accountNumber].map((text) => this.personalData.open(text)),
    );
    if (name === undefined || number === undefined || branch === undefined || account === undefined || name === ERASED)
      return null;
    return { legalName: name, taxId: number, bankCode, branchCode: branch, accountNumber: account };
  }

  async openKey(pixKey: Sealed): Promise<string> {
    return this.personalData.open(pixKey);
  }

  private async sealedUnder(subject: string, taxIdFingerprint: string, owner: KeyOwner, pixKey: string | null) {
    const seal = (text: string) => this.personalData.seal(subject, text);
    const payee = {
      legalName: await seal(owner.legalName),
      taxId: await seal(owner.taxId),
      taxIdFingerprint,
      bankCode: owner.bankCode,
      branchCode: await seal(owner.branchCode),
      accountNumber: await seal(owner.accountNumber),
    };
    return { payee, pixKey: pixKey === null ? null : await seal(pixKey) };
  }
}
