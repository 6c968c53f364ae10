import { randomInt } from 'node:crypto';
import type { Answer } from '@ponte/sdk';
import { CliError, EXIT } from '../failures';
import type { Session } from '../session';
import { waitFor } from '../wait';
import type { Scenario } from './scenario';

type AccountRequest = Answer<'get-account-request'>['account-request'];

/** An image of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';

/** The next check digit of a CPF: weights from 2 on the right, modulo 11. */
function checkDigit(digits: readonly number[]): number {
  const sum = digits.reduce((total, digit, index) => total + digit * (digits.length + 1 - index), 0);
  const rest = (sum * 10) % 11;
  return rest === 10 ? 0 : rest;
}

/** A valid CPF that begins with the three digits of `prefix`, which determine the decision in the sandbox. */
export function cpfWith(prefix: string): string {
  const digits = [...`${prefix}${String(randomInt(1_000_000)).padStart(6, '0')}`].map(Number);
  digits.push(checkDigit(digits));
  digits.push(checkDigit(digits));
  return digits.join('');
}

async function request({ ponte, signal }: Session, cpf: string): Promise<AccountRequest> {
  const upload = async (purpose: 'document-front' | 'document-back'): Promise<string> => {
    const body = {
      'file-name': `${purpose}.png`,
      'content-type': 'image/png',
      'content-base64': PNG,
      purpose,
    } as const;
    return (await ponte.uploadFile(body, { signal })).file.id;
  };
  const [front, back] = [await upload('document-front'), await upload('document-back')];
  const answer = await ponte.createAccountRequest(
    {
      identifier: { value: cpf, country: 'BRA' },
      'tax-residence': 'BRA',
      'reward-tier': 90,
      'first-name': 'Joana',
      'last-name': 'Lima',
      email: 'joana@example.com',
      phone: '+55 11 91234-5678',
      'date-of-birth': '1990-05-17',
      'mother-full-name': 'Maria Lima',
      address: {
        'postal-code': '01310-100',
        line1: 'Avenida Paulista 1000',
        city: 'São Paulo',
        state: 'SP',
        country: 'BRA',
      },
      document: { type: 'rg', 'front-file-id': front, 'back-file-id': back },
      liveness: { id: `session-${cpf}`, provider: 'provider-1' },
      pep: { declared: false },
      'financial-profile': { sector: 'other', currency: 'BRL', 'monthly-income': 8500, 'source-of-funds': ['salary'] },
    },
    { signal },
  );
  return answer['account-request'];
}

const scenario = (
  name: string,
  description: string,
  prefix: string,
  done: (one: AccountRequest) => boolean,
): Scenario => ({
  name,
  description,
  async run(session, _, report) {
    const { ponte, signal } = session;
    const { id } = await request(session, cpfWith(prefix));
    const read = async () => (await ponte.getAccountRequest(id, { signal }))['account-request'];
    const ended = (one: AccountRequest): boolean =>
      done(one) || ['active', 'rejected', 'cancelled', 'expired'].includes(one.status);
    const found = await waitFor('the account request', read, ended, signal);
    report({
      did: 'account-request',
      id,
      state: `${found.status}${found.status === 'pending' ? ` (${found['review-stage']})` : ''}`,
    });
    if (found.status === 'active') report({ did: 'account', id: found['account-id'], state: 'active' });
    if (!done(found))
      throw new CliError(
        'scenario-failed',
        `The account request is ${found.status}.`,
        `To see why, run: ponte call get-account-request --param id=${id}.`,
        EXIT.notVerified,
      );
  },
});

/** Onboarding scenarios, under the partner of the key. */
export const KYC_SCENARIOS: readonly Scenario[] = [
  scenario(
    'kyc-approved',
    'an account is requested for a person and is approved',
    '900',
    ({ status }) => status === 'active',
  ),
  scenario(
    'kyc-rejected',
    'an account is requested for a person, and the request is rejected',
    '901',
    ({ status }) => status === 'rejected',
  ),
  scenario(
    'kyc-information-requested',
    'an account is requested for a person, and information is requested',
    '902',
    (one) => one['review-stage'] === 'information-requested',
  ),
];
