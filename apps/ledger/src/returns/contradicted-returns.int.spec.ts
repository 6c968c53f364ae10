import { eventually } from '@ponte/testing';
import { compactId } from '@ponte/kernel';
import { depositIdOf } from '../deposit/deposit.state';
import type { RailReturn } from '../pix-charge/pix-charges.port';
import type { IncomingTeds } from '../ted-deposit/incoming-teds.port';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';

const DAY_MS = 24 * 3_600_000;
const ledger = ledgerForEachTest();

afterEach(() => jest.restoreAllMocks());
const contradictions = async () =>
  (await ledger.engines.metrics.registry.getSingleMetric('ponte_payouts_contradicted_total')?.get())?.values.find(
    ({ labels }) => labels['reason'] === 'sent-back-amount',
  )?.value;
const reported = () => eventually(async () => expect(await contradictions()).toBeGreaterThan(0));
const types = (endToEndId: string) => ledger.types(`deposit-${depositIdOf(endToEndId)}`);
const ends = (endToEndId: string, ...last: readonly string[]) =>
  eventually(async () => {
    await ledger.tick();
    expect((await types(endToEndId)).slice(-last.length)).toEqual(last);
  });

/** Lets the bank answer every request for a return, and every question about one, with this amount. */
function bankHas(amount: string, status: RailReturn['status'] = 'returned'): void {
  const answer = async (_id: string, returnId: string): Promise<RailReturn> => ({
    ...{ returnId, status, amount, bankReturnId: status === 'returned' ? 'D1' : null },
  });
  jest.spyOn(ledger.bank, 'requestReturn').mockImplementation(answer);
  jest.spyOn(ledger.bank, 'getReturn').mockImplementation(answer);
  const teds = ledger.teds as unknown as IncomingTeds;
  jest.spyOn(teds, 'sendBack').mockImplementation(answer);
  jest.spyOn(teds, 'getSentBack').mockImplementation(answer);
}
/** A payment of someone else, which Ponte returns. */
async function received(type: 'pix' | 'ted'): Promise<string> {
  if (type === 'pix') return (await ledger.pay(await ledger.fundingCode(), '8.00', STRANGER_CPF)).endToEndId;
  const payer = { legalName: 'Ana', bankCode: '00000000', branchCode: '1', accountNumber: '1', accountType: '' };
  return (
    await ledger.teds.pay({
      ...{ reference: 'r1', identifier: compactId(ACCOUNT), amount: '8.00' },
      payer: { ...payer, taxId: STRANGER_CPF },
    })
  ).tedId;
}

describe('A return that the bank has with a different amount from the payment', () => {
  it.each(
    (['pix', 'ted'] as const).flatMap((type) =>
      (['returned', 'processing'] as const).map((status) => [type, status] as const),
    ),
  )('(%s, %s) stays due and is reported, until the bank states the right amount', async (type, status) => {
    bankHas('7.99', status);
    const endToEndId = await received(type);
    await ends(endToEndId, 'DepositCreated', 'DepositVoided');
    await ledger.tick();
    await reported();
    expect(await types(endToEndId)).toEqual(['DepositCreated', 'DepositVoided']);
    const lines = ledger.lines.filter((line) => line.includes('"reason":"sent-back-amount"'));
    expect(lines[0]).toContain(depositIdOf(endToEndId));
    jest.restoreAllMocks();
    await ends(endToEndId, 'DepositReturned');
  });

  it('ends if the bank does not execute it, whatever the amount', async () => {
    bankHas('0.00', 'not-carried-out');
    const endToEndId = await received('pix');
    await eventually(async () => expect(await types(endToEndId)).toContain('DepositReturnFailed'));
    expect(await contradictions()).toBe(0);
  });

  it('leaves a take-back of the payment open, because it is uncertain whether that is a double return', async () => {
    ledger.bank.misbehaviour.returns = 'processing';
    jest.spyOn(ledger.bank, 'getReturn').mockRejectedValue(new Error('not read yet'));
    const endToEndId = await received('pix');
    await eventually(async () => expect(await types(endToEndId)).toEqual(['DepositCreated', 'DepositVoided']));
    bankHas('7.99');
    await ledger.takeBack(endToEndId).catch(() => undefined);
    await ledger.tick().catch(() => undefined);
    await reported();
    expect(await types(endToEndId)).toEqual(['DepositCreated', 'DepositVoided']);
  });

  it('does not end after the payment was taken back', async () => {
    bankHas('8.00', 'processing');
    const endToEndId = await received('pix');
    await eventually(async () => expect(await types(endToEndId)).toEqual(['DepositCreated', 'DepositVoided']));
    jest.spyOn(ledger.bank, 'getReturn').mockResolvedValue(undefined);
    await ledger.takeBack(endToEndId);
    await ends(endToEndId, 'DepositReturned');
    bankHas('7.99');
    ledger.now += 2 * DAY_MS;
    for (let round = 0; round < 2; round += 1) await ledger.tick();
    await reported();
    expect((await types(endToEndId)).at(-1)).toBe('DepositReturned');
    bankHas('8.00', 'not-carried-out');
    await ends(endToEndId, 'DepositReturnFailed');
  });
});
