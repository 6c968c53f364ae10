import type { OnApplicationShutdown } from '@nestjs/common';
import type { Clock, Money } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { SimulatedKeyDirectory } from '../key-directory/simulated.key-directory.adapter';
import { RailFailed, RailTimedOut } from '../pix-charge/pix-charges.port';
import { ISPB, PAGE, damaged, pixIdOf, totalOf } from '../simulated-bank/bank-file';
import type { BankPage, BankWindow } from './bank-window';
import type { PaymentFate } from './payment-fates';
import { MAGIC_CENTAVOS } from './payment-fates';
import type { Payout, PayoutNotices, PayoutOrder, Payouts, PayoutSandbox } from './payouts.port';
import type { PaymentRow, PayoutBooks } from './simulated-payout-books';
import { openPayoutBooks } from './simulated-payout-books';

interface SimulatedPayoutsOptions {
  /** The file of the bank's books, or `:memory:`. */
  readonly file: string;
  /** Settlement and returns use business time, so that the sandbox can move forward to them. */
  readonly clock: Clock;
}

const RETURNED_AFTER_MS = 2 * 24 * 60 * 60 * 1000;
const READS_UNTIL_SETTLED = 2;
const FAILING_SENDS = 2;

/** A file-backed bank that pays out by Pix and TED under ids that we choose. It misbehaves by amount or on request. */
export class SimulatedPayouts implements Payouts, PayoutNotices, PayoutSandbox, OnApplicationShutdown {
  readonly directory: SimulatedKeyDirectory;
  /** Can be set by tests; by default the centavos of the amount decide. */
  fateOf: (order: PayoutOrder) => PaymentFate = ({ amount }) => MAGIC_CENTAVOS[amount.slice(-2)] ?? 'prompt';
  /** Can be set by tests: which reads time out. */
  readTimesOut: (paymentId: string) => boolean = () => false;
  private readonly books: PayoutBooks;
  private listener: ((paymentIds: readonly string[]) => Promise<void>) | undefined;

  constructor(private readonly options: SimulatedPayoutsOptions) {
    this.books = openPayoutBooks(options.file);
    this.directory = new SimulatedKeyDirectory(this.books);
  }

  async send(order: PayoutOrder): Promise<Payout> {
    const { paymentId } = order;
    const fate = this.fateOf(order);
    const sends = this.books.countSend(paymentId);
    if (fate === 'failing' && sends <= FAILING_SENDS) throw new RailFailed('send', 'out of order');
    if (fate === 'unheard' && sends === 1) throw new RailTimedOut('send');
    if (fate === 'repeated') this.notify(paymentId);
    this.carryOut(order, fate);
    if (fate === 'paid-unanswered' && sends === 1) throw new RailTimedOut('send');
    return this.payoutOf(this.books.payment(paymentId)) ?? damaged();
  }

  async get(paymentId: string): Promise<Payout | undefined> {
    if (this.readTimesOut(paymentId)) throw new RailTimedOut('get');
    const row = this.books.payment(paymentId);
    if (row?.status !== 'pending') return this.payoutOf(row);
    const after = this.books.countDown(paymentId) ?? row;
    if (after.reads_left > 0) return this.payoutOf(after);
    if (after.becomes === 'refused') this.books.refuse('bank-refused', paymentId);
    else this.complete(paymentId);
    return this.payoutOf(this.books.payment(paymentId));
  }

  async cancel(paymentId: string): Promise<Payout> {
    this.books.add({
      payment_id: paymentId,
      amount: '0.00',
      status: 'refused',
      refusal: 'cancelled',
      end_to_end_id: null,
      becomes: 'refused',
      reads_left: 0,
    });
    this.books.refuse('cancelled', paymentId);
    return this.payoutOf(this.books.payment(paymentId)) ?? damaged();
  }

  async listReturned({ from, to, page }: BankWindow): Promise<BankPage> {
    const now = isoTime(this.options.clock.now());
    const rows = this.books.returnsBetween(from, to < now ? to : now, PAGE, page * PAGE);
    return { ids: [...new Set(rows.map(({ payment_id: id }) => id))], lastPage: rows.length < PAGE };
  }

  listen(listener: (paymentIds: readonly string[]) => Promise<void>): void {
    this.listener = listener;
  }

