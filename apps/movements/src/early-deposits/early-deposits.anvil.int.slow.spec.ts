import 'reflect-metadata';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { DepositsOnAnvil } from '../testing/deposits-on-anvil';
import { arrivals, finals, walletsOf } from '../testing/deposits-under-test';
import {
  BEYOND_THE_OVERLAP,
  addressBefore,
  checksIn,
  createWallet,
  scannedTo,
} from '../testing/early-deposits-under-test';
import type { RpcRule } from '../testing/rpc-proxy';
import type { LogNode } from '../transfer-logs/transfer-logs.port';

const MANY_ROUNDS_MS = 400;
const BALANCE_OF = '0x70a08231';
let anvil: DepositsOnAnvil;

beforeEach(async () => {
  anvil = await DepositsOnAnvil.start();
  await anvil.mine(70);
  await walletsOf(anvil.movements, derivedId('account', 'one'));
  await eventually(async () => expect(await checksIn(anvil.movements, 'done')).toBe(1), 10_000);
});
afterEach(() => anvil.stop());

const send = (name: string, units: bigint) =>
  anvil.outsider.send({
    id: derivedId('transfer', name),
    asset: 'eth-base/usdc',
    to: addressBefore(anvil.evm, name),
    units,
    fate: 'transfer',
  });
const isBalance = (params: readonly unknown[]) => (params[0] as { data?: string }).data?.startsWith(BALANCE_OF);

/** Misbehaviours of a provider that concern the balances or the logs of a new wallet. */
const MISBEHAVIOURS: Readonly<Record<string, RpcRule>> = {
  'has no state of the final block': ({ method, params }) =>
    method === 'eth_call' && isBalance(params) ? { error: { code: -32000, message: 'missing trie node' } } : undefined,
  'names no balance': ({ method, params }) =>
    method === 'eth_call' && isBalance(params) ? { result: `0x${'0'.repeat(64)}` } : undefined,
  'takes a wallet for deployed': ({ method, params }) =>
    method === 'eth_getCode' && typeof params[1] === 'object' ? { result: '0x00' } : undefined,
  'leaves out logs': ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined),
};

describe('tokens that were sent to the address of a wallet on a real chain before it existed', () => {
  it.each(Object.entries(MISBEHAVIOURS))('are credited once, after a provider %s', async (_, misbehaviour) => {
    const { movements, proxies } = anvil;
    await send('a', 5n);
    await anvil.mine(BEYOND_THE_OVERLAP);
    await send('b', 6n);
    await anvil.mine(BEYOND_THE_OVERLAP);
    // Blocks that are scanned only when the wallet exists would be no early deposits.
    const final = await anvil.evm.logNodes[0]?.finalBlock();
    await eventually(async () => expect(await scannedTo(movements)).toBe(final?.number), 10_000);
    expect(arrivals(movements)).toEqual([]);
    proxies[1].rules = [misbehaviour];
    await Promise.all(['a', 'b', 'c'].map((name) => createWallet(movements, name)));
    await sleep(MANY_ROUNDS_MS);
    expect(finals(movements)).toEqual([]);
    proxies[1].rules = [];
    await eventually(
      () =>
        expect(
          finals(movements)
            .map(({ amount }) => amount)
            .sort(),
        ).toEqual(['0.000005', '0.000006']),
      10_000,
    );
    await eventually(async () => expect(await checksIn(movements, 'done')).toBe(4), 10_000);
    await anvil.mine(70);
    await sleep(MANY_ROUNDS_MS);
    expect(arrivals(movements)).toHaveLength(2);
  });
});

it('only an address with code counts as a deployed wallet', async () => {
  const { evm } = anvil;
  const [node] = evm.logNodes as readonly LogNode[] as readonly [LogNode];
  const { to: contract } = evm.transferCall({ asset: 'eth-base/usdc', to: addressBefore(evm, 'a'), units: 1n });
  expect(await node.areDeployed(await node.finalBlock(), [contract, addressBefore(evm, 'a')])).toEqual([true, false]);
});
