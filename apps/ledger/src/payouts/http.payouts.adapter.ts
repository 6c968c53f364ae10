import { parseInstant, isoTime } from '@ponte/kernel';
import { RailFailed, RailTimedOut } from '../pix-charge/pix-charges.port';
import { AMOUNT, fieldsOf, pageOf, textOrNull } from './bank-answers.adapter';
import type { BankClient } from './bank-client.adapter';
import type { BankPage, BankWindow } from './bank-window';
import type { Payout, PayoutOrder, PayoutRefusal, PayoutReturn, Payouts } from './payouts.port';
import { PAYOUT_REFUSALS } from './payouts.port';

const STATUSES: Readonly<Record<string, Payout['status']>> = {
  PENDING: 'pending',
  COMPLETED: 'completed',
  REFUSED: 'refused',
};

/** More returns than any bank would make for one payment. A longer list counts as an unreadable response. */
const MAX_RETURNS = 500;

/** A bank's payout API, see docs/ledger/banks.md. A response that is not understood never counts as final. */
export class HttpPayouts implements Payouts {
  constructor(private readonly client: Pick<BankClient, 'call'>) {}

  /** `PUT /payments/{id}`: 200, 201 or 202 with the payment; 422 with the payment that the bank refused. */
  async send({ paymentId, method, amount, pixKey, payee }: PayoutOrder): Promise<Payout> {
    const { status, body } = await this.client.call('send', 'PUT', `/payments/${paymentId}`, {
      method: method.toUpperCase(),
      amount,
      currency: 'BRL',
      ...(pixKey === null ? {} : { pixKey: pixKey.value }),
      creditor: {
        name: payee.legalName,
        taxId: payee.taxId,
        bankCode: payee.bankCode,
        branch: payee.branchCode,
        account: payee.accountNumber,
      },
    });
    // 409: the bank has a different payment under this id, which only a bug in Ponte or at the bank can cause.
    if (status === 404 || status === 409) throw new RailFailed('send', `HTTP ${status}`);
    return payoutOf('send', paymentId, body, amount);
  }

  /** `GET /payments/{id}`: 404 if it does not exist. */
  async get(paymentId: string): Promise<Payout | undefined> {
    const { status, body } = await this.client.call('get', 'GET', `/payments/${paymentId}`);
    if (status === 404) return undefined;
    return payoutOf('get', paymentId, body);
  }

  /** `PUT /payments/{id}/cancellation`: the payment after the cancellation. */
  async cancel(paymentId: string): Promise<Payout> {
    const { status, body } = await this.client.call('cancel', 'PUT', `/payments/${paymentId}/cancellation`, {});
    if (status === 404) throw new RailFailed('cancel', 'HTTP 404');
    return payoutOf('cancel', paymentId, body);
  }

  /** `GET /payments?returnedFrom&returnedTo&page`. */
  async listReturned({ from, to, page }: BankWindow): Promise<BankPage> {
    const query = new URLSearchParams({ returnedFrom: from, returnedTo: to, page: String(page) });
    const answer = await this.client.call('listReturned', 'GET', `/payments?${query.toString()}`);
    return pageOf('listReturned', answer, 'paymentIds');
  }
}

/** The payment in a response. Throws `RailTimedOut` if it cannot be read, or is about another payment. */
function payoutOf(operation: string, paymentId: string, body: unknown, ordered?: string): Payout {
  const wire = fieldsOf(body);
  const status = STATUSES[textOrNull(wire['status']) ?? ''];
  const amount = textOrNull(wire['amount']);
  const isRefused = status === 'refused';
  const hasAmount = amount !== null && AMOUNT.test(amount) && (ordered === undefined || amount === ordered);
  const endToEndId = textOrNull(wire['endToEndId']);
  const isReadable = wire['paymentId'] === paymentId && status !== undefined && (isRefused || hasAmount);
  if (!isReadable || (status === 'completed' && endToEndId === null)) throw new RailTimedOut(operation);
  return {
    paymentId,
    status,
    refusal: isRefused ? refusalOf(wire['refusalReason']) : null,
    amount: isRefused ? null : amount,
    endToEndId,
    returns: returnsOf(operation, wire['returns']),
  };
}

/** Maps `PAYEE_NOT_FOUND` and so on; an unknown reason is still a refusal. */
function refusalOf(reason: unknown): PayoutRefusal {
  const word = typeof reason === 'string' ? reason.toLowerCase().replaceAll('_', '-') : '';
  return PAYOUT_REFUSALS.find((one) => one === word) ?? 'bank-refused';
}

function returnsOf(operation: string, returns: unknown): readonly PayoutReturn[] {
  if (returns === undefined || returns === null) return [];
  if (!Array.isArray(returns) || returns.length > MAX_RETURNS) throw new RailTimedOut(operation);
  return returns.map((one: unknown) => {
    const { returnId: id, amount, returnedAt } = fieldsOf(one);
    const [returnId, at] = [textOrNull(id), parseInstant(textOrNull(returnedAt) ?? '')];
    if (returnId === null || typeof amount !== 'string' || !AMOUNT.test(amount) || at === undefined)
      throw new RailTimedOut(operation);
    return { returnId, amount, returnedAt: isoTime(at) };
  });
}
