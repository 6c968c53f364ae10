import { sentenceOf } from './sentence';

describe('a message in a response', () => {
  it.each([
    ['source-amount', 'must be a decimal string', '`source-amount` must be a decimal string.'],
    ['address.state', 'is required', '`address.state` is required.'],
    ['', 'must be a JSON object', 'The request must be a JSON object.'],
  ])('names the field %j if it begins with a verb', (path, message, sentence) =>
    expect(sentenceOf(path, message)).toBe(sentence),
  );

  it.each([
    ['the account is not active', 'The account is not active.'],
    ['The chain is not responding. It is safe to retry.', 'The chain is not responding. It is safe to retry.'],
    ['fiat/brl must be withdrawn by method pix or ted', 'fiat/brl must be withdrawn by method pix or ted.'],
    ['eth-base/usdc has no contract here', 'eth-base/usdc has no contract here.'],
    ['was it cut?', 'Was it cut?'],
  ])('of %j is %j', (message, sentence) => expect(sentenceOf('amount', message)).toBe(sentence));
});
