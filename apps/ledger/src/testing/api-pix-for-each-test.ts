import { derivedId } from '@ponte/kernel';
import type { ApiPix } from '../pix-charge/adapters/api-pix.pix-charges.adapter';
import type { RailCharge } from '../pix-charge/pix-charges.port';
import { BankUnderTest } from './bank-under-test';
import { PixOverHttps } from './pix-under-test';

/** The adapter of API Pix and its bank over HTTPS; both are created for each test of the file. */
export function apiPixForEachTest() {
  const https = new BankUnderTest();
  let under: PixOverHttps;
  beforeEach(() => {
    under = new PixOverHttps(https);
  });
  afterEach(() => under.simulated.bank.onApplicationShutdown());
  const txidOf = (seed: string): string => derivedId('test', seed).replaceAll('-', '');
  return {
    https,
    under: (): PixOverHttps => under,
    pix: (): ApiPix => under.charges,
    txidOf,
    /** Opens a charge that expires in 15 minutes. The amount is in BRL. */
    charge: (seed: string, amount = '10.00'): Promise<RailCharge> =>
      under.charges.putCharge({ txid: txidOf(seed), amount, expiresAt: new Date(under.now + 900_500).toISOString() }),
  };
}
