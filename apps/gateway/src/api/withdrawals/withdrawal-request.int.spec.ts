import 'reflect-metadata';
import { CHILD } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import { useGateway } from '../../testing/use-gateway';
import { SAMPLE } from '../samples';

const gateway = useGateway();

const TED = {
  method: 'ted',
  amount: '10.00',
  'bank-code': '756',
  'branch-number': '1',
  'account-number': '123456-7',
  'account-holder-name': 'Ana Duarte',
  'account-holder-tax-id': '52998224725',
};

async function refused(url: string, payload: object): Promise<string[]> {
  const headers = { authorization: `Bearer ${KEY.partner}` };
  const answer = await gateway.app.inject({ method: 'POST', url, headers, payload });
  const { error } = answer.json() as { error: { details?: { code: string; path: string }[] } };
  return [String(answer.statusCode), ...(error.details ?? []).map(({ code, path }) => `${code} ${path}`)];
}

describe.each<[string, object]>([
  [`/api/v1/accounts/${CHILD}/withdrawals`, { asset: 'fiat/brl' }],
  ['/api/v0/assets/brl/withdrawals', {}],
])('POST %s', (url, more) => {
  it.each(['constructor', 'toString', '__proto__', 'other'])('refuses the method %s', async (method) => {
    const body = { ...more, method, amount: '10.00', 'pix-key': SAMPLE.pixKey };
    expect(await refused(url, body)).toEqual(['400', 'invalid-enum-value method']);
  });

  it('requires a method that can pay BRL', async () => {
    expect(await refused(url, { ...more, amount: '1.00' })).toEqual(['400', 'missing-field method']);
    expect(await refused(url, { ...more, amount: '1.00', 'pix-key': SAMPLE.pixKey })).toEqual([
      '400',
      'missing-field method',
    ]);
  });

  // Staff see the name, and the bank gets it.
  it.each(['Ana\u0000 Duarte', 'Ana\nDuarte', '\u202eetraud', '\ud800', '\u200b', '!', '  '])(
    'refuses an account holder named %j',
    async (name) =>
      expect(await refused(url, { ...more, ...TED, 'account-holder-name': name })).toEqual([
        '400',
        'invalid-format account-holder-name',
      ]),
  );
});

describe('a withdrawal whose asset is not known', () => {
  const url = `/api/v1/accounts/${CHILD}/withdrawals`;

  it.each([
    [{}, ['missing-field asset', 'missing-field amount']],
    [{ amount: '1.00', 'pix-key': SAMPLE.pixKey }, ['missing-field asset']],
    [{ amount: '1.00', asset: 'bogus', 'pix-key': SAMPLE.pixKey }, ['invalid-enum-value asset']],
  ])('is not judged as one of tokens: %j', async (body, violations) => {
    expect(await refused(url, body)).toEqual(['400', ...violations]);
  });
});

describe('the withdrawal of BRL in v0', () => {
  const url = '/api/v0/assets/brl/withdrawals';

  it('does not mention tokens', async () => {
    const body = { method: 'token', amount: '1.00', 'destination-wallet-address': SAMPLE.wallet };
    expect(await refused(url, {})).toEqual(['400', 'missing-field method', 'missing-field amount']);
    expect(await refused(url, body)).toEqual([
      '400',
      'invalid-enum-value method',
      'unknown-field destination-wallet-address',
    ]);
    expect(await refused(url, { ...body, method: 'pix', 'pix-key': SAMPLE.pixKey })).toEqual([
      '400',
      'unknown-field destination-wallet-address',
    ]);
  });
});
