import 'reflect-metadata';
import type { SettlementKind, SettlementPayload } from '@ponte/contracts';
import { GetAccountWallets, GetSettlement, ProvisionWallets, RequestSettlement } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMinedAt, seenByEnough } from '../chain/adapters/rpc/agreement';
import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { EvmChain } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { Setup } from '../testing/movements-under-test';

const { open } = movementsForEachTest();

const ACCOUNT = 'account';
const LATER_MS = 400;

/** The service over two nodes, of which the second disagrees until `agrees` is set. */
async function overTwoNodes(setup: Setup = {}) {
  const second = { agrees: false };
  const serve = (first: SimulatedChain): EvmChain =>
    Object.assign(Object.create(first) as EvmChain, {
      agreedMined: (...[hash, place]: Parameters<EvmChain['agreedMined']>) =>
        seenByEnough([true, second.agrees], async (hasIt) => hasIt && isMinedAt(await first.transaction(hash), place)),
    });
  const movements = await open({ ...setup, serve }).start();
  await movements.bus.request(ProvisionWallets, { accountId: ACCOUNT, parentId: null }, movements.context());
  const { wallets } = await movements.bus.request(GetAccountWallets, { accountId: ACCOUNT }, movements.context());
  const wallet = wallets.find(({ chain }) => chain === 'eth-base')?.address as `0x${string}`;
  const request = (kind: SettlementKind, more: Partial<SettlementPayload> = {}) =>
    movements.bus.request(
      RequestSettlement,
      {
        settlementId: derivedId('settlement', kind),
        orderId: derivedId('order', kind),
        accountId: ACCOUNT,
        kind,
        asset: 'eth-base/brlv',
        amount: '2.500000000000000000',
        wallet,
        brlAmount: '2.50',
        ...more,
      },
      movements.context(),
    );
  const stateOf = async (kind: SettlementKind) =>
    (
      await movements.bus.request(
        GetSettlement,
        { settlementId: derivedId('settlement', kind), kind },
        movements.context(),
      )
    )?.state;
  const completes = (kind: SettlementKind) => eventually(async () => expect(await stateOf(kind)).toBe('completed'));
  return { movements, second, wallet, request, stateOf, completes };
}

it('a sale completes only when two nodes have its transaction; for a purchase one node is enough', async () => {
  const { movements, second, wallet, request, stateOf, completes } = await overTwoNodes();
  movements.base.fund('eth-base/usdc', wallet, 5_000_000n);
  await request('mint');
  await completes('mint');
  await request('burn');
  await request('treasury-receipt', { asset: 'eth-base/usdc', amount: '2.000000', brlAmount: '10.70' });
  await eventually(async () => expect(await movements.base.tokenBalance('eth-base/usdc', wallet)).toBe(3_000_000n));
  const states = async () => [await stateOf('burn'), await stateOf('treasury-receipt')];
  await eventually(async () => expect(await states()).toEqual(['pending', 'pending']));
  await movements.rounds.pass();
  expect(await states()).toEqual(['pending', 'pending']);
  second.agrees = true;
  await completes('burn');
  await completes('treasury-receipt');
});

it('a sale that waits for a second node completes with the next block, before the next round', async () => {
  const { movements, second, request, stateOf, completes } = await overTwoNodes({ pollMs: 3_600_000 });
  await request('mint');
  await completes('mint');
  await request('burn');
  await eventually(async () => expect(await stateOf('burn')).toBe('pending'));
  await sleep(LATER_MS);
  expect(await stateOf('burn')).toBe('pending');
  second.agrees = true;
  movements.base.mine();
  await completes('burn');
});

it('two nodes agree only about the same block, with enough confirmations', async () => {
  const movements = await open().start();
  await movements.mint('one');
  const { txHash } = await movements.ended('one');
  const transaction = await movements.base.transaction(txHash ?? '0x');
  if (transaction.status !== 'mined') throw new Error('not mined');
  const { blockHash, confirmations } = transaction;
  const agreed = (...nodes: readonly SimulatedChain[]) =>
    seenByEnough(nodes, async (node) =>
      isMinedAt(await node.transaction(txHash ?? '0x'), { blockHash, confirmations }),
    );
  const other = movements.chains.get('tempo') as SimulatedChain;
  await expect(agreed(movements.base)).resolves.toBe(true);
  await expect(agreed(movements.base, other)).resolves.toBe(false);
  await expect(agreed(movements.base, other, movements.base)).resolves.toBe(true);
  expect(isMinedAt(transaction, { blockHash, confirmations: confirmations + 1 })).toBe(false);
  expect(isMinedAt(transaction, { blockHash: '0x0', confirmations })).toBe(false);
  expect(isMinedAt({ ...transaction, succeeded: false }, { blockHash, confirmations })).toBe(false);
});
