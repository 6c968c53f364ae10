import type { Recorded } from '@ponte/event-sourcing';
import type { Customer } from '../../e2e/testing/customer';
import type { Acknowledged } from './answered';
import type { Evidence } from './faults';
import { faultsOf } from './faults';

const ACCOUNT = 'a1';
const PARTNER = 'p1';
const ORDER = 'o1';
const MINT = { to: '0xAb', amount: '1.000000000000000000' };

const recorded = (stream: string, type: string, data: object): Recorded =>
  ({
    id: `${stream} ${type}`,
    stream,
    revision: 0,
    position: type,
    type,
    version: 1,
    data,
    meta: {},
  }) as unknown as Recorded;
const posting = (account: string, asset: string, amount: string) => ({ account, asset, amount });
const envelope = (eventId: string, sequence = 1) =>
  recorded(`outbox-${PARTNER}`, 'EnvelopePublished', {
    envelope: { eventId, eventType: 'order-completed', resourceId: ORDER, sequence },
  });

/** The correct log of one order. */
const LOG: readonly Recorded[] = [
  recorded('ledgerAccount-a1', 'DepositPosted', {
    postings: [posting(`customer:${ACCOUNT}`, 'fiat/brl', '5.00'), posting('house:settlement', 'fiat/brl', '-5.00')],
  }),
  recorded('ledgerAccount-a1', 'HoldPlaced', { hold: { holdId: 'h1' } }),
  recorded('order-o1', 'OrderPlaced', { orderId: ORDER }),
  recorded('chainTransaction-t1', 'TransactionIntended', { purpose: { orderId: ORDER, ...MINT } }),
  recorded('ledgerAccount-a1', 'ExchangePosted', {
    orderId: ORDER,
    holdId: 'h1',
    postings: [
      posting(`customer:${ACCOUNT}`, 'fiat/brl', '-1.00'),
      posting('house:reserve', 'fiat/brl', '1.00'),
      posting(`customer:${ACCOUNT}`, 'eth-base/brlv', '1.000000000000000000'),
      posting('house:issued', 'eth-base/brlv', '-1.000000000000000000'),
    ],
  }),
  recorded('order-o1', 'OrderCompleted', { orderId: ORDER }),
  envelope('e1'),
];
const acknowledged = (request: number, orderId = ORDER): Acknowledged => ({
  request,
  orderId,
  customer: {} as Customer,
  key: `k${request}`,
  quoteId: `q${request}`,
  members: {},
  sentAt: 0,
  at: 1,
  text: '',
});
const delivery = (webhookIds: readonly string[] = ['w1'], bodies: readonly string[] = ['{}']) => ({
  webhookIds: new Set(webhookIds),
  bodies: new Set(bodies),
  times: 2,
});
const balance = (amount: string, held = false) => ({
  running: amount,
  available: held ? '0.00' : amount,
  held: '0.00',
});
const FINE: Evidence = {
  log: LOG,
  load: { acknowledged: [acknowledged(0)], refused: [], lost: [] },
  listener: { delivered: new Map([['e1', delivery()]]), refused: [] },
  before: new Set(),
  partnerId: PARTNER,
  balances: new Map([[ACCOUNT, { brl: balance('4.00'), brlv: balance('1.000000000000000000') }]]),
  mints: [{ to: '0xab', amount: '1' }],
};
const without = (type: string): readonly Recorded[] => LOG.filter((event) => event.type !== type);

describe('the check of a chaos run finds', () => {
  it('no fault in correct evidence', () => expect(faultsOf(FINE)).toEqual([]));

  it.each<[string, Partial<Evidence>, RegExp]>([
    [
      'an acknowledged order that is not in the log',
      { log: without('OrderPlaced') },
      /OrderPlaced of order o1 is 0 times/,
    ],
    ['an order that never ended', { log: without('OrderCompleted') }, /OrderCompleted of order o1 is 0 times/],
    [
      'a mint that was intended twice',
      {
        log: [...LOG, recorded('chainTransaction-t2', 'TransactionIntended', { purpose: { orderId: ORDER, ...MINT } })],
      },
      /TransactionIntended of order o1 is 2 times/,
    ],
    ['a mint that the chain does not have', { mints: [] }, /has 1 mints of 1 BRLV to 0xab too few/],
    [
      'a mint that the chain has twice',
      { mints: [...(FINE.mints ?? []), ...(FINE.mints ?? [])] },
      /has 1 mints of 1 BRLV to 0xab too many/,
    ],
    [
      'a mint of another amount',
      { mints: [{ to: '0xab', amount: '1.000000000000000001' }] },
      /1.000000000000000001 BRLV to 0xab too many/,
    ],
    [
      'an order that was not acknowledged',
      { log: [...LOG, recorded('order-o2', 'OrderPlaced', { orderId: 'o2' })] },
      /o2, which was not acknowledged/,
    ],
    [
      'an order that answered two keys',
      { load: { acknowledged: [acknowledged(0), acknowledged(1)], refused: [], lost: [] } },
      /the answer to commands 0 and 1/,
    ],
    ['a command without an end', { load: { ...FINE.load, lost: ['command 7'] } }, /no final answer: command 7/],
    ['a refusal', { load: { ...FINE.load, refused: [{ quoteId: 'q', answer: 'HTTP 422' }] } }, /refused: HTTP 422/],
    [
      'books that do not sum to zero',
      {
        log: [
          recorded('ledgerAccount-a1', 'DepositPosted', {
            postings: [posting('house:settlement', 'fiat/brl', '0.01')],
          }),
          ...LOG,
        ],
      },
      /do not sum to zero at DepositPosted/,
    ],
    [
      'a hold that stays open',
      { log: [...LOG, recorded('ledgerAccount-a1', 'HoldPlaced', { hold: { holdId: 'h2' } })] },
      /hold h2 is still open/,
    ],
    [
      'a balance that differs from its postings',
      { balances: new Map([[ACCOUNT, { brl: balance('5.00'), brlv: balance('1.000000000000000000') }]]) },
      /has 4.00 fiat\/brl by its postings/,
    ],
    [
      'a balance that is not all available',
      { balances: new Map([[ACCOUNT, { brl: balance('4.00', true), brlv: balance('1.000000000000000000') }]]) },
      /has 4.00 fiat\/brl by its postings/,
    ],
    ['a webhook that never arrived', { listener: { delivered: new Map(), refused: [] } }, /never arrived/],
    [
      'an event that was published twice',
      {
        log: [...LOG, envelope('e2')],
        listener: {
          delivered: new Map([
            ['e1', delivery()],
            ['e2', delivery(['w2'])],
          ]),
          refused: [],
        },
      },
      /is published as e1 and e2/,
    ],
    [
      'a webhook under two ids',
      { listener: { delivered: new Map([['e1', delivery(['w1', 'w2'])]]), refused: [] } },
      /two webhook-ids/,
    ],
    [
      'a webhook with two bodies',
      { listener: { delivered: new Map([['e1', delivery(['w1'], ['{}', '{"a":1}'])]]), refused: [] } },
      /two bodies/,
    ],
    [
      'a webhook without a valid signature',
      { listener: { ...FINE.listener, refused: ['webhook e1'] } },
      /no valid signature: webhook e1/,
    ],
  ])('%s', (_what, planted, reported) => expect(faultsOf({ ...FINE, ...planted }).join('\n')).toMatch(reported));

  it('no fault in orders from before the load', () => {
    expect(
      faultsOf({
        ...FINE,
        log: [...LOG, recorded('order-o2', 'OrderPlaced', { orderId: 'o2' })],
        before: new Set(['o2']),
      }),
    ).toEqual([]);
  });
});
