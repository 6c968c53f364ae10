import 'reflect-metadata';
import type { TrialBalanceLine } from '@ponte/contracts';
import { GetAccountWallets, GetTrialBalance, GetUncreditedTokens, ProvisionWallets } from '@ponte/contracts';
import { Money, derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { signed } from '../chain/adapters/chain-under-test.testing';
import { MovementsUnderTest, signer } from '../testing/movements-under-test';
import { referenceOf } from '../token-movement/chain-values.domain';
import type { Hex } from '../chain/chain.port';

let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;
beforeEach(async () => {
  folder = temporaryFolder();
  movements = await new MovementsUnderTest(folder.path).start();
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

const asset = 'eth-base/brlv';
/** As the ledger would answer. */
function booked(issued: string, held: string, owed = '1', reserved = String(Number(issued) + Number(owed))): void {
  const stored = (amount: string): string => Money.parse(asset, amount).toString();
  const reserve: TrialBalanceLine = {
    account: 'house:reserve',
    asset: 'fiat/brl',
    amount: Money.parse('fiat/brl', reserved).toString(),
  };
  const lines: TrialBalanceLine[] = [
    reserve,
    { account: 'house:issuance', asset, amount: `-${stored(issued)}` },
    { account: 'house:loss', asset, amount: `-${stored(owed)}` },
  ];
  movements.bus.handle(GetUncreditedTokens.pattern, async () => ({ amounts: [] }));
  movements.bus.handle(GetTrialBalance.pattern, async () => ({
    lines,
    customers: [{ asset, amount: stored(held) }],
    sums: [],
  }));
}

async function minted(name: string): Promise<void> {
  await movements.bus.request(ProvisionWallets, { accountId: 'account', parentId: null }, movements.context());
  const { wallets } = await movements.bus.request(GetAccountWallets, { accountId: 'account' }, movements.context());
  await movements.mint(name, { to: wallets.find(({ chain }) => chain === 'eth-base')?.address ?? '' });
  await movements.ended(name);
}

const reconciled = () => eventually(() => movements.operate('chain reconcile'));

it('ledger, token supply and wallets agree: the operator sees the amounts of each asset', async () => {
  await minted('one');
  booked('2.5', '3.5');
  const said = await reconciled();
  expect(said).toContain('ledger and chain agree');
  expect(said).toContain('"asset":"eth-base/brlv","issued":"2.500000000000000000","supply":"2.500000000000000000"');
  expect(said).toContain('"asset":"tempo/brlv"');
});

it('tokens that exist without the ledger are reported, by supply and by wallets', async () => {
  await minted('one');
  booked('2.5', '3.5');
  await reconciled();
  const { wallets } = await movements.bus.request(GetAccountWallets, { accountId: 'account' }, movements.context());
  const to = wallets.find(({ chain }) => chain === 'eth-base')?.address as Hex;
  const call = movements.base.mintCall({
    reference: referenceOf(derivedId('mint', 'stolen')),
    asset,
    to,
    units: 10n ** 18n,
  });
  await movements.base.broadcast((await signed(movements.base, signer, 'a stolen key', call)).raw);
  // Until the view has heard that the first mint ended, that one explains the difference.
  await eventually(() =>
    expect(movements.operate('chain reconcile')).rejects.toThrow('"supply-difference":"1.000000000000000000"'),
  );
});

it('what the house owes after a reorg is in the balances of customers and in no wallet', async () => {
  await minted('one');
  booked('2.5', '4.5', '2');
  await expect(reconciled()).resolves.toContain('agree');
});

it('tokens that the books have and the chain has not are reported', async () => {
  await minted('one');
  booked('3.5', '4.5');
  await eventually(() =>
    expect(movements.operate('chain reconcile')).rejects.toThrow('"supply-difference":"-1.000000000000000000"'),
  );
});

it('a reserve that does not back the tokens that were issued is reported', async () => {
  await minted('one');
  booked('2.5', '3.5', '1', '3.49');
  await eventually(() =>
    expect(movements.operate('chain reconcile')).rejects.toThrow(
      /"asset":"eth-base\/brly","issued":"-0.010000000000000000".*"supply-difference":"0.010000000000000000"/,
    ),
  );
});

it('a ledger that does not answer is no agreement', async () => {
  await expect(movements.operate('chain reconcile')).rejects.toThrow();
});
