import type { OnApplicationShutdown } from '@nestjs/common';
import type { BankState, DecimalText, SetBankBehaviour } from '@ponte/contracts';
import type { PayloadOf, PersonalData, Sealed } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Money, addSeconds, derivedId, isoTime, refuse } from '@ponte/kernel';
import { parseBrCode } from '../../br-code/br-code.domain';
import type { Payer, PixCharges, PixNotices, RailCharge, RailReturn, ReceivedPix } from '../pix-charges.port';
import { RailFailed } from '../pix-charges.port';
import type { CodeOffer, PixPayer } from '../pix-payer.port';
import type { BankBooks, ChargeRow, PaymentRow } from './bank-books';
import { openBankBooks } from './bank-books';
import { Callbacks } from './callbacks';
import { inventPayer } from './invented-payer';
import { Misbehaviour } from './misbehaviour';
import { sealedPayer } from './sealed-payer';

export interface SimulatedBankOptions {
  /** Where the bank keeps its books; `:memory:` for none. */
  readonly file: string;
  /** Settlement times are business time, so that the sandbox can pay late. */
  readonly clock: Clock;
  readonly personalData: PersonalData;
  /** The Pix key of our account. */
  readonly key: string;
  /** Host of the payloads of charges. */
  readonly host: string;
}

/** What is left of a payer whose key was shredded. */
const NO_PAYER: Payer = {
  taxId: null,
  legalName: '',
  bankCode: '',
  branchCode: '',
  accountNumber: '',
  accountType: '',
};
const PAGE = 1_000;
const REFERENCE_LENGTH = 11;

/**
 * A bank in a file: takes charges, settles payments of their codes and of static ones, tells of them, and sends money
 * back. It keeps its own books, by which ours can be checked, and misbehaves on request.
 */
export class SimulatedBank implements PixCharges, PixNotices, PixPayer, OnApplicationShutdown {
  readonly misbehaviour: Misbehaviour;
  private readonly books: BankBooks;
  private readonly callbacks: Callbacks;
  private closed = false;

  constructor(private readonly options: SimulatedBankOptions) {
    this.books = openBankBooks(options.file);
    this.misbehaviour = new Misbehaviour(this.books);
    this.callbacks = new Callbacks(this.misbehaviour, this.books);
  }

  putCharge({
    txid,
    amount,
    expiresAt,
  }: {
    txid: string;
    amount: DecimalText;
    expiresAt: string;
  }): Promise<RailCharge> {
    return this.misbehaviour.around('put-charge', () => {
      const known = this.books.charge(txid);
      if (known && known.amount !== amount) throw new RailFailed('put-charge', 'the txid is taken by another charge');
      if (!known)
        this.books.addCharge(
          txid,
          `${this.options.host}/qr/v2/${derivedId('location', txid).replaceAll('-', '')}`,
          amount,
          expiresAt,
        );
      return this.chargeOf(known ?? this.books.charge(txid)) ?? unreachable();
    });
  }

  getCharge(txid: string): Promise<RailCharge | undefined> {
    return this.misbehaviour.around('get-charge', () => this.chargeOf(this.books.charge(txid)));
  }

  removeCharge(txid: string): Promise<RailCharge | undefined> {
    return this.misbehaviour.around('remove-charge', () => {
      this.books.removeCharge(txid);
      return this.chargeOf(this.books.charge(txid));
    });
  }

  getReceived(endToEndId: string): Promise<ReceivedPix | undefined> {
    return this.misbehaviour.around('get-received', async () => {
      const row = this.books.payment(endToEndId);
      if (!row) return undefined;
      const { txid, amount, settled_at: settledAt } = row;
      const payer = await this.options.personalData.open(row.payer as Sealed);
      return { endToEndId, txid, amount, settledAt, payer: payer === ERASED ? NO_PAYER : (JSON.parse(payer) as Payer) };
    });
  }

