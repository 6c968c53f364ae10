import type { Customer } from './customer';

// Values that occur nowhere else. If one shows up in clear text, it is a leak of the person's data.
export const HOLDER = { name: 'Zebulonia Quixaramobim', taxId: '39053344705', bankAccount: '987654321-0' };
export const STRANGER = { taxId: '74185296355' };
/** A person who is mentioned only in requests that are refused. */
export const PAYER = { name: 'Wolfgangus Xerxesbrandt', taxId: '96325874137', bankAccount: '192837465-5' };
const WORDS = [HOLDER.name, PAYER.name].flatMap((name) => [name, ...name.split(' ')]);
export const CANARIES = [...WORDS, HOLDER.taxId, HOLDER.bankAccount, STRANGER.taxId, PAYER.taxId, PAYER.bankAccount];

const { name, taxId, bankAccount } = PAYER;
/** The payer's tax id with a wrong check digit. */
const wrongDigits = `${taxId.slice(0, 10)}8`;

/** Requests of staff that mention the payer and are refused: path and body. */
export function refusedOfStaff({ accountId }: Customer): readonly [string, object | string][] {
  const person = { alias: 'payer', 'legal-name': name, 'tax-id': taxId };
  const bank = { 'bank-code': '001', 'branch-number': '1', 'account-number': bankAccount };
  return [
    ['/staff/accounts', { ...person, 'tax-id': wrongDigits }],
    ['/staff/accounts', { ...person, alias: `about ${name}` }],
    ['/staff/accounts', { ...person, 'external-id': taxId }],
    ['/staff/accounts', { ...person, 'parent-id': name }],
    ['/staff/accounts', { ...person, 'onboarding-mode': taxId }],
    ['/staff/accounts', { ...person, 'bank-account': { ...bank, 'branch-number': name } }],
    ['/staff/accounts', { ...person, capabilities: [name] }],
    ['/staff/accounts', `{"legal-name":"${name}","tax-id":"${taxId}"`],
    [`/staff/accounts/${taxId}/capabilities`, { grant: ['international-travels'] }],
    [`/staff/accounts/${accountId}/api-keys`, { name: 'x', access: name, 'public-key': taxId }],
    [
      `/staff/accounts/${accountId}/api-keys`,
      { name: 'x', algorithm: 'ES256', 'public-key': `-----BEGIN PRIVATE KEY-----\n${name} ${taxId}` },
    ],
    [`/staff/accounts/${accountId}/api-keys`, { name: 'x', bearer: true, 'ip-allowlist': [bankAccount] }],
    [`/staff/accounts/${accountId}/capabilities`, { grant: [name], revoke: [bankAccount] }],
    [`/staff/accounts/${accountId}/whitelisted-wallets`, { address: name }],
    [`/staff/api-keys/${encodeURIComponent(name)}/revoke`, { reason: 'rotated' }],
  ];
}

/** Requests of partners that mention the payer and are refused: method, path and body. */
export function refusedOfPartners(customer: Customer): readonly [string, string, (object | string)?][] {
  return [
    [
      'POST',
      '/api/v1/sandbox/pix-payments',
      { 'account-id': customer.accountId, amount: '1.00', 'payer-tax-id': wrongDigits },
    ],
    ['POST', '/api/v1/sandbox/pix-payments', { brcode: `${name} ${taxId}`, amount: '1.00' }],
    ['POST', '/api/v1/sandbox/pix-payments', { 'account-id': taxId, amount: name }],
    [
      'POST',
      customer.path('/quotes'),
      { 'source-asset': name, 'target-asset': taxId, 'source-amount': bankAccount, 'rate-lock': name },
    ],
    [
      'POST',
      customer.path('/orders'),
      { 'quote-id': taxId, 'target-wallet-address': name, 'source-payment-method': bankAccount },
    ],
    [
      'POST',
      customer.path('/webhook-endpoints'),
      { url: `http://${taxId}:pass@example.com/${taxId}`, 'event-types': [name] },
    ],
    ['GET', `/api/v1/accounts/${taxId}`],
    ['GET', `/api/v1/accounts/${encodeURIComponent(name)}/orders`],
    ['GET', customer.path(`/orders/${taxId}`)],
    [
      'GET',
      customer.path(`/assets/brl/deposits?cursor=${taxId}&status=${encodeURIComponent(name)}&limit=${bankAccount}`),
    ],
    ['GET', customer.path(`/assets/${taxId}/balance`)],
    ['GET', `/${taxId}`],
    ['PUT', customer.path('/orders'), { name }],
  ];
}
