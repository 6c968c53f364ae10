import 'reflect-metadata';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import { DepositsOnAnvil } from '../testing/deposits-on-anvil';
import { finals, walletsOf } from '../testing/deposits-under-test';
import { LogFlooder } from '../testing/log-flooder';

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
const credited = () => finals(anvil.movements).map(({ amount }) => amount);

describe('A transaction of an outsider with 40,000 logs', () => {
  it('neither hides its own transfer to a wallet nor stops later deposits', async () => {
    await flooder.send(to, { logs: 40_000 });
    await deposit('later', 7n);
    await anvil.mine(70);
    await eventually(() => expect(credited()).toEqual(['0.000001', '0.000007']), 60_000);
  }, 120_000);
});