  listReceived({
    from,
    to,
    page,
  }: {
    from: string;
    to: string;
    page: number;
  }): Promise<{ endToEndIds: readonly string[]; lastPage: boolean }> {
    return this.misbehaviour.around('list-received', () => {
      const rows = this.books.paymentsBetween(from, to, PAGE, page * PAGE);
      return { endToEndIds: rows.map((row) => row.end_to_end_id), lastPage: rows.length < PAGE };
    });
  }

  listTakenBack({
    from,
    to,
    page,
  }: {
    from: string;
    to: string;
    page: number;
  }): Promise<{ endToEndIds: readonly string[]; lastPage: boolean }> {
    return this.misbehaviour.around('list-taken-back', () => {
      const rows = this.books.takenBackBetween(from, to, PAGE, page * PAGE);
      return { endToEndIds: rows.map((row) => row.end_to_end_id), lastPage: rows.length < PAGE };
    });
  }

  requestReturn(endToEndId: string, returnId: string, amount: DecimalText): Promise<RailReturn> {
    return this.misbehaviour.around('request-return', () => {
      const known = this.books.returnOf(endToEndId, returnId);
      if (known) return this.progressed(endToEndId, returnId);
      this.assertCovered(endToEndId, amount);
      const { returns } = this.misbehaviour;
      this.books.addReturn(endToEndId, returnId, amount, returns === 'prompt' ? 'returned' : returns);
      return { returnId, status: returns === 'prompt' ? 'returned' : returns };
    });
  }

  getReturn(endToEndId: string, returnId: string): Promise<RailReturn | undefined> {
    return this.misbehaviour.around('get-return', () =>
      this.books.returnOf(endToEndId, returnId) ? this.progressed(endToEndId, returnId) : undefined,
    );
  }

  listen(listener: (endToEndIds: readonly string[]) => Promise<void>): void {
    this.callbacks.listen(listener);
  }

  /** Callbacks that were held back go out now. */
  releaseCallbacks(): void {
    this.callbacks.releaseHeld();
  }

  behave({ callbacks, returns, settlement, faults, takeBack = null }: PayloadOf<typeof SetBankBehaviour>): BankState {
    const { misbehaviour } = this;
    if (callbacks !== null) misbehaviour.callbacks = callbacks;
    if (returns !== null) misbehaviour.returns = returns;
    if (settlement !== null) misbehaviour.settlement = settlement;
    if (takeBack !== null) this.takeBack(takeBack);
    for (const { operation, fault } of faults) misbehaviour.fail(operation, fault);
    if (callbacks === 'prompt' || callbacks === 'repeated') this.releaseCallbacks();
    return this.state();
  }

  state(): BankState {
    const { callbacks, returns, settlement, faults } = this.misbehaviour;
    const { received, returned } = this.totals();
    return { callbacks, returns, settlement, faults, received: received.toString(), returned: returned.toString() };
  }

  read(brcode: string): CodeOffer | undefined {
    const code = parseBrCode(brcode);
    if (code?.kind === 'static')
      return code.key === this.options.key ? { txid: code.txid, amount: code.amount } : undefined;
    const charge = code && this.books.chargeAt(code.location);
    return charge && { txid: charge.txid, amount: charge.amount };
  }

  invent(taxId: string, legalName: string | null): Payer {
    return inventPayer(taxId, legalName);
  }

  async pay({
    reference,
    brcode,
    amount,
    payer,
  }: {
    reference: string;
    brcode: string;
    amount: DecimalText;
    payer: Payer;
  }) {
    const { personalData, clock } = this.options;
    const offer = this.read(brcode);
    if (!offer) throw new RailFailed('pay', 'the code leads nowhere');
    const sealed = await sealedPayer(personalData, payer, reference);
    const known = this.books.paymentFor(reference);
    const row =
      known ??
      settlement(
        reference,
        offer.txid,
        amount,
        this.settlesAt(offer.txid, isoTime(clock.now())),
        payer.bankCode,
        sealed,
      );
    if (!known) {
      this.books.settle(row);
      this.callbacks.add(row.end_to_end_id);
    }
    return { endToEndId: row.end_to_end_id, amount: row.amount, settledAt: row.settled_at };
  }

