import 'reflect-metadata';
import type { SettlementPayload, TransactionGivenUp } from '@ponte/contracts';
import { GetSettlement, ProvisionWallets, RequestSettlement } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { MovementsUnderTest } from '../testing/movements-under-test';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';
import type { Hex } from '../chain/chain.port';

const USDC: AssetId = 'eth-base/usdc';
const HELD = 100_000_000n;
const EACH = '7.000000';
const WINNERS = 14;
const REQUESTS = 64;
const WAIT_MS = 60_000;
const LIQUIDITY_MS = 3_000;
const WALLET: Hex = `0x${'cd'.repeat(20)}`;

const folders = [temporaryFolder(), temporaryFolder()] as const;
const replicas: MovementsUnderTest[] = [];

beforeAll(async () => {
  // The payments use several keys, so that no single order of nonces puts them in sequence.
  const setup = { replicated: true, operatorKeys: 4, liquidityMs: LIQUIDITY_MS };
  const first = await new MovementsUnderTest(folders[0].path, setup).start();
  const second = await new MovementsUnderTest(folders[1].path, { ...setup, beside: first }).start();
  replicas.push(first, second);
  await first.bus.request(ProvisionWallets, { accountId: 'account', parentId: null }, first.context());
});
afterAll(async () => {
  await Promise.all(replicas.map((one) => one.stop()));
  for (const folder of folders) folder.remove();
});

const payload = (at: number): SettlementPayload => ({
  settlementId: derivedId('settlement', String(at)),
  orderId: derivedId('order', String(at)),
  accountId: 'account',
  kind: 'treasury-payment',
  asset: USDC,
  amount: EACH,
  wallet: WALLET,
  brlAmount: '37.00',
});

describe('two processes with the last tokens of one treasury', () => {
  it('spend them once: they make the payments that fit, give up the others, and nothing reverts', async () => {
    const [first] = replicas as [MovementsUnderTest, MovementsUnderTest];
    first.base.fund(USDC, first.base.walletAddress(saltOf(treasuryWalletId('eth-base'))), HELD);
    first.base.mine();
    const orders = Array.from({ length: REQUESTS }, (_, at) => payload(at));
    await Promise.all(
      orders.map((order, at) => {
        const replica = replicas[at % replicas.length] as MovementsUnderTest;
        return replica.bus.request(RequestSettlement, order, replica.context());
      }),
    );
    const states = await eventually(async () => {
      const states = await Promise.all(
        orders.map(async ({ settlementId }) => {
          const query = { settlementId, kind: 'treasury-payment' } as const;
          return (await first.bus.request(GetSettlement, query, first.context()))?.state;
        }),
      );
      expect(states.filter((state) => state !== 'completed' && state !== 'failed')).toEqual([]);
      return states;
    }, WAIT_MS);
    expect(states.filter((state) => state === 'completed')).toHaveLength(WINNERS);
    const reasons = first.ofType('TransactionGivenUp').map(({ data }) => (data as TransactionGivenUp['data']).reason);
    expect(reasons).toEqual(Array.from({ length: REQUESTS - WINNERS }, () => 'liquidity-unavailable'));
    expect(first.types()).not.toContain('TransactionReverted');
    expect(await first.base.tokenBalance(USDC, WALLET)).toBe(BigInt(WINNERS) * 7_000_000n);
    expect(first.ofType('TransactionFunded')).toHaveLength(WINNERS);
  });
});
