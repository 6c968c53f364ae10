import { compactId } from '@ponte/kernel';
import { buildBrCode } from './br-code.domain';

/** Whose account at the bank is paid. */
export interface Receiver {
  readonly merchantName: string;
  readonly merchantCity: string;
  readonly pixKey: string;
}

/** The static code that funds an account, of any amount: its txid is the account's id. */
export function fundingCode({ merchantName, merchantCity, pixKey }: Receiver, accountId: string): string {
  return buildBrCode({
    kind: 'static',
    key: pixKey,
    txid: compactId(accountId),
    amount: null,
    name: merchantName,
    city: merchantCity,
  });
}
