import 'reflect-metadata';
import type { SettlementPayload } from '@ponte/contracts';
import { GetSettlement, RequestSettlement } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { TO, signer } from '../testing/movements-under-test';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';

const USDC: AssetId = 'eth-base/usdc';
const BASE = { chain: 'eth-base' } as const;
const PAYMENT = { settlementId: derivedId('settlement', 'waiting'), kind: 'treasury-payment' } as const;
const tests = movementsForEachTest();
const keys = new SimulatedSigner('new');

/** Requests a payment that waits unsigned, because the treasury is empty. */
const pay = (movements: MovementsUnderTest) => {
  const payload: SettlementPayload = {
    ...PAYMENT,
    orderId: derivedId('order', 'waiting'),
    accountId: 'account',
    asset: USDC,
    amount: '2.000000',
    wallet: TO,
    brlAmount: '10.70',
  };
  return movements.bus.request(RequestSettlement, payload, movements.context());
};
const payment = async (movements: MovementsUnderTest) =>
  (await movements.bus.request(GetSettlement, PAYMENT, movements.context()))?.state;
const fill = ({ base }: MovementsUnderTest): void => {
  base.fund(USDC, base.walletAddress(saltOf(treasuryWalletId('eth-base'))), 2_000_000n);
  base.mine();
};
const pending = (movements: MovementsUnderTest, operator: string) =>
  movements.gauge('ponte_operator_pending_transactions', { ...BASE, operator });
const signedBy = (movements: MovementsUnderTest) =>
  movements.ofType('TransactionSigned').map(({ data }) => (data as { readonly from: string }).from);

describe('former operator keys', () => {
  it('end the transactions that name them, signed or not, and get no new ones', async () => {
    const [former, current] = [await signer.addressOf('operator'), await keys.addressOf('operator')];
    const before = tests.open();
    await before.start();
    await pay(before);
    await before.diesAfter('TransactionSigned', 'signed');

    const after = tests.open({ beside: before, keys, former: signer });
    await after.start();
    expect((await after.ended('signed')).state).toBe('completed');
    await after.mint('new');
    expect((await after.ended('new')).state).toBe('completed');
    // The read model follows the log with a delay.
    const counts = () => Promise.all(['former/operator', 'operator', 'unknown'].map((id) => pending(after, id)));
    await eventually(async () => expect(await counts()).toEqual([1, 0, 0]));
    expect(await payment(after)).toBe('created');

    // The partner, or the bus, repeats a request: the intent keeps its key.
    await pay(after);
    fill(after);
    await eventually(async () => expect(await payment(after)).toBe('completed'));
    expect(signedBy(after)).toEqual([former, current, former]);
    await eventually(async () => expect(await pending(after, 'former/operator')).toBe(0));
    await after.stop();
  });

  it('have their fees raised and their nonce gaps filled, as the others do', async () => {
    const before = tests.open({ instant: false });
    await before.start();
    await before.mint('waiting');
    await before.broadcast('waiting');
    await before.stop();

    const after = tests.open({ instant: false, beside: before, keys, former: signer });
    await after.start();
    const { txHash } = await after.mintOf('waiting');
    const [intended] = after.ofType('TransactionIntended');
    const { transactionId = '' } = intended?.data as { readonly transactionId?: string };
    await after.operate('chain raise-fee', { ...BASE, transaction: transactionId });
    expect((await after.mintOf('waiting')).txHash).not.toBe(txHash);
    expect(await after.gauge('ponte_nonce_gap', { ...BASE, operator: 'former/operator' })).toBe(0);
    expect(await after.gauge('ponte_operator_gas_coins', { ...BASE, operator: 'former/operator' })).toBeDefined();
    after.base.mine();
    expect((await after.ended('waiting')).state).toBe('completed');
  });

  it('of two keystores end what names them when the keys are replaced again before the first ones are drained', async () => {
    const third = new SimulatedSigner('third');
    const addresses = await Promise.all([signer, keys, third].map((one) => one.addressOf('operator')));
    const before = tests.open();
    await before.start();
    await pay(before);
    await before.stop();
    const between = tests.open({ beside: before, keys, former: signer });
    await between.start();
    await between.diesAfter('TransactionIntended', 'unsigned');

    const after = tests.open({ beside: between, keys: third, former: keys, older: signer });
    await after.start();
    expect((await after.ended('unsigned')).state).toBe('completed');
    await after.mint('new');
    expect((await after.ended('new')).state).toBe('completed');
    const ids = ['former/2/operator', 'former/operator', 'operator', 'unknown'];
    const counts = () => Promise.all(ids.map((id) => pending(after, id)));
    await eventually(async () => expect(await counts()).toEqual([1, 0, 0, 0]));
    fill(after);
    await eventually(async () => expect(await payment(after)).toBe('completed'));
    expect(signedBy(after)).toEqual([addresses[1], addresses[2], addresses[0]]);
    await eventually(async () => expect(await counts()).toEqual([0, 0, 0, 0]));
    await after.stop();
  });

  it('become operator keys again when the two keystores are exchanged', async () => {
    const [first, second] = [await signer.addressOf('operator'), await keys.addressOf('operator')];
    const before = tests.open();
    await before.start();
    await pay(before);
    await before.stop();
    const between = tests.open({ beside: before, keys, former: signer });
    await between.start();
    await between.diesAfter('TransactionSigned', 'signed');

    const after = tests.open({ beside: between, keys: signer, former: keys });
    await after.start();
    expect((await after.ended('signed')).state).toBe('completed');
    const counts = () => Promise.all(['former/operator', 'operator', 'unknown'].map((id) => pending(after, id)));
    await eventually(async () => expect(await counts()).toEqual([0, 1, 0]));
    fill(after);
    await eventually(async () => expect(await payment(after)).toBe('completed'));
    await after.mint('new');
    expect((await after.ended('new')).state).toBe('completed');
    expect(signedBy(after)).toEqual([second, first, first]);
    await after.stop();
  });
});
