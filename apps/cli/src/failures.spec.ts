import { PermissionError, PonteApiError, RateLimitError } from '@ponte/sdk';
import { EXIT, failureOf, failureText } from './failures';

const ANSWER = {
  type: 'rate-limit',
  message: 'Too many.',
  details: [],
  requestId: null,
  retryAfterMs: null,
  idempotencyKey: null,
};
const AMOUNT = { code: 'invalid-format', path: 'amount', message: '`amount` must be a positive plain decimal.' };
const ASSET = { code: 'missing-field', path: 'asset', message: '`asset` is required.' };

describe('the text of a failure', () => {
  it('has the message of each violation once', () => {
    expect(
      failureText({
        ...AMOUNT,
        details: [AMOUNT, ASSET],
        requestId: 'r',
        hint: 'Correct it.',
        exit: 4,
        idempotencyKey: null,
      }).split('\n'),
    ).toEqual([
      'error: `amount` must be a positive plain decimal. (invalid-format)',
      '  `asset` is required. (missing-field)',
      'request: r',
      'what to do: Correct it.',
    ]);
  });
});

test.each([
  ['too-many-failed-authentications', EXIT.signIn, 'Check the key'],
  ['rate-limited', EXIT.unavailable, 'Try again later'],
])('a 429 with the code %s ends with exit code %i', (code, exit, hint) => {
  const error = new RateLimitError({ ...ANSWER, status: 429, code });
  expect(failureOf(error)).toMatchObject({ code, exit, hint: expect.stringContaining(hint) as string });
});

test.each([
  ['account-not-active', 'Read the status of the account'],
  ['missing-capability', 'ponte call list-errors'],
])('a 403 with the code %s says what to do', (code, hint) => {
  const error = new PermissionError({ ...ANSWER, type: 'permission', status: 403, code });
  expect(failureOf(error)).toMatchObject({ code, hint: expect.stringContaining(hint) as string });
});

describe('a failure that leaves the outcome of a write unknown', () => {
  const error = (status: number, code: string) =>
    new PonteApiError({ ...ANSWER, status, code, idempotencyKey: 'k1', mayHaveBeenProcessed: true });

  it.each([
    [200, 'unreadable-response', EXIT.unavailable],
    [403, 'account-access-denied', EXIT.unavailable],
    [409, 'idempotency-in-progress', EXIT.unavailable],
    [401, 'revoked-api-key', EXIT.signIn],
  ])('is not a refusal: %i %s', (status, code, exit) => {
    expect(failureOf(error(status, code), true)).toMatchObject({
      exit,
      idempotencyKey: 'k1',
      hint: expect.stringContaining('--idempotency-key k1') as string,
    });
  });
});
