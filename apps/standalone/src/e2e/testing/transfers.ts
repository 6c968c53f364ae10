import type { Answer, Json } from './client';
import type { Customer } from './customer';
import { until } from './waiting';

export interface Wallet extends Json {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly assets: string[];
  readonly 'ui-enabled': boolean;
  readonly metadata: Json;
}
export interface Transfer extends Json {
  readonly id: string;
  readonly state: string;
  readonly 'tx-hash': string | null;
  readonly failure?: { readonly code: string };
}
export interface Withdrawal extends Json {
  readonly id: string;
  readonly state: string;
  readonly 'tx-hash'?: string | null;
  readonly failure?: { readonly code: string };
}
type Created = Answer<{ readonly transfer: Transfer }>;

/** BRLV that the sub-account starts with. */
export const FUNDS = 100;
export const OUTSIDE = `0x${'cd'.repeat(20)}`;
export const brlv = (amount: number | string): string => `${amount}.${'0'.repeat(18)}`;

export const walletsOf = async (owner: Customer, query = ''): Promise<Wallet[]> =>
  (await owner.api.get<{ wallets: Wallet[] }>(owner.path(`/wallets${query}`))).wallets;

/** Makes transfers from one wallet of an account. */
export class Transfers {
  constructor(
    private readonly customer: Customer,
    private readonly source: string,
  ) {}

  /** Requests a transfer, under an idempotency key if one is given. */
  send(body: Json, key?: string, path = this.customer.path('/transfers')): Promise<Created> {
    return this.customer.api.send(
      'POST',
      path,
      { 'source-address': this.source, asset: 'eth-base/brlv', ...body },
      key === undefined ? {} : { 'idempotency-key': key },
    );
  }

  /** The transfer once it has ended, completed or failed. */
  async ended(id: string): Promise<Transfer> {
    return until(async () => {
      const { transfer } = await this.customer.api.get<{ transfer: Transfer }>(this.customer.path(`/transfers/${id}`));
      if (transfer.state !== 'completed' && transfer.state !== 'failed')
        throw new Error(`the transfer has not ended: ${JSON.stringify(transfer)}`);
      return transfer;
    });
  }
}
