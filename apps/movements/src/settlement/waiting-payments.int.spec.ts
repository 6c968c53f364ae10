import 'reflect-metadata';
import { RequestSettlement } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { TO } from '../testing/movements-under-test';
import { referenceOf } from '../token-movement/chain-values.domain';

const { open } = movementsForEachTest();
const PAYMENTS = 400;
/** As many transactions as are sent at once. */
const BATCH = 64;

it('a new mint is sent before the many payments that wait for the treasury are checked again', async () => {
  const movements = await open().start();
  const { base } = movements;
  const asset = 'eth-base/usdc';
  const pay = (at: number) =>
    movements.bus.request(
      RequestSettlement,
      {
        ...{
          settlementId: derivedId('payment', String(at)),
          orderId: derivedId('order', String(at)),
          accountId: 'account',
        },
        ...{ kind: 'treasury-payment', asset, amount: '2.000000', wallet: TO, brlAmount: '10.70' },
      },
      movements.context(),
    );
  await Promise.all(Array.from({ length: PAYMENTS }, (_, at) => pay(at)));
  const waiting = () => movements.gauge('ponte_treasury_waiting_payments', { chain: 'eth-base', asset });
  await eventually(async () => expect(await waiting()).toBe(PAYMENTS));

  // The checks of a round stand still from here on, with the other payments behind them.
  let pass: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (pass = resolve));
  const checked: string[] = [];
  const read = base.taken.bind(base);
  jest.spyOn(base, 'taken').mockImplementation(async (by, reference) => {
    checked.push(reference);
    await passed;
    return read(by, reference);
  });
  await eventually(() => expect(checked.length).toBeGreaterThan(0));
  await movements.rounds.pass();
  const before = checked.length;
  await movements.mint('new');
  pass();
  await movements.ended('new');
  const place = checked.indexOf(referenceOf(derivedId('mint', 'new'))) - before;
  expect(place).toBeLessThan(2 * BATCH);
});
