import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DepositVoidReason } from '@ponte/contracts';
import { MemoryEventStore, eventually, temporaryFolder } from '@ponte/testing';
import { depositIdOf } from './deposit/deposit.state';
import { LedgerModule } from './ledger.module';
import { HOLDER_CPF, HOLDER_NAME, LedgerUnderTest, STRANGER_CPF } from './testing/ledger-under-test';

let place: ReturnType<typeof temporaryFolder>;
let ledger: LedgerUnderTest<MemoryEventStore>;
beforeEach(async () => {
  place = temporaryFolder();
  ledger = new LedgerUnderTest({
    module: LedgerModule,
    folder: place.path,
    open: (before) => new MemoryEventStore({ log: before?.log }),
  });
  await ledger.boot();
});
afterEach(async () => {
  await eventually(() => ledger.assertTrialBalance());
  await ledger.stop();
  place.remove();
});

const credited = (endToEndId: string) =>
  eventually(async () => {
    expect(await ledger.types(`deposit-${depositIdOf(endToEndId)}`)).toEqual([
      'DepositCreated',
      'DepositConfirmed',
      'DepositCredited',
    ]);
  });
const voided = (endToEndId: string, reason: DepositVoidReason) =>
  eventually(async () => {
    const events = await ledger.events(`deposit-${depositIdOf(endToEndId)}`);
    expect(events.map(({ type }) => type)).toEqual(['DepositCreated', 'DepositVoided', 'DepositReturned']);
    expect(events[1]?.data).toMatchObject({ reason });
  });
const fund = async (amount: string) => credited((await ledger.pay(await ledger.fundingCode(), amount)).endToEndId);

describe('holds and books', () => {
  it('no personal datum stands in clear in an event, a log line, a refusal or a file', async () => {
    await fund('1.00');
    await voided(
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
    const files = readdirSync(place.path).map((name) => readFileSync(join(place.path, name)).toString('latin1'));
    const sinks = [JSON.stringify(await ledger.events()), ledger.lines.join(''), ...files];
    for (const canary of canaries) {
      const latin = Buffer.from(canary, 'utf8').toString('latin1');
      for (const sink of sinks) expect(sink.includes(canary) || sink.includes(latin)).toBe(false);
    }
  });
});
