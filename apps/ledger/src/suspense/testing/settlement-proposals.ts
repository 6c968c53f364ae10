import { ConfirmSuspenseSettlement, ProposeSuspenseSettlement, sealSettlementNote } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { depositIdOf } from '../../deposit/deposit.state';
import type { ledgerForEachTest } from '../../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../../testing/ledger-under-test';

/** Failed returns of a ledger under test, and what two staff members do about them. */
export class SettlementProposals {
  constructor(private readonly ledger: ReturnType<typeof ledgerForEachTest>) {}

  /** Repeats the work, with a run of the timers before each attempt, until it does not throw. */
  ticksUntil<T>(work: () => Promise<T>): Promise<T> {
    return eventually(async () => {
      await this.ledger.tick();
      return work();
    });
  }

  /** The id of a deposit whose return the bank refused permanently, and that of its payment. */
  async failed(): Promise<{ readonly depositId: string; readonly endToEndId: string }> {
    const { ledger } = this;
    ledger.bank.misbehaviour.returns = 'not-carried-out';
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '8.00', STRANGER_CPF);
    const depositId = depositIdOf(endToEndId);
    await this.ticksUntil(async () => expect(await ledger.types(`deposit-${depositId}`)).toContain('SuspensePosted'));
    ledger.bank.misbehaviour.returns = 'prompt';
    return { depositId, endToEndId };
  }

  /** Waits for the end of a withdrawal and returns the id of its payment. Does not move the clock on. */
  completed(withdrawalId: string): Promise<string> {
    return eventually(async () => {
      const withdrawal = await this.ledger.withdrawal(withdrawalId);
      if (withdrawal?.state !== 'completed' || withdrawal.endToEndId === null)
        throw new Error(`the withdrawal is ${withdrawal?.state}`);
      return withdrawal.endToEndId;
    });
  }

  async propose(depositId: string, bankReference: string) {
    const note = await sealSettlementNote(this.ledger.engines.personalData, 'Ticket 4711');
    return this.ledger.ask(ProposeSuspenseSettlement, { depositId, bankReference, note, staffId: 'first' });
  }

  confirm(depositId: string, proposal = 1) {
    return this.ledger.ask(ConfirmSuspenseSettlement, { depositId, proposal, staffId: 'second' });
  }
}

/** The code of a refusal, or `not refused`. */
export const codeOf = (response: Promise<unknown>): Promise<string> =>
  response.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)),
  );
