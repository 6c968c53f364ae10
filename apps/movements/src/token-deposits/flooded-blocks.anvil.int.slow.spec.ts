import 'reflect-metadata';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import { DepositsOnAnvil } from '../testing/deposits-on-anvil';
import { finals, walletsOf } from '../testing/deposits-under-test';
import { LogFlooder } from '../testing/log-flooder';
import type { RpcRule } from '../testing/rpc-proxy';

let anvil: DepositsOnAnvil;
let flooder: LogFlooder;
let to: Hex;

beforeEach(async () => {
  anvil = await DepositsOnAnvil.start();
  to = (await walletsOf(anvil.movements, derivedId('account', 'one')))['eth-base'];
  flooder = await LogFlooder.deploy(anvil, 1_000_000n);
});
afterEach(() => anvil.stop());

const deposit = (name: string, units: bigint) =>
  anvil.outsider.send({ id: derivedId('transfer', name), asset: 'eth-base/usdc', to, units, fate: 'transfer' });
/** Providers refuse answers with more logs than their limit: here 20, so that no test needs thousands. */
const refusesManyLogs: RpcRule = async ({ method, params }) => {
  if (method !== 'eth_getLogs') return undefined;
  const logs = (await anvil.ask(method, ...params)) as readonly unknown[];
  return logs.length > 20 ? { error: { code: -32_005, message: 'query returned more than 20 results' } } : undefined;
};
const credited = () => finals(anvil.movements).map(({ amount }) => amount);

describe('A transaction of an outsider with 40,000 logs', () => {
  it('neither hides its own transfer to a wallet nor stops later deposits', async () => {
    await flooder.send(to, { logs: 40_000 });
    await deposit('later', 7n);
    await anvil.mine(70);
    await eventually(() => expect(credited()).toEqual(['0.000001', '0.000007']), 60_000);
  }, 120_000);

  it('is read from its receipt when the nodes refuse its transfers to the wallet', async () => {
    for (const proxy of anvil.proxies) proxy.rules = [refusesManyLogs];
    await flooder.send(to, { transfers: 30, logs: 35_000 });
    await deposit('later', 7n);
    await anvil.mine(70);
    await eventually(() => expect(credited()).toHaveLength(31), 120_000);
    expect(credited()).toEqual([...Array.from({ length: 30 }, () => '0.000001'), '0.000007']);
  }, 240_000);
});
