import 'reflect-metadata';
import { KYC_EXAMPLE } from './onboarding.examples';
import { KYC, faultsOf, post, useTestGateway } from './testing/onboarding-requests';

useTestGateway();

describe('an account request with names', () => {
  it('that have invisible characters or no letter is refused', async () => {
    const answer = await post(KYC, {
      ...KYC_EXAMPLE,
      'first-name': '\u200b',
      'last-name': 'Li\u3164ma',
      'mother-full-name': '--',
      pep: { declared: true, 'full-name': 'Ma\u2800ria', role: 'B', relationship: 'self' },
      representative: { 'first-name': 'Pau\u00adlo', 'last-name': '\u115f' },
    });
    expect(answer.statusCode).toBe(400);
    expect(faultsOf(answer)).toEqual(
      expect.arrayContaining([
        'first-name invalid-format',
        'last-name invalid-format',
        'mother-full-name invalid-format',
        'pep.full-name invalid-format',
        'representative.first-name invalid-format',
        'representative.last-name invalid-format',
      ]),
    );
  });
});
