import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HOLDER_CPF, HOLDER_NAME, STRANGER_CPF } from './testing/ledger-under-test';
import { ledgerForEachTest } from './testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ booksBalance: true });

describe('The ledger', () => {
  it('stores no personal data in clear in an event, a log line, a refusal or a file', async () => {
    await ledger.payIn('1.00');
    await ledger.voided(
      (await ledger.pay(await ledger.fundingCode(), '2.00', STRANGER_CPF)).endToEndId,
      'payer-tax-id-mismatch',
    );
    const payers = [ledger.bank.invent(STRANGER_CPF, null), ledger.bank.invent(HOLDER_CPF, null)];
    const canaries = [
      HOLDER_CPF,
      STRANGER_CPF,
      HOLDER_NAME,
      ...payers.flatMap(({ accountNumber, legalName }) => [accountNumber, legalName]),
    ];
    ledger.bank.misbehaviour.fail('get-received', 'error');
    await ledger.tick();
    const files = readdirSync(ledger.folder).map((name) => readFileSync(join(ledger.folder, name)).toString('latin1'));
    const sinks = [JSON.stringify(await ledger.events()), ledger.lines.join(''), ...files];
    for (const canary of canaries) {
      const latin = Buffer.from(canary, 'utf8').toString('latin1');
      for (const sink of sinks) expect(sink.includes(canary) || sink.includes(latin)).toBe(false);
    }
  });
});
