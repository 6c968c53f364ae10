import type { DomainEvent, EventClass, Recorded } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import { ExchangePosted, NO_CHARGES } from './ledger/ledger-account-events';
import { OrderCompleted, OrderPlaced } from './orders/events';
import { QuoteIssued } from './pricing/events';

const current = (known: EventClass, version: number, data: object): Recorded<DomainEvent> =>
  upcaster([known])({ type: known.type, version, data } as Recorded);

describe('an event of version 1', () => {
  it.each<[string, EventClass, object, object]>([
    [
      'OrderPlaced',
      OrderPlaced,
      { orderId: 'o' },
      { orderId: 'o', charges: NO_CHARGES, settlement: 'mint', pixDelivery: null },
    ],
    ['OrderCompleted', OrderCompleted, { orderId: 'o' }, { orderId: 'o', delivery: null }],
    ['ExchangePosted', ExchangePosted, { orderId: 'o' }, { orderId: 'o', charges: NO_CHARGES, deliveryHold: null }],
  ])('%s is read as a mint without charges and delivery', (_type, known, before, after) => {
    expect(current(known, 1, before)).toMatchObject({ version: 2, data: after });
    expect(current(known, 2, after)).toMatchObject({ version: 2, data: after });
  });

  it('QuoteIssued is read as a quote with the given amount but without rates and rules', () => {
    const inputs = { rates: [], offMarketSet: null, rulesVersion: null, rules: [] };
    const amounts = { sourceAmount: '10.00', targetAmount: '1.85' };
    for (const [givenSide, givenAmount] of [
      ['source', '10.00'],
      ['target', '1.85'],
    ]) {
      const before = { quoteId: 'q', givenSide, ...amounts };
      const data = { ...before, inputs: { givenAmount, ...inputs } };
      expect(current(QuoteIssued, 1, before)).toMatchObject({ version: 2, data });
    }
  });
});
