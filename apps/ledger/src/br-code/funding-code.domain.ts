import { compactId } from '@ponte/kernel';
import { buildBrCode } from './br-code.domain';

/** The account at the bank that is paid. */
interface Receiver {
  readonly merchantName: string;
  readonly merchantCity: string;
  readonly pixKey: string;
}

/** The static code that funds an account with any amount. Its txid is the account's id in compact form. */
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
