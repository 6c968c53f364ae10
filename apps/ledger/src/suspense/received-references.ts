import { Inject, Injectable } from '@nestjs/common';
import { READ_MODELS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { comparableReference } from './settlement-reference.decider';
import type { DepositFacts } from '../deposit/deposit.state';

/** How the reference of a payment in reais is compared; null for others. Payments in USD are at another bank. */
export const comparableReferenceOf = ({ asset, endToEndId }: DepositFacts): string | null =>
  asset === 'fiat/brl' && endToEndId !== null ? comparableReference(endToEndId) : null;

/** Finds payments in reais that Ponte received, in the list of deposits. */
@Injectable()
export class ReceivedReferences {
  private readonly db: Kysely<{ ledger_deposits: { id: string; bank_reference: string | null } }>;

  constructor(@Inject(READ_MODELS) readModels: Kysely<unknown>) {
    this.db = readModels as typeof this.db;
  }

  /**
   * Whether a payment with this reference was received, in whatever case and with whatever leading zeros it is given. A
   * payment of the last moments may be missing.
   */
  async has(bankReference: string): Promise<boolean> {
    const row = await this.db
      .selectFrom('ledger_deposits')
      .select('id')
      .where('bank_reference', '=', comparableReference(bankReference))
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }
}
