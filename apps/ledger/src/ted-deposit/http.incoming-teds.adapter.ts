import { isoTime, parseInstant } from '@ponte/kernel';
import { AMOUNT, fieldsOf, pageOf, textOrNull } from '../payouts/bank-answers.adapter';
import type { BankPage, BankWindow } from '../payouts/bank-window';
import type { BankClient } from '../payouts/bank-client.adapter';
import type { RailReturn, RailReturnStatus } from '../pix-charge/pix-charges.port';
import { RailFailed, RailTimedOut, ReturnRefused } from '../pix-charge/pix-charges.port';
import type { IncomingTeds, ReceivedTed } from './incoming-teds.port';

const STATUSES: Readonly<Record<string, RailReturnStatus>> = {
  PENDING: 'processing',
  RETURNED: 'returned',
  NOT_CARRIED_OUT: 'not-carried-out',
};

/**
 * Incoming TEDs from the bank's API, see docs/ledger/banks.md. A response that is not understood is treated as a
 * timeout.
 */
export class HttpIncomingTeds implements IncomingTeds {
  constructor(private readonly client: Pick<BankClient, 'call'>) {}

  async get(tedId: string): Promise<ReceivedTed | undefined> {
    const { status, body } = await this.client.call('getTed', 'GET', `/teds/${encodeURIComponent(tedId)}`);
    if (status === 404) return undefined;
    const { tedId: id, identifier, amount, settledAt, payer } = fieldsOf(body);
    const at = parseInstant(textOrNull(settledAt) ?? '');
    if (id !== tedId || typeof amount !== 'string' || !AMOUNT.test(amount) || at === undefined)
      throw new RailTimedOut('getTed');
    const from = fieldsOf(payer);
    const text = (name: string): string => textOrNull(from[name]) ?? '';
    return {
      tedId,
      identifier: textOrNull(identifier),
      amount,
      settledAt: isoTime(at),
      payer: {
        taxId: text('taxId') || null,
        legalName: text('name'),
        bankCode: text('bankCode'),
        branchCode: text('branch'),
        accountNumber: text('account'),
        accountType: 'checking',
      },
    };
  }

  async list({ from, to, page }: BankWindow): Promise<BankPage> {
    const query = new URLSearchParams({ from, to, page: String(page) });
    return pageOf('listTeds', await this.client.call('listTeds', 'GET', `/teds?${query.toString()}`), 'tedIds');
  }

  async sendBack(tedId: string, returnId: string, amount: string): Promise<RailReturn> {
    const { status, body } = await this.client.call('sendTedBack', 'PUT', returnPath(tedId, returnId), { amount });
    if (status === 404) throw new RailFailed('sendTedBack', `HTTP ${status}`);
    if (status === 409 || (status === 422 && !isReturn(body))) return this.refused(tedId, returnId, status);
    return returnOf('sendTedBack', tedId, returnId, body, amount);
  }

  async getSentBack(tedId: string, returnId: string): Promise<RailReturn | undefined> {
    const { status, body } = await this.client.call('getTedReturn', 'GET', returnPath(tedId, returnId));
    return status === 404 ? undefined : returnOf('getTedReturn', tedId, returnId, body);
  }

  /**
   * The return, if the bank has it despite the error. Otherwise throws: {@link ReturnRefused} if the bank shows us the
   * TED.
   */
  private async refused(tedId: string, returnId: string, status: number): Promise<RailReturn> {
    const known = await this.getSentBack(tedId, returnId);
    if (known) return known;
    const isOurs = (await this.get(tedId)) !== undefined;
    throw new (isOurs ? ReturnRefused : RailFailed)('sendTedBack', `HTTP ${status}`);
  }
}

const isReturn = (body: unknown): boolean => fieldsOf(body)['returnId'] !== undefined;

const returnPath = (tedId: string, returnId: string): string =>
  `/teds/${encodeURIComponent(tedId)}/returns/${returnId}`;

/** The return in a response. A bank need not name the TED or the amount (`requested`), but may not name others. */
function returnOf(operation: string, tedId: string, returnId: string, body: unknown, requested?: string): RailReturn {
  const { status, returnId: named, tedId: ted = tedId, amount: stated = null, controlNumber } = fieldsOf(body);
  const known = STATUSES[textOrNull(status) ?? ''];
  const amount = textOrNull(stated);
  const isAmount = stated === null || (amount !== null && AMOUNT.test(amount));
  const isRequested = requested === undefined || amount === null || amount === requested;
  const isOurs = named === returnId && ted === tedId && isRequested;
  if (known === undefined || !isAmount || !isOurs) throw new RailTimedOut(operation);
  return { returnId, status: known, amount, bankReturnId: textOrNull(controlNumber) };
}
