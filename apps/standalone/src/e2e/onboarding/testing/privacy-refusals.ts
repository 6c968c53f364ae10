import type { Client, Json } from '../../testing/client';
import type { PrivacyUnderTest } from './privacy-under-test';
import { REQUESTS } from './privacy-under-test';
import { PNG, REJECTED_PERSON } from './privacy-people';

const { cpf, firstName, lastName, email, phone, mother, birth, line1 } = REJECTED_PERSON;

/** Account requests with the data of the rejected person that are refused. Each is a variation of `valid`. */
export function refusedRequests(valid: Json): readonly Json[] {
  const invalid: Json = {
    ...valid,
    identifier: { value: cpf, country: 'BRA' },
    'first-name': firstName,
    'last-name': lastName,
    email,
    phone,
    'date-of-birth': birth,
    'mother-full-name': mother,
  };
  return [
    { ...invalid, identifier: { value: `${cpf}1`, country: 'BRA' } },
    { ...invalid, identifier: { value: cpf, country: firstName } },
    { ...invalid, 'date-of-birth': firstName },
    { ...invalid, phone: email, email: phone },
    { ...invalid, 'external-id': cpf },
    { ...invalid, 'external-id': `of-${lastName}` },
    { ...invalid, address: line1, document: { type: mother }, pep: email },
    { ...invalid, 'external-wallets': [line1] },
    {
      ...invalid,
      'external-wallets': [
        { address: `0x${'a'.repeat(40)}`, 'custody-type': 'self', proof: { message: firstName, signature: cpf } },
      ],
    },
    { ...invalid, liveness: { id: mother, provider: lastName } },
    { ...invalid, document: { type: 'cnh', 'front-file-id': cpf } },
    { ...invalid, [email]: cpf },
    { ...invalid, 'reward-tier': cpf },
    { ...invalid, representative: { 'first-name': firstName } },
  ];
}

/** A request that is refused: caller, method, path and body. */
type Refused = readonly [Client, string, string, Json?];

/** Other requests with the data of the rejected person that are refused. */
export function otherRefusals(underTest: PrivacyUnderTest, id: string): readonly Refused[] {
  const { partner, reliance } = underTest;
  const by = (staff: string) => underTest.by(staff);
  return [
    [
      partner,
      'POST',
      '/api/v1/accounts/files',
      {
        'content-base64': Buffer.from(`${firstName} ${lastName}`).toString('base64'),
        'file-name': `${firstName}.png`,
        purpose: 'other',
      },
    ],
    [partner, 'POST', '/api/v1/accounts/files', { 'content-base64': PNG, purpose: mother }],
    [partner, 'GET', `${REQUESTS}/${cpf}`],
    [partner, 'POST', `${REQUESTS}/${encodeURIComponent(email)}/cancel`, {}],
    [partner, 'POST', `${REQUESTS}/${id}/information`, { note: 1, document: { type: mother, 'front-file-id': cpf } }],
    [
      reliance,
      'POST',
      '/api/v1/accounts/reliance',
      { identifier: { value: cpf, country: lastName }, 'tax-document-type': mother },
    ],
    [partner, 'POST', `/api/v1/sandbox/account-requests/${cpf}/decision`, { decision: firstName, reason: lastName }],
    [by('analyst'), 'POST', `/staff/v1/account-requests/${cpf}/case`, { purpose: 'review', note: mother }],
    [by('analyst'), 'POST', `/staff/v1/account-requests/${id}/case`, { purpose: mother, note: cpf }],
    [by('analyst'), 'POST', `/staff/v1/account-requests/${id}/reject`, { version: 1, reason: lastName, note: mother }],
    [by('analyst'), 'GET', `/staff/v1/account-requests?partner=${cpf}&stage=${firstName}`],
    [by('analyst'), 'GET', `/staff/v1/account-requests/${id}/files/${cpf}?purpose=review`],
    [by('approver-1'), 'POST', '/staff/v1/erasures/preparation', { 'account-request-id': email }],
    [by('operator'), 'POST', `/staff/v1/accounts/${cpf}/whitelisted-wallets`, { address: firstName }],
    [by('analyst'), 'POST', '/staff/v1/session', { name: email, password: mother }],
  ];
}
