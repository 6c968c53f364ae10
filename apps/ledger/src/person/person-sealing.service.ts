import { Inject, Injectable } from '@nestjs/common';
import type { PixCoordinates, SealedPayee } from '@ponte/contracts';
import {
  LEDGER_TRANSIT_SUBJECT,
  holderIdOf,
  isBankCoordinates,
  otherPayeeIdOf,
  sealingSubjectOf,
  unidentifiedPayerIdOf,
} from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import { derivedId, parseTaxId } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { DepositFacts } from '../deposit/deposit.state';
import type { Payee } from './payee.domain';
import type { Payer } from '../pix-charge/pix-charges.port';
import { sealedUnder } from './sealed-under';

interface SealedOwner {
  readonly payee: SealedPayee;
  readonly pixKey: Sealed | null;
}

/**
 * Seals data of payers and payees. The records of a holder's own account are kept for years after it is closed, so they
 * are sealed under the holder's subject. Any other person may be erased before onboarding has noted the new record.
 * So its data has a subject of its own, which only an erasure that knows of the record destroys.
 */
@Injectable()
export class PersonSealing {
  constructor(@Inject(PERSONAL_DATA) private readonly personalData: PersonalData) {}

  fingerprint(taxId: string): string {
    return this.personalData.fingerprint('tax-id', taxId);
  }

  /** A payer whose tax id is missing or invalid matches no account. `holder` is as for {@link payee}. */
  payer(depositId: string, payer: Payer, target: string, holder: string | null): Promise<PixCoordinates> {
    const taxId = payer.taxId === null ? undefined : parseTaxId(payer.taxId)?.value;
    const fingerprint = taxId === undefined ? '' : this.fingerprint(taxId);
    return sealedUnder(subjectFor(fingerprint, holder), unidentifiedPayerIdOf(depositId), async (subject) => {
      const seal = (text: string) => this.personalData.seal(subject, text);
      return {
        sourceTaxId: await seal(taxId ?? ''),
        sourceTaxIdFingerprint: fingerprint,
        sourceLegalName: await seal(payer.legalName),
        sourceBankCode: payer.bankCode,
        sourceType: payer.accountType,
        sourceAccountNumber: await seal(payer.accountNumber),
        sourceBranchCode: await seal(payer.branchCode),
        target,
      };
    });
  }

  /** Seals what staff wrote about a deposit under the subject of the payer's data, so that both are erased together. */
  aboutPayer({ depositId, coordinates }: DepositFacts, text: string): Promise<Sealed> {
    const own = derivedId('person', 'settlement', depositId);
    const subject = isBankCoordinates(coordinates) ? sealingSubjectOf(coordinates.sourceTaxId) : null;
    return sealedUnder(subject, own, (known) => this.personalData.seal(known, text));
  }

  /** `holder` is the fingerprint of the tax id of the account's holder; null if there is no open account. */
  payee(owner: Payee, pixKey: string | null, withdrawalId: string, holder: string | null): Promise<SealedOwner> {
    const own = otherPayeeIdOf(withdrawalId);
    const subject = subjectFor(this.fingerprint(owner.taxId), holder);
    return sealedUnder(subject, own, (known) => this.owner(known, owner, pixKey));
  }

  /** For a dry run: sealed under the transit subject, so that no encryption key is created for the person. */
  payeeInTransit(owner: Payee, pixKey: string): Promise<SealedOwner> {
    return this.owner(LEDGER_TRANSIT_SUBJECT, owner, pixKey);
  }

  /** Null if the person has been erased: a payee whose account is no longer known cannot be paid. */
  async open({ legalName, taxId, bankCode, branchCode, accountNumber }: SealedPayee): Promise<Payee | null> {
    const [name, number, branch, account] = await Promise.all(
      [legalName, taxId, branchCode, accountNumber].map((text) => this.personalData.open(text)),
    );
    if (name === undefined || number === undefined || branch === undefined || account === undefined || name === ERASED)
      return null;
    return { legalName: name, taxId: number, bankCode, branchCode: branch, accountNumber: account };
  }

  openKey(pixKey: Sealed): Promise<string> {
    return this.personalData.open(pixKey);
  }

  private async owner(subject: string, owner: Payee, pixKey: string | null): Promise<SealedOwner> {
    const seal = (text: string) => this.personalData.seal(subject, text);
    const payee = {
      legalName: await seal(owner.legalName),
      taxId: await seal(owner.taxId),
      taxIdFingerprint: this.fingerprint(owner.taxId),
      bankCode: owner.bankCode,
      branchCode: await seal(owner.branchCode),
      accountNumber: await seal(owner.accountNumber),
    };
    return { payee, pixKey: pixKey === null ? null : await seal(pixKey) };
  }
}

const subjectFor = (fingerprint: string, holder: string | null): string | null =>
  holder !== null && fingerprint === holder ? holderIdOf(fingerprint) : null;
