import type { Page } from 'playwright-core';
import { cpfOf } from '../../../onboarding/src/testing/people';
import { ask, decide } from './testing/account-steps';
import { seriousFindings } from './testing/axe';
import { ConsoleUnderTest } from './testing/console-under-test';
import { waitForMessage } from './testing/messages';
import { LISTED } from './testing/people';

let consoleUnderTest: ConsoleUnderTest;
let path: string;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
  path = `/console/accounts/${consoleUnderTest.cluster.sandbox['subaccount-id']}`;
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

const statusOf = async (): Promise<string> =>
  (
    await consoleUnderTest.partner.api.get<{ account: { status: string } }>(
      `/api/v1/accounts/${consoleUnderTest.cluster.sandbox['subaccount-id']}`,
    )
  ).account.status;
/** What the standing lacks while the ledger does not answer. */
const UNREAD = { 'address-matches': undefined, 'address-match-count': undefined };
const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement?.tagName ?? ""');

it('a late confirmation does nothing, and the request that replaced the one on the page has to be read first', async () => {
  const analyst = await consoleUnderTest.as('analyst', path);
  await ask(analyst, 'Freeze', 'Fraud is suspected', 'Ticket 4711');
  const approver = await consoleUnderTest.as('approver-1', path);
  await approver.getByText('Ticket 4711').waitFor();
  const sent: string[] = [];
  analyst.on('request', (request) => void sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await analyst.getByRole('button', { name: 'Withdraw' }).dblclick();
  await waitForMessage(analyst, 'Withdrawn.');
  expect(sent.filter((one) => one.startsWith('POST'))).toHaveLength(1);
  expect(await focused(analyst)).toBe('H1');
  await ask(analyst, 'Freeze', 'Order by a court or authority', 'Ticket 4712');

  await approver.getByRole('button', { name: 'Confirm the freeze…' }).click();
  const dialog = approver.getByRole('dialog', { name: 'Confirm the freeze' });
  await dialog.getByText('Ticket 4711').waitFor();
  expect(await seriousFindings(approver)).toEqual([]);
  await dialog.getByRole('button', { name: 'Confirm the freeze' }).dblclick();
  await waitForMessage(approver, /is pending now: read it first/);
  expect(await statusOf()).toBe('active');
  // The refusal stays on the page, and the focus is at its top.
  await approver.locator('.note', { hasText: 'Nothing was done.' }).getByText('read it first').waitFor();
  await approver.locator('main .note', { hasText: 'Freeze waits' }).getByText('Ticket 4712').waitFor();
  expect(await seriousFindings(approver)).toEqual([]);
  await approver.reload();
  await decide(approver, 'Refuse the freeze');
  await waitForMessage(approver, 'Refused.');
  expect([await focused(approver), await statusOf()]).toEqual(['H1', 'active']);
});

it('a confirmation takes a dialog that shows the reason and the evidence', async () => {
  const analyst = await consoleUnderTest.as('analyst', path);
  await ask(analyst, 'Freeze', 'Compliance', 'Ticket 4713');
  const approver = await consoleUnderTest.as('approver-1', path);
  await approver.getByRole('button', { name: 'Confirm the freeze…' }).dblclick();
  const dialog = approver.getByRole('dialog', { name: 'Confirm the freeze' });
  for (const text of ['Compliance', 'Ticket 4713', 'The account is frozen at once', 'requested by analyst'])
    await dialog.getByText(text).waitFor();
  await approver.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await statusOf()).toBe('active');
  await decide(approver, 'Confirm the freeze');
  await waitForMessage(approver, 'The account is frozen.');
  expect([await focused(approver), await statusOf()]).toEqual(['H1', 'frozen']);
});

it('an account whose sanctioned addresses cannot be read says so', async () => {
  const page = await consoleUnderTest.as('auditor', '/console/accounts');
  await page.route('**/standing?*', async (route) => {
    const response = await route.fetch();
    const { account } = (await response.json()) as { account: object };
    await route.fulfill({ response, json: { account: { ...account, ...UNREAD } } });
  });
  await page.goto(new URL(path, page.url()).href);
  await page.getByText('Sanctioned addresses of this account cannot be shown now.').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

it('accounts whose requested step has waited longest are listed first', async () => {
  const made = async (number: number): Promise<string> => {
    const identifier = { value: cpfOf(number), country: 'BRA' };
    const { 'account-id': id } = await consoleUnderTest.partner.request({ ...LISTED, identifier }, 'active');
    return String(id);
  };
  const ids = [await made(900_000_077), await made(900_000_177)];
  const analyst = await consoleUnderTest.as('analyst', '/console/accounts');
  for (const id of ids) {
    await analyst.goto(new URL(`/console/accounts/${id}`, analyst.url()).href);
    await ask(analyst, 'Freeze', 'Fraud is suspected', 'Ticket 4711');
  }
  await analyst.goto(new URL('/console/accounts', analyst.url()).href);
  await analyst.getByText('Freeze waits for an approver').first().waitFor();
  const listed = await analyst
    .getByRole('listitem')
    .filter({ hasText: 'Freeze waits for an approver' })
    .allTextContents();
  const order = listed.map((line) => ids.findIndex((id) => line.includes(id.slice(0, 8).toUpperCase())));
  expect(order.filter((at) => at !== -1)).toEqual([0, 1]);
});
