import type { IEventHandler } from '@nestjs/cqrs';
import {
  DepositCreated,
  SuspenseSettlementProposed,
  isBankCoordinates,
  payerIdOf,
  sealingSubjectOf,
} from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { isMentioned } from './person.decider';
import { Persons } from './persons.service';

type Noted = DepositCreated | SuspenseSettlementProposed;

/**
 * Records a payer who pays into someone else's account and may not be a customer: the deposit contains the payer's
 * name, tax id and bank account, which a privacy report has to find. So does what staff wrote about the payer. Payments
 * of holders into their own open account are held with that account. All other data has a subject of its own, so an
 * erasure that comes before its mention does not destroy it.
 */
@Policy(DepositCreated, SuspenseSettlementProposed)
export class WhenPixReceivedNoteMention implements IEventHandler<Recorded<Noted>> {
  constructor(private readonly persons: Persons) {}

  async handle(event: Recorded<Noted>): Promise<void> {
    const found = payerOf(event);
    if (found === null) return;
    const { subjectId, sealedUnder, accountId } = found;
    const { depositId } = event.data;
    if (sealedUnder === subjectId && accountId !== null && (await this.holds(subjectId, accountId))) return;
    await this.persons.handle(
      subjectId,
      (at) => ({ kind: 'mention', subjectId, mention: { kind: 'deposit', depositId, sealedUnder }, at }),
      causedBy(event, 'note-payer', 'when-pix-received'),
    );
  }

  private async holds(subjectId: string, accountId: string): Promise<boolean> {
    return isMentioned(await this.persons.load(subjectId), { kind: 'account', accountId });
  }
}

interface SealedPayer {
  readonly subjectId: string;
  /** The subject of the data: the payer, if the payment is held with the payer's account. */
  readonly sealedUnder: string;
  /** The account that is paid, if it is known. */
  readonly accountId: string | null;
}

/** Null if the event contains no data of a payer, or if the data is mentioned because of another event. */
function payerOf(event: Recorded<Noted>): SealedPayer | null {
  if (event.type === 'SuspenseSettlementProposed') {
    const { payerId: subjectId, note } = event.data;
    const sealedUnder = sealingSubjectOf(note);
    // A note under the payer's own subject is erased with the deposit's data, which is mentioned already.
    return sealedUnder === subjectId ? null : { subjectId, sealedUnder, accountId: null };
  }
  const { depositId, accountId, coordinates } = event.data;
  // USD deposits recorded by staff are sealed under the account's holder, and chain addresses name no person.
  if (!isBankCoordinates(coordinates)) return null;
  const sealedUnder = sealingSubjectOf(coordinates.sourceTaxId);
  return { subjectId: payerIdOf(depositId, coordinates), sealedUnder, accountId };
}
