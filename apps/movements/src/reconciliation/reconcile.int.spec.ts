import 'reflect-metadata';
import type { TrialBalanceLine } from '@ponte/contracts';
import { GetAccountWallets, GetTrialBalance, GetUncreditedTokens, ProvisionWallets } from '@ponte/contracts';
import { Money, Unavailable, derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { signed } from '../chain/adapters/chain-under-test.testing';
import { MovementsUnderTest, TO, signer } from '../testing/movements-under-test';
import { referenceOf } from '../token-movement/chain-values.domain';
import type { Hex } from '../chain/chain.port';

let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;
beforeEach(async () => {
  folder = temporaryFolder();
  movements = await new MovementsUnderTest(folder.path).start();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await movements.stop();
  folder.remove();
});

const asset = 'eth-base/brlv';
/** Sets the answers of the ledger. */
function booked(
  issued: string,
  held: string,
  owed = '1',
  reserved = String(Number(issued) + Number(owed)),
  suspended = '0',
  unclaimed = '0',
): void {
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
    { account: 'house:suspense', asset, amount: stored(suspended) },
    { account: 'house:unclaimed', asset, amount: stored(unclaimed) },
  ];
  movements.bus.handle(GetUncreditedTokens.pattern, async () => ({ amounts: [], refused: [] }));
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

it('the operator sees the amounts of each asset when ledger, token supply and wallets agree', async () => {
  await minted('one');
  booked('2.5', '3.5');
  const report = await reconciled();
  expect(report).toContain('ledger and chain agree');
  expect(report).toContain('"asset":"eth-base/brlv","issued":"2.500000000000000000","supply":"2.500000000000000000"');
  expect(report).toContain('"asset":"tempo/brlv"');
});

it('tokens that the ledger does not have are reported, by supply and by wallets', async () => {
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
  // Until the read model has the end of the first mint, that mint explains the difference.
  await eventually(() =>
    expect(movements.operate('chain reconcile')).rejects.toThrow('"supply-difference":"1.000000000000000000"'),
  );
});

it('tokens that the ledger does not have are reported, although a mint of as much waits for its signature', async () => {
  await minted('one');
  booked('2.5', '3.5');
  const call = movements.base.mintCall({
    reference: referenceOf(derivedId('mint', 'stolen')),
    asset,
    to: TO,
    units: 10n ** 18n,
  });
  const { raw } = await signed(movements.base, signer, 'a stolen key', call);
  jest.spyOn(movements.base, 'feeQuote').mockRejectedValue(new Unavailable('chain-unavailable'));
  await movements.mint('waits');
  await movements.base.broadcast(raw);
  await eventually(() =>
    expect(movements.operate('chain reconcile')).rejects.toThrow('"supply-difference":"1.000000000000000000"'),
  );
  expect((await movements.mintOf('waits')).state).toBe('created');
});

it('tokens that another transaction minted with the reference of a signed mint are reported', async () => {
  // The test mines every block. Otherwise each repeated broadcast of the mint would mine one.
  await movements.stop();
  movements = await new MovementsUnderTest(folder.path, { instant: false }).start();
  const { base } = movements;
  const before = minted('one');
  await movements.broadcast('one');
  base.mine(1);
  await before;
  booked('2.5', '3.5');
  base.script({ kind: 'delay', blocks: 3 });
  await movements.mint('misused');
  await movements.broadcast('misused');
  const reference = referenceOf(derivedId('mint', 'misused'));
  const call = base.mintCall({ reference, asset, to: TO, units: 10n ** 18n });
  await base.broadcast((await signed(base, signer, 'a stolen key', call)).raw);
  base.mine(4);
  await eventually(() =>
    expect(movements.operate('chain reconcile')).rejects.toThrow('"supply-difference":"1.000000000000000000"'),
  );
  expect((await movements.mintOf('misused')).state).toBe('pending');
});

it('debts of the house after a reorg are in the balances of customers but in no wallet', async () => {
  await minted('one');
  booked('2.5', '4.5', '2');
  await expect(reconciled()).resolves.toContain('agree');
});

it.each([
  ['tokens of closed accounts that staff set aside are in suspense', '0.5', '0'],
  ['what closed accounts left behind is unclaimed', '0', '0.5'],
])('%s, and still in the wallets', async (_, suspended, unclaimed) => {
  await minted('one');
  booked('2.5', '3', '1', '3.5', suspended, unclaimed);
  const report = await reconciled();
  expect(report).toContain('agree');
  // While the mint is under way, it may explain a difference, so the amount is compared too.
  expect(report).toContain('"asset":"eth-base/brlv","issued":"2.500000000000000000","supply":"2.500000000000000000"');
  expect(report).toContain('"held":"2.500000000000000000"');
});

it('tokens that are in the books but not on the chain are reported', async () => {
  await minted('one');
  booked('3.5', '4.5');
  await eventually(() =>
    expect(movements.operate('chain reconcile')).rejects.toThrow('"supply-difference":"-1.000000000000000000"'),
  );
});

it('a reserve that does not back the issued tokens is reported', async () => {
  await minted('one');
  booked('2.5', '3.5', '1', '3.49');
  await eventually(() =>
    expect(movements.operate('chain reconcile')).rejects.toThrow(
      /"asset":"eth-base\/brly","issued":"-0.010000000000000000".*"supply-difference":"0.010000000000000000"/,
    ),
  );
});

it('a reconciliation fails when the ledger does not answer', async () => {
  await expect(movements.operate('chain reconcile')).rejects.toThrow();
});
