import { isoTime, parseInstant } from '@ponte/kernel';
import type { BankClient } from '../payouts/bank-client.adapter';
import type { RailReturn, RailReturnStatus } from '../pix-charge/pix-charges.port';
import { RailFailed, RailTimedOut } from '../pix-charge/pix-charges.port';
import type { IncomingTeds, ReceivedTed } from './incoming-teds.port';

const STATUSES: Readonly<Record<string, RailReturnStatus>> = {
  PENDING: 'processing',
  RETURNED: 'returned',
  NOT_CARRIED_OUT: 'not-carried-out',
};
const AMOUNT = /^\d{1,18}\.\d{2}$/;

/** Incoming TEDs at the bank's API; docs/ledger.md has the mapping. An answer that is not understood says nothing. */
export class HttpIncomingTeds implements IncomingTeds {
  constructor(private readonly client: Pick<BankClient, 'call'>) {}

  async get(tedId: string): Promise<ReceivedTed | undefined> {
    const { status, body } = await this.client.call('getTed', 'GET', `/teds/${encodeURIComponent(tedId)}`);
    if (status === 404) return undefined;
    const { identifier, amount, settledAt, payer } = membersOf(body);
    const at = typeof settledAt === 'string' ? parseInstant(settledAt) : undefined;
    if (membersOf(body)['tedId'] !== tedId || typeof amount !== 'string' || !AMOUNT.test(amount) || at === undefined)
      throw new RailTimedOut('getTed');
    const from = membersOf(payer);
    const text = (name: string): string => (typeof from[name] === 'string' ? from[name] : '');
    return {
      tedId,
      identifier: typeof identifier === 'string' && identifier !== '' ? identifier : null,
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

  async list({
    from,
    to,
    page,
  }: {
    from: string;
    to: string;
    page: number;
  }): Promise<{ tedIds: readonly string[]; lastPage: boolean }> {
    const { status, body } = await this.client.call(
      'listTeds',
      'GET',
      `/teds?${new URLSearchParams({ from, to, page: String(page) }).toString()}`,
    );
    const { tedIds, lastPage } = membersOf(body);
    if (
      status !== 200 ||
      !Array.isArray(tedIds) ||
      !tedIds.every((id) => typeof id === 'string') ||
      typeof lastPage !== 'boolean'
    )
      throw new RailTimedOut('listTeds');
    return { tedIds, lastPage };
  }

  async sendBack(tedId: string, returnId: string, amount: string): Promise<RailReturn> {
    const { status, body } = await this.client.call('sendTedBack', 'PUT', returnPath(tedId, returnId), { amount });
    if (status === 404 || status === 409) throw new RailFailed('sendTedBack', `HTTP ${status}`);
    return returnOf('sendTedBack', returnId, body);
  }

  async getSentBack(tedId: string, returnId: string): Promise<RailReturn | undefined> {
    const { status, body } = await this.client.call('getTedReturn', 'GET', returnPath(tedId, returnId));
    return status === 404 ? undefined : returnOf('getTedReturn', returnId, body);
  }
}

const returnPath = (tedId: string, returnId: string): string =>
  `/teds/${encodeURIComponent(tedId)}/returns/${returnId}`;
const membersOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};

function returnOf(operation: string, returnId: string, body: unknown): RailReturn {
  const { status, returnId: named } = membersOf(body);
  const known = typeof status === 'string' ? STATUSES[status] : undefined;
  if (known === undefined || named !== returnId) throw new RailTimedOut(operation);
  return { returnId, status: known };
}
