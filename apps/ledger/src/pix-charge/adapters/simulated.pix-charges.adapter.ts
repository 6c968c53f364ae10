import type { OnApplicationShutdown } from '@nestjs/common';
import type { BankState, DecimalText, SetBankBehaviour } from '@ponte/contracts';
import type { PayloadOf, PersonalData } from '@ponte/event-sourcing';
import type { Clock, Money } from '@ponte/kernel';
import { addSeconds, derivedId, isoTime } from '@ponte/kernel';
import { parseBrCode } from '../../br-code/br-code.domain';
import type { Payer, PixCharges, RailCharge, RailReturn, ReceivedPix } from '../pix-charges.port';
import { RailFailed } from '../pix-charges.port';
import type { CodeOffer, PixPayer } from '../pix-payer.port';
import type { BankBooks, ChargeRow } from './bank-books';
import { openBankBooks } from './bank-books';
import { BankReturns } from './bank-returns';
import { Callbacks } from './callbacks';
import { inventPayer } from './invented-payer';
import { Misbehaviour } from './misbehaviour';
import { openPayer, sealPayer } from './sealed-payer';
import type { BankPage, BankWindow } from '../../payouts/bank-window';
import { PAGE, damaged, pixIdOf, totalOf } from '../../simulated-bank/bank-file';

interface SimulatedBankOptions {
  /** The file of the bank's books, or `:memory:`. */
  readonly file: string;
  /** Settlement times are business time, so that the sandbox can pay late. */
  readonly clock: Clock;
  readonly personalData: PersonalData;
  /** The Pix key of our account. */
  readonly key: string;
  /** The host of charge payloads. */
  readonly host: string;
}

/**
 * A file-backed bank. It accepts charges, settles payments of charges and of static codes, sends callbacks and returns
 * money. It keeps its own books, against which ours can be checked, and misbehaves on request.
 */
export class SimulatedBank implements PixCharges, PixPayer, OnApplicationShutdown {
  readonly misbehaviour: Misbehaviour;
  private readonly books: BankBooks;
  private readonly callbacks: Callbacks;
  private readonly returns: BankReturns;

  constructor(private readonly options: SimulatedBankOptions) {
    this.books = openBankBooks(options.file);
    this.misbehaviour = new Misbehaviour(this.books);
    this.callbacks = new Callbacks(this.misbehaviour, this.books);
    this.returns = new BankReturns(this.books, this.misbehaviour);
  }

  putCharge({ txid, amount, expiresAt }: Parameters<PixCharges['putCharge']>[0]): Promise<RailCharge> {
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
      return this.chargeOf(known ?? this.books.charge(txid)) ?? damaged();
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
      return { endToEndId, txid, amount, settledAt, payer: await openPayer(this.options.personalData, row.payer) };
    });
  }

  listReceived({ from, to, page }: BankWindow): Promise<BankPage> {
    return this.misbehaviour.around('list-received', () =>
      pageOf(this.books.paymentsBetween(from, to, PAGE, page * PAGE)),
    );
  }

  listTakenBack({ from, to, page }: BankWindow): Promise<BankPage> {
    return this.misbehaviour.around('list-taken-back', () =>
      pageOf(this.books.takenBackBetween(from, to, PAGE, page * PAGE)),
    );
  }

  requestReturn(endToEndId: string, returnId: string, amount: DecimalText): Promise<RailReturn> {
    return this.misbehaviour.around('request-return', () => this.returns.request(endToEndId, returnId, amount));
  }

  getReturn(endToEndId: string, returnId: string): Promise<RailReturn | undefined> {
    return this.misbehaviour.around('get-return', () => this.returns.get(endToEndId, returnId));
  }

  listen(listener: (endToEndIds: readonly string[]) => Promise<void>): void {
    this.callbacks.listen(listener);
  }

  /** Sends the callbacks that were held back. */
  releaseCallbacks(): void {
    this.callbacks.releaseHeld();
  }

  behave(request: PayloadOf<typeof SetBankBehaviour>): BankState {
    const { callbacks, returns, settlement, faults, clearFaults = false, takeBack = null } = request;
    const { misbehaviour } = this;
    if (callbacks !== null) misbehaviour.callbacks = callbacks;
    if (returns !== null) misbehaviour.returns = returns;
    if (settlement !== null) misbehaviour.settlement = settlement;
    if (takeBack !== null) this.returns.takeBack(takeBack, isoTime(this.options.clock.now()));
    if (clearFaults) misbehaviour.clear();
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

  async pay({ reference, brcode, amount, payer }: Parameters<PixPayer['pay']>[0]) {
    const { personalData, clock } = this.options;
    const offer = this.read(brcode);
    if (!offer) throw new RailFailed('pay', 'the code does not lead to a charge or to our key');
    const sealed = await sealPayer(personalData, payer, reference);
    const known = this.books.paymentFor(reference);
    const settledAt = this.settlesAt(offer.txid, isoTime(clock.now()));
    const row = known ?? {
      end_to_end_id: pixIdOf('E', payer.bankCode, settledAt, 'pix', reference),
      reference,
      txid: offer.txid,
      amount,
      settled_at: settledAt,
      payer: sealed,
    };
    if (!known) {
      this.books.settle(row);
      this.callbacks.add(row.end_to_end_id);
    }
    return { endToEndId: row.end_to_end_id, amount: row.amount, settledAt: row.settled_at };
  }

  /** Money received and money returned, from the bank's own books. */
  totals(): { readonly received: Money; readonly returned: Money } {
    return {
      received: totalOf(this.books.payments()),
      returned: totalOf([
        ...this.books.returns().filter(({ status }) => status === 'returned'),
        ...this.books.takenBack(),
      ]),
    };
  }

  onApplicationShutdown(): void {
    this.books.close();
  }

  /** Now, or in late mode just after the charge expires. A static code is never late. */
  private settlesAt(txid: string, now: string): string {
    const expiresAt = this.misbehaviour.settlement === 'late' ? this.books.charge(txid)?.expires_at : undefined;
    if (expiresAt === undefined) return now;
    const late = addSeconds(expiresAt, 1);
    return late > now ? late : now;
  }

  private chargeOf(row: ChargeRow | undefined): RailCharge | undefined {
    if (!row) return undefined;
    const { txid, status, amount, location } = row;
    const endToEndIds = this.books.paymentsOf(txid).map((payment) => payment.end_to_end_id);
    return { txid, status, amount, location, endToEndIds };
  }
}

const pageOf = (rows: readonly { end_to_end_id: string }[]): BankPage => ({
  ids: rows.map((row) => row.end_to_end_id),
  lastPage: rows.length < PAGE,
});
