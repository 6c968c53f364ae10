import { temporaryFolder } from '@ponte/testing';
import { BankUnderTest } from './bank-under-test';
import { ledgerForEachTest } from './ledger-for-each-test';
import { PIX_KEY, PixOverHttps } from './pix-under-test';

/** A ledger whose bank is reached by API Pix over HTTPS; both are created for each test of the file. */
export function apiPixLedgerForEachTest(settings: () => Promise<NodeJS.ProcessEnv> = async () => ({})) {
  const https = new BankUnderTest();
  const [folder, environment] = [temporaryFolder(), process.env];
  let under: PixOverHttps;
  beforeEach(async () => {
    under = new PixOverHttps(https);
    process.env = {
      ...environment,
      ...https.environment(folder.path, 'LEDGER_PIX_BANK'),
      LEDGER_PIX_RAIL: 'api-pix',
      LEDGER_PIX_KEY: PIX_KEY,
      ...(await settings()),
    };
  });
  const ledger = ledgerForEachTest();
  afterEach(() => {
    under.simulated.bank.onApplicationShutdown();
    process.env = environment;
  });
  afterAll(() => folder.remove());
  return { ledger, https, pix: (): PixOverHttps => under };
}
