import { Money, refuse } from '@ponte/kernel';
import { damaged, ISPB, pixIdOf, totalOf } from '../../simulated-bank/bank-file';
import type { RailReturn, RailReturnStatus } from '../pix-charges.port';
import { RailFailed } from '../pix-charges.port';
import type { BankBooks } from './bank-books';
import type { Misbehaviour } from './misbehaviour';

/** Returns to payers: at our request, or because the bank takes the money back (MED). */
export class BankReturns {
  constructor(
    private readonly books: BankBooks,
    private readonly misbehaviour: Misbehaviour,
  ) {}

  request(endToEndId: string, returnId: string, amount: string): RailReturn {
    const known = this.get(endToEndId, returnId);
    if (known) return known;
    this.assertCovered(endToEndId, amount);
    const { returns } = this.misbehaviour;
    const status = returns === 'prompt' ? 'returned' : returns;
    this.books.addReturn(endToEndId, returnId, amount, status);
    return this.shown(endToEndId, returnId, amount, status);
  }

  /** A return in process is completed when it is read for the first time. */
  get(endToEndId: string, returnId: string): RailReturn | undefined {
    const known = this.books.returnOf(endToEndId, returnId);
    if (!known) return undefined;
    if (known.status === 'processing') this.books.setReturn('returned', endToEndId, returnId);
    const status = known.status === 'processing' ? 'returned' : known.status;
    return this.shown(endToEndId, returnId, known.amount, status);
  }

  private shown(endToEndId: string, returnId: string, amount: string, status: RailReturnStatus): RailReturn {
    const { settled_at: at } = this.books.payment(endToEndId) ?? damaged();
    return {
      returnId,
      status,
      amount,
      bankReturnId: status === 'returned' ? pixIdOf('D', ISPB, at, 'return', returnId) : null,
    };
  }

  /** The bank debits us and pays the whole payment back, unless we have returned it. `at`: ISO 8601. */
  takeBack(endToEndId: string, at: string): void {
    const payment = this.books.payment(endToEndId);
    if (!payment) return refuse('deposit-not-found', 'the bank has no such payment', 'take-back');
    if (this.executed(endToEndId).length === 0) this.books.takeBack(endToEndId, payment.amount, at);
  }

  /** Returns must never add up to more than the payment. */
  private assertCovered(endToEndId: string, amount: string): void {
    const payment = this.books.payment(endToEndId);
    if (!payment) throw new RailFailed('request-return', 'there is no such payment');
    if (this.books.isTakenBack(endToEndId))
      throw new RailFailed('request-return', 'the bank has taken the payment back');
    const returned = totalOf([...this.executed(endToEndId), { amount }]);
    if (returned.compare(Money.stored('fiat/brl', payment.amount)) > 0)
      throw new RailFailed('request-return', 'the returns exceed the payment');
  }

  private executed(endToEndId: string) {
    return this.books.returnsOf(endToEndId).filter(({ status }) => status !== 'not-carried-out');
  }
}
