import { StaffApiUnderTest } from '../testing/staff-api-under-test';

const api = new StaffApiUnderTest();
const PENDING = {
  request: 3,
  step: 'freeze',
  reason: 'sanctions',
  evidence: 'Ticket 1',
  'requested-by': { id: 's', name: 'analyst' },
  'requested-at': '2026-11-20T12:00:00.000Z',
};

it('signs a staff member in for one freeze step and out again, without the staff token of the installation', async () => {
  api.soon({ session: { 'csrf-token': 'c' } });
  api.soon({ account: { id: 'a', status: 'active', 'pending-step': 'freeze', pending: PENDING } });
  api.soon({});
  const by = ['--account', 'a', '--as', 'analyst', '--password', 'p'];
  expect(await api.shownBy('account', 'freeze', ...by, '--reason', 'sanctions', '--evidence', 'Ticket 1')).toEqual({
    'account-id': 'a',
    status: 'active',
    'pending-step': 'freeze',
    request: 3,
    reason: 'sanctions',
    evidence: 'Ticket 1',
    'requested-by': 'analyst',
    'requested-at': PENDING['requested-at'],
  });
  expect(api.heard.map(({ method, url, authorization, body }) => [method, url, authorization, body])).toEqual([
    ['POST', '/staff/v1/session', '', { name: 'analyst', password: 'p' }],
    ['POST', '/staff/v1/accounts/a/freeze', '', { reason: 'sanctions', evidence: 'Ticket 1' }],
    ['DELETE', '/staff/v1/session', '', undefined],
  ]);
  api.soon({ error: { code: 'sign-in-refused', message: 'no' } }, 401);
  expect(await api.run(['account', 'confirm-freeze', ...by, '--request', '3'])).toMatchObject({
    code: 1,
    err: ['refused: no (sign-in-refused)'],
  });
});

it('sends each step of freezing, releasing and closing to its own route', async () => {
  const by = ['--account', 'a', '--as', 'analyst', '--password', '@file'];
  const request = ['--reason', 'resolved', '--evidence', '@file'];
  for (const line of [
    ['account', 'release', ...by, ...request],
    ['account', 'close', ...by, '--reason', 'holder-request', '--evidence', '@file'],
    ['account', 'confirm-close', ...by, '--request', '6'],
    ['account', 'confirm-freeze', ...by, '--request', '3'],
    ['account', 'confirm-release', ...by, '--request', '4'],
    ['account', 'close-freeze-request', ...by, '--request', '5'],
    ['account', 'freeze-standing', ...by],
    ['account', 'freeze-standing', ...by, '--purpose', 'legal-request'],
  ]) {
    api.soon({ session: { 'csrf-token': 'c' } });
    api.soon({ account: { id: 'a', status: 'active', 'pending-step': null, pending: null } });
    api.soon({});
    await api.shownBy(...line);
  }
  const steps = api.heard.filter(({ url }) => url.startsWith('/staff/v1/accounts/a/'));
  expect(steps.map(({ url, body }) => [url.slice('/staff/v1/accounts/a/'.length), body])).toEqual([
    ['release', { reason: 'resolved', evidence: 'P' }],
    ['close', { reason: 'holder-request', evidence: 'P' }],
    ['close/confirm', { request: 6 }],
    ['freeze/confirm', { request: 3 }],
    ['release/confirm', { request: 4 }],
    ['freeze-request/close', { request: 5 }],
    ['standing?purpose=review', undefined],
    ['standing?purpose=legal-request', undefined],
  ]);
});

it('does not send a freeze decision that names no request', async () => {
  const by = ['--account', 'a', '--as', 'approver', '--password', 'p'];
  for (const verb of ['confirm-freeze', 'confirm-release', 'confirm-close', 'close-freeze-request'])
    for (const named of [[], ['--request', '0'], ['--request', 'latest']]) {
      const { code, err } = await api.run(['account', verb, ...by, ...named]);
      expect([code, err[0]]).toEqual([2, expect.stringContaining('--request')]);
    }
  expect(api.heard).toEqual([]);
});

