import { Inject, Injectable } from '@nestjs/common';
import type { PixCoordinates, SealedPayee } from '@ponte/contracts';
import { LEDGER_TRANSIT_SUBJECT, holderIdOf, payerIdOf, unidentifiedPayerIdOf } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import { derivedId, parseTaxId } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { DepositFacts } from '../deposit/deposit.state';
import type { KeyOwner } from '../key-directory/key-directory.port';
import type { Payer } from '../pix-charge/pix-charges.port';
import { sealedUnder } from './sealed-under';

interface SealedOwner {
  readonly payee: SealedPayee;
  readonly pixKey: Sealed | null;
}

/** Seals data of payers and payees under the person's own subject, which is the same wherever the person appears. */
@Injectable()
export class PersonSealing {
  constructor(@Inject(PERSONAL_DATA) private readonly personalData: PersonalData) {}

  fingerprint(taxId: string): string {
    return this.personalData.fingerprint('tax-id', taxId);
  }

  /** A payer whose tax id is missing or invalid matches no account, and gets a subject of the deposit. */
  payer(depositId: string, payer: Payer, target: string): Promise<PixCoordinates> {
    const taxId = payer.taxId === null ? undefined : parseTaxId(payer.taxId)?.value;
    const fingerprint = taxId === undefined ? '' : this.fingerprint(taxId);
    const own = unidentifiedPayerIdOf(depositId);
    return sealedUnder(taxId === undefined ? own : holderIdOf(fingerprint), own, async (subject) => {
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

  /** Seals what staff wrote about a deposit under its payer, so that it is erased with the payer. */
  aboutPayer({ depositId, coordinates }: DepositFacts, text: string): Promise<Sealed> {
    const own = derivedId('person', 'settlement', depositId);
    return sealedUnder(payerIdOf(depositId, coordinates), own, (known) => this.personalData.seal(known, text));
  }

  payee(owner: KeyOwner, pixKey: string | null, withdrawalId: string): Promise<SealedOwner> {
    const own = derivedId('person', 'payee', withdrawalId);
    return sealedUnder(holderIdOf(this.fingerprint(owner.taxId)), own, (subject) => this.owner(subject, owner, pixKey));
  }

  /** For a dry run: sealed under the transit subject, so that no encryption key is created for the person. */
  payeeInTransit(owner: KeyOwner, pixKey: string): Promise<SealedOwner> {
    return this.owner(LEDGER_TRANSIT_SUBJECT, owner, pixKey);
  }

  /** Null if the person has been erased: a payee whose account is no longer known cannot be paid. */
  async open({ legalName, taxId, bankCode, branchCode, accountNumber }: SealedPayee): Promise<KeyOwner | null> {
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

  private async owner(subject: string, owner: KeyOwner, pixKey: string | null): Promise<SealedOwner> {
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
