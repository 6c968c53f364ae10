import { failureText } from './failures';

const AMOUNT = { code: 'invalid-format', path: 'amount', message: '`amount` must be a positive plain decimal.' };
const ASSET = { code: 'missing-field', path: 'asset', message: '`asset` is required.' };

describe('the text of a failure', () => {
  it('has the message of each violation once', () => {
    expect(
      failureText({ ...AMOUNT, details: [AMOUNT, ASSET], requestId: 'r', hint: 'Correct it.', exit: 4 }).split('\n'),
    ).toEqual([
      'error: `amount` must be a positive plain decimal. (invalid-format)',
      '  `asset` is required. (missing-field)',
      'request: r',
      'what to do: Correct it.',
    ]);
  });
});