it('lists address reviews and decides one as a staff member who signs in', async () => {
  const review = {
    id: 'r',
    version: 'v',
    subject: 'transfer',
    'subject-id': 't',
    'account-id': 'a',
    address: '0x5a',
    asset: 'eth-base/brlv',
    amount: '12.5',
    outcome: 'waits',
    'held-at': '2026-11-20T12:00:00.000Z',
    verdicts: [],
  };
  const by = ['--as', 'approver', '--password', 'p'];
  api.soon({ session: { 'csrf-token': 'c' } });
  api.soon({ 'address-reviews': [review] });
  api.soon({});
  expect(await api.shownBy('address-review', 'list', ...by)).toEqual([
    expect.objectContaining({ 'review-id': 'r', version: 'v', subject: 'transfer', amount: '12.5', verdicts: 0 }),
  ]);
  api.soon({ session: { 'csrf-token': 'c' } });
  api.soon({ 'address-review': { ...review, outcome: 'refused', verdicts: [{}] } });
  api.soon({});
  const decide = [
    'address-review',
    'decide',
    ...by,
    '--review',
    'r',
    '--read',
    'v',
    '--verdict',
    'true-match',
    '--reason',
    'Ticket 1',
  ];
  expect(await api.shownBy(...decide)).toMatchObject({ outcome: 'refused', verdicts: 1 });
  expect(api.heard.find(({ url }) => url.endsWith('/verdict'))?.body).toEqual({
    version: 'v',
    verdict: 'true-match',
    reason: 'Ticket 1',
  });
  expect(api.heard.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /staff/v1/session',
    'GET /staff/v1/address-reviews',
    'DELETE /staff/v1/session',
    'POST /staff/v1/session',
    'POST /staff/v1/address-reviews/r/verdict',
    'DELETE /staff/v1/session',
  ]);
});

it('lists a page of refused payouts as a staff member who signs in', async () => {
  const payout = {
    ...{ 'withdrawal-id': 'w', 'account-id': 'a', 'order-id': null, status: 'made', method: 'pix', asset: 'fiat/brl' },
    ...{ amount: '100.00', reason: 'bank-refused', 'rolled-back-at': '2026-11-20T12:00:00.000Z' },
    ...{ 'check-again-at': null, 'end-to-end-id': 'E1', 'posted-at': '2026-11-21T12:00:00.000Z' },
  };
  const line = ['refused-payout', 'list', '--as', 'operator', '--password', 'p'];
  api.soon({ session: { 'csrf-token': 'c' } });
  api.soon({ 'refused-payouts': [payout] }, 200, 'after');
  api.soon({});
  expect(await api.shownBy(...line, '--status', 'made', '--limit', '10', '--cursor', 'before')).toEqual({
    'refused-payouts': [payout],
    'next-cursor': 'after',
  });
  expect(api.heard.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /staff/v1/session',
    'GET /staff/v1/refused-payouts?limit=10&status=made&cursor=before',
    'DELETE /staff/v1/session',
  ]);
  for (const wrong of [
    ['--status', 'refused'],
    ['--limit', '201'],
  ]) {
    const { code, err } = await api.run([...line, ...wrong]);
    expect([code, err[0]]).toEqual([2, expect.stringContaining(wrong[0] ?? '')]);
  }
});

describe('the password of a staff member', () => {
  const line = ['address-review', 'list', '--as', 'approver'];
  const sent = async (...password: string[]) => {
    for (const answer of [{ session: { 'csrf-token': 'c' } }, { 'address-reviews': [] }, {}]) api.soon(answer);
    await api.shownBy(...line, ...password);
    return (api.heard.find(({ method }) => method === 'POST')?.body as { password: string }).password;
  };
  afterEach(() => {
    delete process.env['PONTE_STAFF_PASSWORD'];
  });

  it('is taken from the environment, also as the name of a file', async () => {
    process.env['PONTE_STAFF_PASSWORD'] = 'from the environment';
    expect(await sent()).toBe('from the environment');
    api.heard = [];
    process.env['PONTE_STAFF_PASSWORD'] = '@file';
    expect(await sent()).toBe('P');
  });

  it('is that of the option if both are given', async () => {
    process.env['PONTE_STAFF_PASSWORD'] = 'from the environment';
    expect(await sent('--password', 'p')).toBe('p');
  });

  it('is required', async () => {
    const { code, err } = await api.run(line);
    expect([code, err[0]]).toEqual([2, expect.stringContaining('--password')]);
  });
});
