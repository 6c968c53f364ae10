import 'reflect-metadata';
import type { SettlementPayload } from '@ponte/contracts';
import { GetSettlement, ProvisionWallets, RequestSettlement } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { MovementsUnderTest, TO } from '../testing/movements-under-test';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';

const USDC: AssetId = 'eth-base/usdc';
const FROZEN = 'frozen-account';
const ACTIVE = 'active-account';
/** Longer than an intent counts as fresh, milliseconds. */
const LATER_MS = 1_500;
let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;

beforeEach(async () => {
  folder = temporaryFolder();
  movements = await new MovementsUnderTest(folder.path).start();
  for (const accountId of [FROZEN, ACTIVE])
    await movements.bus.request(ProvisionWallets, { accountId, parentId: null }, movements.context());
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

const later = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, LATER_MS));
  await movements.rounds.pass();
};
const payload = (accountId: string): SettlementPayload => ({
  settlementId: derivedId('settlement', accountId),
  orderId: derivedId('order', accountId),
  accountId,
  kind: 'treasury-payment',
  asset: USDC,
  amount: '2.000000',
  wallet: TO,
  brlAmount: '10.70',
});
const pay = (accountId: string) => movements.bus.request(RequestSettlement, payload(accountId), movements.context());
const stateOf = async (accountId: string) => {
  const query = { settlementId: derivedId('settlement', accountId), kind: 'treasury-payment' } as const;
  return (await movements.bus.request(GetSettlement, query, movements.context()))?.state;
};
const reaches = (accountId: string, state: string) =>
  eventually(async () => expect(await stateOf(accountId)).toBe(state));
const waiting = () => movements.gauge('ponte_treasury_waiting_payments', { chain: 'eth-base', asset: USDC });
function fill(units: bigint): void {
  movements.base.fund(USDC, movements.base.walletAddress(saltOf(treasuryWalletId('eth-base'))), units);
  movements.base.mine();
}

describe('a settlement that waits while its account is frozen', () => {
  it('is not signed, gets no nonce and takes nothing from the treasury, and is signed once after the release', async () => {
    await pay(FROZEN);
    await pay(ACTIVE);
    await eventually(async () => expect(await waiting()).toBe(2));
    movements.statuses.set(FROZEN, 'frozen');
    await later();
    fill(2_000_000n);
    await reaches(ACTIVE, 'completed');
    fill(2_000_000n);
    await later();
    expect(await stateOf(FROZEN)).toBe('created');
    expect(movements.ofType('TransactionFunded')).toHaveLength(1);
    expect(movements.ofType('TransactionSigned')).toHaveLength(1);
    expect(movements.nonces()).toEqual([0]);

    movements.statuses.set(FROZEN, 'active');
    await reaches(FROZEN, 'completed');
    expect(movements.ofType('TransactionSigned')).toHaveLength(2);
    expect(await movements.base.tokenBalance(USDC, TO)).toBe(4_000_000n);
  });

  it('also waits through a restart of the service', async () => {
    await pay(FROZEN);
    await eventually(async () => expect(await waiting()).toBe(1));
    movements.statuses.set(FROZEN, 'frozen');
    await later();
    await movements.stop();
    fill(2_000_000n);
    await movements.start();
    await later();
    expect(movements.ofType('TransactionSigned')).toEqual([]);
    movements.statuses.delete(FROZEN);
    await reaches(FROZEN, 'completed');
  });

  it('is given up if the account is closed instead, and the treasury pays the next one', async () => {
    await pay(FROZEN);
    await eventually(async () => expect(await waiting()).toBe(1));
    movements.statuses.set(FROZEN, 'closed');
    await later();
    fill(2_000_000n);
    await eventually(() =>
      expect(movements.ofType('TransactionGivenUp').map(({ data }) => data)).toMatchObject([
        { reason: 'account-not-active', purpose: { accountId: FROZEN } },
      ]),
    );
    await pay(ACTIVE);
    await reaches(ACTIVE, 'completed');
    expect(await stateOf(FROZEN)).toBe('failed');
    expect(movements.ofType('TransactionSigned')).toHaveLength(1);
    expect(movements.nonces()).toEqual([0]);
  });
});
