import { HOLDER } from './chain-under-test.testing';
import { parseDeployment, tokensOn } from './deployment';
import { simulatedDeployment } from './simulated/simulated-deployment';

describe('a configured deployment', () => {
  const CONTRACT = 'must be the address of a contract: 0x and 40 hexadecimal digits, not all zero,';

  it('is read when every address and asset is right', () => {
    const { minter, custody, tokens } = simulatedDeployment('tempo');
    expect(parseDeployment('tempo', { minter, custody, tokens })).toEqual({ chain: 'tempo', minter, custody, tokens });
  });

  it.each([
    [null, 'the document must be a JSON object'],
    [{ minter: HOLDER }, 'tokens must be a JSON object'],
    [{ tokens: {} }, `minter ${CONTRACT}`],
    [{ minter: '0x12', tokens: {} }, `minter ${CONTRACT}`],
    [{ minter: HOLDER, tokens: {} }, `custody ${CONTRACT}`],
    [
      { minter: HOLDER, custody: HOLDER, tokens: { 'eth-base/brlv': HOLDER } },
      `eth-base/brlv is not a token on tempo; use one of ${tokensOn('tempo').join(', ')}`,
    ],
    [{ minter: HOLDER, custody: HOLDER, tokens: { 'tempo/brlv': 7 } }, `tempo/brlv ${CONTRACT}`],
  ])('is refused with the invalid field and what is accepted: %j', (json, finding) => {
    expect(() => parseDeployment('tempo', json)).toThrow(`deployment on tempo: ${finding}`);
  });
});
