import { NO_CHARGES, PlaceHold, PostExchange, ReleaseHold } from '@ponte/contracts';
import { Money, Refusal, derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';

const brl = (centavos: number): string => Money.of('fiat/brl', BigInt(centavos)).toString();
const brlv = (centavos: number): string => Money.of('eth-base/brlv', BigInt(centavos) * 10n ** 16n).toString();

const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const SPENDS = 64;

describe(`${SPENDS} concurrent spends of one balance, by withdrawals, orders and transfers`, () => {
  const ledger = ledgerForEachTest();

  const spend = async (round: number, index: number): Promise<boolean> => {
    const id = derivedId('spend', String(round), String(index));
    const [amount, asset] = ['10.00', 'fiat/brl'] as const;
    try {
      if (index % 3 === 0) await ledger.withdraw(amount, { pixKey: STRANGER_CPF });
      else
        await ledger.ask(PlaceHold, {
          accountId: ACCOUNT,
          hold: { holdId: id, owner: { kind: index % 3 === 1 ? 'order' : 'transfer', id }, asset, amount },
        });
      if (index % 3 === 1) {
        const credit = { asset: 'eth-base/brlv', amount: brlv(1_000) } as const;
        await ledger.ask(PostExchange, {
          accountId: ACCOUNT,
          orderId: id,
          holdId: id,
          debit: { asset, amount },
          credit,
          custody: true,
          charges: NO_CHARGES,
          deliveryHold: null,
        });
      }
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'insufficient-balance') return false;
      throw error;
    }
  };

  it.each(Array.from({ length: ROUNDS }, (_, round) => [round]))(
    'succeed exactly as often as the balance covers (round %i)',
    async (round) => {
      const covered = 1 + ((round * 13) % (SPENDS - 1));
      await ledger.fund(brl(covered * 1_000));
      const won = await Promise.all(Array.from({ length: SPENDS }, (_, index) => spend(round, index)));
      expect(won.filter(Boolean)).toHaveLength(covered);
      await eventually(async () => {
        await ledger.tick();
        const transfers = won.filter((one, index) => one && index % 3 === 2).length;
        expect(await ledger.balance()).toEqual({
          running: brl(transfers * 1_000),
          available: '0.00',
          held: brl(transfers * 1_000),
        });
      });
      for (const [index, one] of won.entries())
        if (one && index % 3 === 2)
          await ledger.ask(ReleaseHold, {
            accountId: ACCOUNT,
            holdId: derivedId('spend', String(round), String(index)),
            reason: 'test',
          });
      await eventually(() => ledger.assertTrialBalance());
    },
  );
});