  async settle(paymentId: string): Promise<boolean> {
    const row = this.books.payment(paymentId);
    const isRefused = row?.status === 'pending' && row.becomes === 'refused';
    if (isRefused) this.books.refuse('bank-refused', paymentId);
    const settled = isRefused || this.complete(paymentId);
    if (settled) this.notify(paymentId);
    return settled;
  }

  /** Misbehaves: makes a payment that it had reported as refused or cancelled. Returns its id in the Pix system. */
  makeRefused(paymentId: string, amount: string, notice?: 'announced'): string {
    const made = this.books.makeRefused(this.idFor('E', paymentId, this.options.clock.now()), amount, paymentId);
    if (notice) this.notify(paymentId);
    return made?.end_to_end_id ?? damaged();
  }

  /** Sends a completed payment back now, in whole or in part. */
  returnPayment(paymentId: string, amount?: string): string {
    const row = this.books.payment(paymentId);
    if (row?.status !== 'completed') throw new Error('only a completed payment can be sent back');
    return this.addReturn(row, amount ?? row.amount, this.options.clock.now());
  }

  /** Totals from the bank's own books: all completed payments, and the returns so far. */
  totals(): { readonly paid: Money; readonly returned: Money; readonly completed: readonly string[] } {
    const completed = this.books.payments().filter(({ status }) => status === 'completed');
    return {
      paid: totalOf(completed),
      returned: totalOf(this.books.returnsUntil(isoTime(this.options.clock.now()))),
      completed: completed.map(({ payment_id: id }) => id),
    };
  }

  onApplicationShutdown(): void {
    this.books.close();
  }

  /** Carries the order out once per id. */
  private carryOut(order: PayoutOrder, fate: PaymentFate): void {
    const { paymentId: payment_id, amount } = order;
    const refused = this.mismatched(order)
      ? ('payee-mismatch' as const)
      : fate === 'refused'
        ? ('bank-refused' as const)
        : null;
    const becomes = fate === 'refused-late' ? 'refused' : 'completed';
    const waits = fate === 'late' || fate === 'refused-late';
    const status = refused ? 'refused' : fate === 'held' ? 'held' : 'pending';
    const added = this.books.add({
      payment_id,
      amount,
      status,
      refusal: refused,
      end_to_end_id: null,
      becomes,
      reads_left: waits ? READS_UNTIL_SETTLED : 0,
    });
    if (!added || status !== 'pending') return;
    if (waits) return this.notify(payment_id);
    this.complete(payment_id);
    const row = this.books.payment(payment_id);
    if (fate === 'returned' && row) this.addReturn(row, amount, this.options.clock.now() + RETURNED_AFTER_MS);
    this.notify(payment_id);
    if (fate === 'repeated') this.notify(payment_id);
  }

  private mismatched({ pixKey, payee }: PayoutOrder): boolean {
    return pixKey !== null && this.directory.current(pixKey).taxId !== payee.taxId;
  }

  private complete(paymentId: string): boolean {
    return this.books.complete(this.idFor('E', paymentId, this.options.clock.now()), paymentId) !== undefined;
  }

  private addReturn({ payment_id: paymentId }: PaymentRow, amount: string, at: number): string {
    const returnId = this.idFor('D', paymentId, at);
    this.books.addReturn(returnId, paymentId, amount, isoTime(at));
    return returnId;
  }

  private idFor(kind: 'E' | 'D', paymentId: string, at: number): string {
    return pixIdOf(kind, ISPB, isoTime(at), 'payout', kind, paymentId);
  }

  private payoutOf(row: PaymentRow | undefined): Payout | undefined {
    if (!row) return undefined;
    const returns = this.books.returnsOf(row.payment_id, isoTime(this.options.clock.now()));
    return {
      paymentId: row.payment_id,
      status: row.status === 'held' ? 'pending' : row.status,
      refusal: row.refusal,
      amount: row.status === 'refused' ? null : row.amount,
      endToEndId: row.end_to_end_id,
      returns: returns.map(({ return_id: returnId, amount, returned_at: returnedAt }) => ({
        returnId,
        amount,
        returnedAt,
      })),
    };
  }

  private notify(paymentId: string): void {
    // A notice that is not accepted is lost, so that a reader that relies on notices alone fails its tests.
    setImmediate(() => void this.listener?.([paymentId]).catch(() => undefined));
  }
}
