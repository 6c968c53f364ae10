import type { Hold } from '@ponte/contracts';
import { CheckTokenMovement, PlaceHold } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { CLEAN_ADDRESS, fundTokens } from '../testing/fund-tokens';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT } from '../testing/ledger-under-test';

const ledger = ledgerForEachTest({ booksBalance: true });
const asset = 'eth-base/brlv';
const units = (amount: number) => `${amount}.${'0'.repeat(18)}`;

const order = async (name: string) => {
  const source = { walletId: 'main', movementId: `movement-${name}` };
  const hold = { holdId: `hold-${name}`, owner: { kind: 'order', id: name }, asset, amount: '0.1', source } as const;
  await ledger.ask(PlaceHold, { accountId: ACCOUNT, hold });
};
/** The holds that movements receives when a withdrawal is requested, in all requests. */
async function receivedHolds(amount: string): Promise<(readonly Hold[] | null | undefined)[]> {
  const asked = jest.spyOn(ledger.engines.bus, 'request');
  await ledger.withdraw(amount, { destinationWalletAddress: CLEAN_ADDRESS }, { asset, method: 'token' });
  const checks = asked.mock.calls.filter(([{ pattern }]) => pattern === CheckTokenMovement.pattern);
  asked.mockRestore();
  return checks.map(([, payload]) => (payload as PayloadOf<typeof CheckTokenMovement>).holds);
}

beforeEach(async () => {
  await fundTokens(ledger);
  await eventually(async () => expect((await ledger.balance(asset)).available).toBe(units(100)));
});

describe('The request for a token withdrawal', () => {
  it('gives movements the open holds of the asset, oldest first, so that it does not ask for them', async () => {
    await ledger.fund('10.00');
    const brl = { holdId: 'hold-brl', owner: { kind: 'order', id: 'brl' }, asset: 'fiat/brl', amount: '1.00' } as const;
    await ledger.ask(PlaceHold, { accountId: ACCOUNT, hold: brl });
    await order('b');
    ledger.now += 1_000;
    await order('a');
    expect(await receivedHolds('1')).toEqual([
      [
        expect.objectContaining({ holdId: 'hold-b', source: { walletId: 'main', movementId: 'movement-b' } }),
        expect.objectContaining({ holdId: 'hold-a', source: { walletId: 'main', movementId: 'movement-a' } }),
      ],
    ]);
  });

  it('tells movements when the holds are too many to be checked', async () => {
    for (let at = 0; at < 200; at += 1) await order(`o${at}`);
    expect((await receivedHolds('1')).map((holds) => holds?.length)).toEqual([200]);
    expect(await receivedHolds('1')).toEqual([null]);
  });
});