  /** Money that came in and money that went back, by the bank's own books. */
  totals(): { readonly received: Money; readonly returned: Money } {
    const sum = (amounts: readonly { amount: string }[]) =>
      amounts.reduce((total, { amount }) => total.plus(Money.stored('fiat/brl', amount)), Money.zero('fiat/brl'));
    return {
      received: sum(this.books.payments()),
      returned: sum([...this.books.returns().filter(({ status }) => status === 'returned'), ...this.books.takenBack()]),
    };
  }

  /** Nest calls it once for each port that this stands for. */
  onApplicationShutdown(): void {
    if (!this.closed) this.books.close();
    this.closed = true;
  }

  /** Now, or just after the charge is over. A static code is never late. */
  private settlesAt(txid: string, now: string): string {
    const expiresAt = this.misbehaviour.settlement === 'late' ? this.books.charge(txid)?.expires_at : undefined;
    if (expiresAt === undefined) return now;
    const late = addSeconds(expiresAt, 1);
    return late > now ? late : now;
  }

  private chargeOf(row: ChargeRow | undefined): RailCharge | undefined {
    if (!row) return undefined;
    const { txid, status, amount, location } = row;
    return {
      txid,
      status,
      amount,
      location,
      endToEndIds: this.books.paymentsOf(txid).map((payment) => payment.end_to_end_id),
    };
  }

  /** A return in process is done by the time someone asks again. */
  private progressed(endToEndId: string, returnId: string): RailReturn {
    const status = this.books.returnOf(endToEndId, returnId)?.status ?? unreachable();
    if (status !== 'processing') return { returnId, status };
    this.books.setReturn('returned', endToEndId, returnId);
    return { returnId, status: 'returned' };
  }

  /**
   * MED: the bank debits us and pays the whole payment back, whatever we think of it. Not what we have returned
   * already.
   */
  private takeBack(endToEndId: string): void {
    const payment = this.books.payment(endToEndId);
    if (!payment) return refuse('deposit-not-found', 'the bank knows no such payment', 'take-back');
    if (this.books.returnsOf(endToEndId).some(({ status }) => status !== 'not-carried-out')) return;
    this.books.takeBack(endToEndId, payment.amount, isoTime(this.options.clock.now()));
  }

  /** Returns never add up to more than the payment. */
  private assertCovered(endToEndId: string, amount: DecimalText): void {
    const payment = this.books.payment(endToEndId);
    if (!payment) throw new RailFailed('request-return', 'there is no such payment');
    if (this.books.isTakenBack(endToEndId))
      throw new RailFailed('request-return', 'the bank has taken the payment back');
    const left = this.books
      .returnsOf(endToEndId)
      .filter(({ status }) => status !== 'not-carried-out')
      .reduce(
        (rest, row) => rest.minus(Money.stored('fiat/brl', row.amount)),
        Money.stored('fiat/brl', payment.amount),
      );
    if (Money.stored('fiat/brl', amount).compare(left) > 0)
      throw new RailFailed('request-return', 'more than was paid');
  }
}

/** `E`, the payer's bank, the minute, and eleven characters that follow from the reference. */
function settlement(
  reference: string,
  txid: string,
  amount: DecimalText,
  settledAt: string,
  bankCode: string,
  payer: string,
): PaymentRow {
  const minute = settledAt.slice(0, 16).replace(/\D/g, '');
  const unique = BigInt(`0x${derivedId('pix', reference).replaceAll('-', '')}`)
    .toString(36)
    .slice(-REFERENCE_LENGTH)
    .padStart(REFERENCE_LENGTH, '0');
  return { end_to_end_id: `E${bankCode}${minute}${unique}`, reference, txid, amount, settled_at: settledAt, payer };
}

const unreachable = (): never => {
  throw new Error('the books of the simulated bank are damaged');
};
