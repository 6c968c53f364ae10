import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sessionDocument } from '../testing/gateway-under-test';
import { violationsOf } from '../validation/violations';
import type { StaffOperationId } from '../staff/roles';
import { ROLES_OF } from '../staff/roles';
import { ROUTES, allowed, browserFor, gateway, send, useSignedInStaff } from './testing/staff-requests';

useSignedInStaff();

describe('the staff API', () => {
  it.each(ROUTES)('returns the documented shape for %s, which no cache stores', async (id, route) => {
    const answer = await send(route, await browserFor(id, allowed(id)));
    expect([answer.statusCode, answer.statusCode < 400 ? '' : answer.body]).toEqual([route.status, '']);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    if (route.answer) expect(violationsOf(route.answer, answer.json(), 'refuse')).toEqual([]);
  });

  it('consists of the routes in the table, whose roles are in docs/staff-api.md', async () => {
    const { paths } = sessionDocument<unknown>(gateway) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(ids.sort()).toEqual(
      [...Object.keys(ROLES_OF), 'staff-list-ways', 'staff-sign-in', 'staff-begin-oidc', 'staff-finish-oidc'].sort(),
    );
    const text = readFileSync(join(__dirname, '../../../../docs/staff-api.md'), 'utf8');
    for (const path of Object.keys(paths)) {
      const [last = ''] = path.split('/').slice(-1);
      expect([path, text.includes(path) || text.includes(`/${last}\``) || text.includes(`\`${last}\``)]).toEqual([
        path,
        true,
      ]);
    }
    for (const [line, operation] of ROLE_LINES) {
      const row = text
        .split('\n')
        .find((one) => one.startsWith('|') && one.includes(line) && one.split('|').length === 7)
        ?.split('|')
        .slice(2, 6)
        .map((one) => one.trim() === '✓');
      expect([line, row]).toEqual([
        line,
        STAFF_COLUMNS.map((role) => (ROLES_OF[operation] as readonly string[]).includes(role)),
      ]);
    }
  });
});

const STAFF_COLUMNS = ['compliance-analyst', 'compliance-approver', 'operator', 'auditor'];
const ROLE_LINES: [string, StaffOperationId][] = [
  ['`DELETE /staff/v1/session`', 'staff-sign-out'],
  ['`GET …/{id}/history`', 'staff-get-history'],
  ['`/ask-information`', 'staff-reject'],
  ['files/{file-id}', 'staff-open-file'],
  ['`POST /staff/v1/privacy-reports`', 'staff-make-privacy-report'],
  ['`POST /staff/v1/erasures`', 'staff-erase'],
  ['usd-deposits/{id}?purpose`', 'staff-open-usd-deposit'],
  ['deposits/{id}/set-aside`', 'staff-request-set-aside'],
  ['deposits/{id}/set-aside/confirm`', 'staff-confirm-set-aside'],
  ['deposits/{id}/set-aside/confirm`', 'staff-reject-set-aside'],
  ['double-returns`', 'staff-list-double-returns'],
  ['refused-payouts`', 'staff-list-refused-payouts'],
  ['failed-returns/{id}`', 'staff-open-failed-return'],
  ['failed-returns/{id}/settlement`', 'staff-propose-settlement'],
  ['failed-returns/{id}/sending`', 'staff-propose-sending'],
  ['failed-returns/{id}/settlement/confirm`', 'staff-confirm-settlement'],
  ['failed-returns/{id}/settlement/confirm`', 'staff-reject-settlement'],
  ['whitelisted-wallets', 'staff-whitelist-account-wallet'],
  ['end-sessions', 'staff-end-sessions'],
  ['address-reviews/{id}/verdict`', 'staff-decide-address-review'],
  ['`GET /staff/v1/partners`', 'staff-list-partners'],
  ['quotes/{id}`', 'staff-get-quote'],
  ['reports/fx-days', 'staff-get-fx-days'],
  ['reports/fx-days', 'staff-download-iof-payable'],
];
