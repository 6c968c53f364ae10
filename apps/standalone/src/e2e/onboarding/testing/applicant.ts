import { cpfOf } from '../../../../../onboarding/src/testing/people';
import type { Client, Json } from '../../testing/client';

/** Values that occur nowhere else. The sandbox approves this CPF automatically. */
const PERSON = {
  cpf: '90012345695',
  firstName: 'Quixotilda',
  lastName: 'Zarabatanova',
  email: 'quixotilda@zwitscher.example',
  phone: '+55 31 98887-1717',
  mother: 'Ermengundis Wolfensbrandt',
  birth: '1971-03-29',
  street: 'Travessa Xilindrau 4711',
  postalCode: '69945-123',
  session: 'session-of-quixotilda',
};
/** The person above with an own tax id, wallets and liveness session. */
export interface Applicant {
  readonly cpf: string;
  readonly session: string;
  readonly wallets: readonly string[];
}
const FIRST_CPF = 900_123_457;
const hex = (number: number): string => number.toString(16).padStart(40, '0');
/** Applicant number `at`. The sandbox approves each of them automatically. */
export const applicant = (at: number): Applicant =>
  at === 0
    ? { cpf: PERSON.cpf, session: PERSON.session, wallets: [`0x${hex(0xa1)}`, `0x${hex(0xa2)}`] }
    : {
        cpf: cpfOf(FIRST_CPF + at),
        session: `${PERSON.session}-${at}`,
        wallets: [`0x${hex(0xa00 + at)}`, `0x${hex(0xb00 + at)}`],
      };

/** Personal values that must not be found in clear text anywhere. */
export const canariesOf = ({ cpf, session }: Applicant): string[] => [...Object.values(PERSON), cpf, session];

export const REQUESTS = '/api/v1/accounts/kyc/individual';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Uploads a picture and returns the body of the account request. */
export async function person(partner: Client, { cpf, session, wallets }: Applicant): Promise<Json> {
  const { file } = await partner.post<{ file: { id: string } }>('/api/v1/accounts/files', {
    'content-base64': PNG,
    purpose: 'document-front',
  });
  return {
    identifier: { value: cpf, country: 'BRA' },
    'tax-residence': 'BRA',
    'reward-tier': 90,
    'first-name': PERSON.firstName,
    'last-name': PERSON.lastName,
    email: PERSON.email,
    phone: PERSON.phone,
    'date-of-birth': PERSON.birth,
    'mother-full-name': PERSON.mother,
    address: { 'postal-code': PERSON.postalCode, line1: PERSON.street, city: 'Manaus', state: 'AM', country: 'BRA' },
    document: { type: 'cnh', 'front-file-id': file.id },
    liveness: { id: session, provider: 'provider-1' },
    pep: { declared: false },
    'financial-profile': { sector: 'other', currency: 'BRL', 'monthly-income': 8500.5 },
    'external-wallets': wallets,
  };
}

/**
 * Sends the request and several invalid variants. Returns the responses with labels, to be searched for personal data.
 */
export async function responsesToVariants(
  partner: Client,
  { cpf }: Applicant,
  body: Json,
): Promise<[string, string][]> {
  const wrong: Json[] = [
    { ...body, identifier: { value: `${cpf}1`, country: 'BRA' } },
    { ...body, identifier: { value: '11144477735', country: 'BRA' }, 'date-of-birth': PERSON.firstName },
    {
      ...body,
      identifier: { value: '11144477735', country: 'BRA' },
      phone: PERSON.email,
      'external-id': PERSON.lastName,
    },
    { ...body, address: PERSON.street, document: { type: PERSON.mother }, pep: PERSON.email },
  ];
  const refused = await Promise.all(
    wrong.map(async (one, at): Promise<[string, string]> => [
      `refusal ${at}`,
      (await partner.send('POST', REQUESTS, one)).text,
    ]),
  );
  return [...refused, ['request', (await partner.send('POST', REQUESTS, body)).text]];
}
