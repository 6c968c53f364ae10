import {
  certificateMachine,
  depositMachine,
  transferMachine,
  WITHDRAWAL_METHODS,
  withdrawalMachine,
} from '@ponte/contracts';
import { ASSET_IDS } from '@ponte/kernel';

interface Kind {
  readonly states: readonly string[];
  readonly filters: readonly { readonly name: string; readonly values?: readonly string[] }[];
}

const { ASSETS, KINDS } = jest.requireActual<{
  ASSETS: readonly string[];
  KINDS: Readonly<Record<'withdrawals' | 'deposits' | 'transfers' | 'nft-transfers' | 'certificates', Kind>>;
}>('../../../console/money/movement-kinds.js');

const sorted = (values: readonly string[]) => [...values].sort();

describe('the filters of the money lists in the console', () => {
  it('offer every asset and every withdrawal method', () => {
    const methods = KINDS.withdrawals.filters.find(({ name }) => name === 'method')?.values ?? [];
    expect([sorted(ASSETS), sorted(methods)]).toEqual([sorted(ASSET_IDS), sorted(WITHDRAWAL_METHODS)]);
  });

  it('offer every state of each movement', () => {
    const machines = {
      withdrawals: withdrawalMachine,
      deposits: depositMachine,
      transfers: transferMachine,
      'nft-transfers': transferMachine,
      certificates: certificateMachine,
    };
    expect(Object.fromEntries(Object.entries(KINDS).map(([name, { states }]) => [name, sorted(states)]))).toEqual(
      Object.fromEntries(Object.entries(machines).map(([name, machine]) => [name, sorted(Object.keys(machine))])),
    );
  });
});
