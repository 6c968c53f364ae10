import type { PixPayee } from '@ponte/contracts';
import { NO_CHARGES, PayOutOrder, PlaceHold, PostExchange, ResolvePixKey } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { MemoryEventStore } from '@ponte/testing';
import { ledgerForEachTest } from './ledger-for-each-test';
import type { LedgerUnderTest } from './ledger-under-test';
import { ACCOUNT, HOLDER_CPF, PARENT } from './ledger-under-test';

export const ORDER = derivedId('test', 'an order');
export const WITHDRAWAL = derivedId('test', 'its payout');
const HOLD = derivedId('test', 'its delivery hold');

/** The steps of an order whose BRL is paid out, as the orders service asks for them. */
class OrderPayouts {
  constructor(private readonly ledger: LedgerUnderTest<MemoryEventStore>) {}

  async resolve(text: string, accountId = ACCOUNT) {
    const key = await this.ledger.engines.personalData.seal('key-in-transit', text);
    return this.ledger.ask(ResolvePixKey, { accountId, key });
  }

  /** The payee of a Pix key of the account's holder. */
  async ownKey(text = HOLDER_CPF): Promise<PixPayee> {
    const resolved = await this.resolve(text);
    if (!resolved?.ownedByHolder) throw new Error('the key is not the holder’s');
    return resolved.target;
  }

  /** Sells BRLV that was bought before; the BRL is held for the payout in the same event. */
  async sold(amount: string): Promise<void> {
    const [brl, brlv] = [
      { asset: 'fiat/brl', amount } as const,
      { asset: 'eth-base/brlv', amount: `${amount}${'0'.repeat(16)}` } as const,
    ];
    const convert = async (orderId: string, debit: typeof brl | typeof brlv, credit: typeof brl | typeof brlv) => {
      const holdId = derivedId('test hold', orderId);
      await this.ledger.ask(PlaceHold, {
        accountId: ACCOUNT,
        hold: { holdId, owner: { kind: 'order', id: orderId }, ...debit },
      });
      const deliveryHold =
        credit === brl ? { holdId: HOLD, owner: { kind: 'withdrawal', id: WITHDRAWAL } as const, ...credit } : null;
      await this.ledger.ask(PostExchange, {
        ...{ accountId: ACCOUNT, orderId, holdId, debit, credit, deliveryHold },
        custody: true,
        charges: NO_CHARGES,
      });
    };
    await convert(derivedId('test', 'a purchase'), brl, brlv);
    await convert(ORDER, brlv, brl);
  }

  payOut(amount: string, target: PixPayee) {
    return this.ledger.ask(PayOutOrder, {
      ...{ withdrawalId: WITHDRAWAL, orderId: ORDER, accountId: ACCOUNT, parentId: PARENT, createdBy: PARENT },
      ...{ createdByApiKey: 'ak', holdId: HOLD, amount, target },
    });
  }
}

/**
 * A ledger for each test, with BRL 1,000 on the account and a limit of one withdrawal of BRL 1 a day, which does not
 * apply to payouts of orders.
 */
export function payoutsForEachTest(): {
  readonly ledger: LedgerUnderTest<MemoryEventStore>;
  readonly orders: OrderPayouts;
} {
  beforeEach(() => {
    process.env['LEDGER_WITHDRAWAL_LIMITS'] = 'fiat/brl=1.00/1';
  });
  afterEach(() => {
    delete process.env['LEDGER_WITHDRAWAL_LIMITS'];
  });
  const ledger = ledgerForEachTest();
  beforeEach(() => ledger.fund('1000.00'));
  return { ledger, orders: new OrderPayouts(ledger) };
}
