import 'reflect-metadata';
import { CHILD, PARTNER } from '../testing/accounts';
import { codeOf } from '../testing/use-gateway';
import { SAMPLE } from '../api/samples';
import { ORDERS, QUOTE, QUOTES, errorOf, gateway, post, useTestGateway } from './testing/edge-requests';

useTestGateway();

const id = SAMPLE.quoteId;

describe('bad input gets an error of the catalogue with a path to each violation, and no request is sent to a service', () => {
  it.each<[string, string, unknown, string, string[]]>([
    ['an empty object', QUOTES, {}, '400 missing-field', ['source-asset missing-field', 'target-asset missing-field']],
    [
      'a number for an amount',
      QUOTES,
      { ...QUOTE, 'source-amount': 100 },
      '400 amount-must-be-string',
      ['source-amount amount-must-be-string'],
    ],
    [
      'an amount with an exponent',
      QUOTES,
      { ...QUOTE, 'source-amount': '1e2' },
      '400 invalid-format',
      ['source-amount invalid-format'],
    ],
    [
      'an amount with 19 digits before the decimal point',
      QUOTES,
      { ...QUOTE, 'source-amount': '1'.repeat(19) },
      '400 invalid-format',
      ['source-amount invalid-format'],
    ],
    [
      'an amount of 81 characters',
      QUOTES,
      { ...QUOTE, 'source-amount': '1.'.padEnd(81, '0') },
      '400 invalid-format',
      ['source-amount invalid-format'],
    ],
    [
      'an unknown trade reason of an FX quote',
      QUOTES,
      { ...QUOTE, 'target-asset': 'eth-base/usdc', 'trade-reason': 'other' },
      '400 invalid-enum-value',
      ['trade-reason invalid-enum-value'],
    ],
    [
      'a trade reason that is not a string',
      QUOTES,
      { ...QUOTE, 'trade-reason': 1 },
      '400 invalid-type',
      ['trade-reason invalid-type'],
    ],
    [
      'an unknown asset',
      QUOTES,
      { ...QUOTE, 'source-asset': 'fiat/eur' },
      '400 invalid-enum-value',
      ['source-asset invalid-enum-value'],
    ],
    [
      'server fields',
      QUOTES,
      { ...QUOTE, id, state: 'completed', 'account-id': PARTNER },
      '400 unknown-field',
      ['id unknown-field', 'state unknown-field', 'account-id unknown-field'],
    ],
    [
      'camelCase',
      QUOTES,
      { sourceAsset: 'fiat/brl', targetAsset: 'eth-base/brlv' },
      '400 missing-field',
      [
        'source-asset missing-field',
        'target-asset missing-field',
        'sourceAsset unknown-field',
        'targetAsset unknown-field',
      ],
    ],
    [
      'null in a required field',
      QUOTES,
      { ...QUOTE, 'source-asset': null, 'target-amount': null },
      '400 invalid-type',
      ['source-asset invalid-type'],
    ],
    ['a list', QUOTES, [QUOTE], '400 invalid-type', [' invalid-type']],
    ['null', QUOTES, null, '400 invalid-type', [' invalid-type']],
    ['a string', QUOTES, 'text', '400 invalid-type', [' invalid-type']],
    ['a malformed quote id', ORDERS, { 'quote-id': 'x' }, '400 invalid-format', ['quote-id invalid-format']],
    [
      'a malformed wallet',
      ORDERS,
      { 'quote-id': id, 'target-wallet-address': '0x12' },
      '400 invalid-format',
      ['target-wallet-address invalid-format'],
    ],
    [
      'another method of payment',
      ORDERS,
      { 'quote-id': id, 'source-payment-method': 'card' },
      '400 invalid-enum-value',
      ['source-payment-method invalid-enum-value'],
    ],
    [
      'the same in v0',
      '/api/v0/orders',
      { 'quote-id': id, 'source-payment-method': 'card' },
      '400 invalid-enum-value',
      ['source-payment-method invalid-enum-value'],
    ],
    [
      'an unknown event',
      `/api/v1/accounts/${CHILD}/webhook-endpoints`,
      { url: 'https://a.example', 'event-types': ['order-completed', 'order-exploded'] },
      '400 invalid-enum-value',
      ['event-types[1] invalid-enum-value'],
    ],
    [
      'a body for a ping',
      `/api/v1/accounts/${CHILD}/webhook-endpoints/${SAMPLE.endpointId}/ping`,
      { loud: true },
      '400 unknown-field',
      ['loud unknown-field'],
    ],
  ])('%s', async (_, url, body, code, details) => {
    const before = gateway.bus.requests.length;
    const answer = await post(url, body);
    expect(codeOf(answer)).toBe(code);
    expect(errorOf(answer).details?.map((violation) => `${violation.path} ${violation.code}`)).toEqual(details);
    expect(gateway.bus.requests.slice(before).filter(({ pattern }) => !pattern.startsWith('onboarding.query'))).toEqual(
      [],
    );
  });

  it('names the field in a complete sentence, in the error as in its details', async () => {
    const { message, details } = errorOf(await post(QUOTES, { ...QUOTE, 'source-amount': 100, extra: 1 }));
    const amount = '`source-amount` must be a decimal string such as "100.00", not a JSON number.';
    expect(message).toBe(amount);
    expect(details?.map((violation) => violation.message)).toEqual([
      amount,
      '`extra` is not accepted by this operation.',
    ]);
  });

  it.each([
    ['empty', ''],
    ['not ASCII', 'ch\u00e1ve'],
    ['too long', 'k'.repeat(256)],
  ])(
    'an idempotency key that is %s is reported with the violations of the other header and of the body',
    async (_, sent) => {
      const headers = { 'idempotency-key': sent, prefer: 'dry-run=true' };
      const { code, message, details } = errorOf(await post(QUOTES, { ...QUOTE, extra: 1 }, headers));
      expect([code, message]).toEqual(['invalid-format', '`Prefer` must be dry-run without a value.']);
      expect(details?.map((violation) => `${violation.path} ${violation.code}`)).toEqual([
        'Prefer invalid-format',
        'Idempotency-Key invalid-format',
        'extra unknown-field',
      ]);
    },
  );

  it('an idempotency key is not checked where it has no effect: for a dry run', async () => {
    const answer = await post(QUOTES, QUOTE, { 'idempotency-key': '', prefer: 'dry-run' });
    expect([answer.statusCode, answer.headers['preference-applied']]).toEqual([200, 'dry-run']);
  });
});
