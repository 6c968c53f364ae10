import 'reflect-metadata';
import { PARTNER } from '../testing/accounts';
import { codeOf } from '../testing/use-gateway';
import type { Name } from './testing/staff-requests';
import { ONE, as, gateway, useSignedInStaff } from './testing/staff-requests';

useSignedInStaff();

describe('an invalid request to the staff API', () => {
  it.each([
    ['analyst', `${ONE}/claim`, { 'take-over': 'yes' }, 'take-over invalid-type'],
    ['analyst', `${ONE}/claim`, { more: 1 }, 'more unknown-field'],
    ['analyst', `${ONE}/release`, { note: 'x' }, 'note unknown-field'],
    ['analyst', `${ONE}/escalate`, { version: 7, note: '' }, 'note invalid-format'],
    ['analyst', `${ONE}/escalate`, { version: 7, note: 7 }, 'note invalid-type'],
    ['analyst', `${ONE}/ask-information`, { version: 7, issues: [] }, 'items missing-field'],
    ['analyst', `${ONE}/ask-information`, { version: 7, items: [], issues: [] }, 'items invalid-format'],
    ['analyst', `${ONE}/ask-information`, { version: 7, items: ['soul'], issues: [] }, 'items[0] invalid-enum-value'],
    [
      'analyst',
      `${ONE}/ask-information`,
      { version: 7, items: ['other'], issues: ['sanctions'] },
      'issues[0] invalid-enum-value',
    ],
    ['analyst', `${ONE}/reject`, { version: 7 }, 'reason missing-field'],
    ['analyst', `${ONE}/reject`, { version: 7, reason: 'compliance' }, 'reason invalid-enum-value'],
    [
      'analyst',
      `${ONE}/verdicts`,
      { person: 'holder', list: 'pep', 'entry-id': 'p1', score: 91, verdict: 'maybe', reason: 'other' },
      'verdict invalid-enum-value',
    ],
    [
      'analyst',
      `${ONE}/verdicts`,
      { person: 'holder', list: 'pep', 'entry-id': 'p1', score: 91, verdict: 'true-match' },
      'reason missing-field',
    ],
    ['analyst', `${ONE}/escalate`, { note: 'x' }, 'version missing-field'],
    ['analyst', `${ONE}/ask-information`, { items: ['other'], issues: [] }, 'version missing-field'],
    ['analyst', `${ONE}/reject`, { reason: 'pep' }, 'version missing-field'],
    ['analyst', `${ONE}/case`, {}, 'purpose missing-field'],
    ['analyst', `${ONE}/case`, { purpose: 'curiosity' }, 'purpose invalid-enum-value'],
    ['auditor', '/staff/v1/privacy-reports', { purpose: 'audit' }, 'identifier missing-field'],
    ['approver', '/staff/v1/erasures', { token: 't' }, 'typed missing-field'],
    ['operator', `/staff/v1/accounts/${PARTNER}/whitelisted-wallets`, { address: 7 }, 'address invalid-type'],
  ] as [Name, string, object, string][])(
    'is refused to the %s: POST %s with %j gets %s',
    async (name, url, body, fault) => {
      const answer = await as(name, url, body);
      expect([
        answer.statusCode,
        (answer.json() as { error: { details: { path: string; code: string }[] } }).error.details.map(
          ({ path, code }) => `${path} ${code}`,
        ),
      ]).toEqual([400, [fault]]);
    },
  );

  it.each([
    ['status=open', 'invalid-enum-value'],
    ['stage=manual-review,else', 'invalid-enum-value'],
    ['cause=mood', 'invalid-enum-value'],
    ['escalated=1', 'invalid-enum-value'],
    ['older-than-hours=0', 'invalid-format'],
    ['older-than-hours=9999', 'invalid-format'],
    ['order=random', 'invalid-enum-value'],
    ['partner=x', 'invalid-format'],
    ['created-from=2026-02-01T00:00:00Z&created-to=2026-01-01T00:00:00Z', 'invalid-format'],
    ['limit=201', 'invalid-limit'],
  ])('is refused: the queue with %s gets %s', async (query, code) => {
    expect(codeOf(await as('analyst', `/staff/v1/account-requests?${query}`))).toBe(`400 ${code}`);
  });

  it('is refused: a parameter of one value that is sent twice, with a message that says so', async () => {
    for (const parameter of ['limit=10', 'cursor=x', 'partner=x', 'older-than-hours=5', 'escalated=true']) {
      const [name] = parameter.split('=');
      const answer = await as('analyst', `/staff/v1/account-requests?${parameter}&${parameter}`);
      expect(answer.json()).toMatchObject({
        error: { details: [{ path: name, message: `\`${name}\` must have one value, but was sent 2 times.` }] },
      });
    }
  });

  it('is refused: a malformed id or an unknown path gets 404', async () => {
    for (const path of ['history', 'files/x?purpose=review'])
      expect((await as('analyst', `/staff/v1/account-requests/x/${path}`)).statusCode).toBe(404);
    const nowhere = await gateway.app.inject({ url: '/staff/v1/nothing' });
    expect([codeOf(nowhere), nowhere.headers['content-security-policy']]).toEqual([
      '404 route-not-found',
      expect.stringContaining("default-src 'none'"),
    ]);
    expect(codeOf(await as('analyst', `${ONE}/claim`))).toBe('405 method-not-allowed');
  });
});
