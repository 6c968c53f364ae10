import type { Page } from 'playwright-core';
import { AccountRequestReadModel } from '../../../../onboarding/src/account-request/account-requests.read-model';
import type { AccountRequest } from '../testing/people';
import { EXPOSED, LISTED } from '../testing/people';
import { ConsoleUnderTest } from '../testing/console-under-test';
import { queueRow } from '../testing/queue-row';

/** The most that the responses of a page with 50 requests may have, in bytes. */
const PAGE_LIMIT_BYTES = 64 * 1024;

let consoleUnderTest: ConsoleUnderTest;
let plain: AccountRequest;
let listed: AccountRequest;
let exposed: AccountRequest;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
  [plain, listed, exposed] = [
    await consoleUnderTest.partner.request(),
    await consoleUnderTest.partner.request(LISTED),
    await consoleUnderTest.partner.request(EXPOSED),
  ];
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

const short = ({ id }: AccountRequest): string => id.slice(0, 8).toUpperCase();
const shown = (page: Page): Promise<string[]> => page.locator('.queue tbody tr:visible .reference').allTextContents();
const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
/** Waits until the request in progress is answered. */
const settled = (page: Page): Promise<void> => page.locator('main:not([aria-busy])').waitFor();

it('a colleague who signs in while the tab is open can be chosen as the assignee', async () => {
  const page = await consoleUnderTest.as('analyst');
  await page.locator('.queue tbody tr').first().waitFor();
  const assignees = (): Promise<string[]> => page.getByLabel('Assignee').locator('option').allTextContents();
  expect(await assignees()).not.toContain('approver-2');
  await consoleUnderTest.as('approver-2');
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByLabel('Account id').waitFor();
  await page.getByRole('link', { name: 'Queue', exact: true }).click();
  await page.locator('.queue tbody tr').first().waitFor();
  expect(await assignees()).toContain('approver-2');
  // Also partners without a request on the page can be chosen.
  const partners = await page.getByLabel('Partner').locator('option').allTextContents();
  expect(partners.length).toBeGreaterThan(2);
});

it('the queue starts with the longest wait, shows partner, age, state, assignee and flags, and names no person', async () => {
  const page = await consoleUnderTest.as('analyst');
  await page.locator('.queue tbody tr').nth(2).waitFor();
  expect(await shown(page)).toEqual([short(plain), short(listed), short(exposed)]);
  expect(await page.getByRole('columnheader').allTextContents()).toEqual([
    'Reference',
    'Partner',
    'Country',
    'Tier',
    'State',
    'Waiting',
    'Assignee',
    'Flags',
  ]);
  expect(await page.locator('.queue tbody tr').nth(1).locator('td').allTextContents()).toEqual([
    `${short(listed)}console-2`,
    expect.any(String),
    'BRA',
    '90 %',
    'To review',
    expect.stringMatching(/^(under 1|\d+) minin this state (under 1|\d+) min$/),
    'Unassigned',
    'List hitFour eyes 0/2',
  ]);
  await page.locator('.queue tbody tr').nth(2).getByText('Four eyes 0/2').waitFor();
  await page.getByRole('link', { name: 'To review 3' }).waitFor();
  expect(await page.getByText('Quixaramobim').count()).toBe(0);
});

it('j, k and Enter navigate the queue, going back restores the row, and / searches the page', async () => {
  const page = await consoleUnderTest.as('analyst');
  await page.locator('.queue tbody tr').nth(2).waitFor();
  for (const key of ['j', 'j', 'j', 'j', 'k']) await page.keyboard.press(key);
  expect(await focused(page)).toBe(short(listed));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Request ${short(listed)}` }).waitFor();
  await page.goBack();
  await page.locator('.queue tbody tr').nth(2).waitFor();
  await settled(page);
  expect(await focused(page)).toBe(short(listed));
  await page.keyboard.press('/');
  await page.keyboard.type(short(exposed).toLowerCase());
  expect(await shown(page)).toEqual([short(exposed)]);
  await page.getByText('1 of 3 on this page').waitFor();
  await page.keyboard.press('Enter');
  expect(await focused(page)).toBe(short(exposed));
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  expect((await shown(page)).length).toBe(3);
  // Opens and closes the list of shortcuts.
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).getByText('Find on this page').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

it('filters are part of the address, so that a view can be saved and shared', async () => {
  const page = await consoleUnderTest.as('analyst');
  await page.getByLabel('Flag', { exact: true }).focus();
  await page.getByLabel('Flag', { exact: true }).selectOption({ label: 'List hit' });
  await page.waitForURL('**/console?cause=screening-hit');
  await settled(page);
  expect(await page.evaluate('document.activeElement.dataset.keep')).toBe('cause');
  expect(await shown(page)).toEqual([short(listed)]);
  await page.getByLabel('Order', { exact: true }).selectOption({ label: 'Newest first' });
  await page.getByLabel('Flag', { exact: true }).selectOption({ label: 'Any' });
  await page.waitForURL('**/console?order=newest');
  await settled(page);
  expect(await shown(page)).toEqual([short(exposed), short(listed), short(plain)]);
  await page.getByLabel('Age', { exact: true }).selectOption({ label: 'Over 1 day' });
  await page.waitForURL('**older=1**');
  await page.getByText('Nothing here.').waitFor();
  await page.goBack();
  await page.locator('.queue tbody tr').nth(2).waitFor();
  const claiming = await consoleUnderTest.opened('analyst', plain.id);
  await claiming.keyboard.press('c');
  await claiming.getByText('Claimed by you').waitFor();
  await page.goto('/console?assignee=me');
  await page.locator('.queue tbody tr').getByText('You').waitFor();
  expect(await shown(page)).toEqual([short(plain)]);
  const sent = await consoleUnderTest.as('approver-1', '/console?assignee=none&cause=four-eyes');
  await sent.locator('.queue tbody tr').first().waitFor();
  expect(await shown(sent)).toEqual([short(listed), short(exposed)]);
});

it('refreshes itself and keeps focus and typed text', async () => {
  const page = await consoleUnderTest.as('approver-2', '/console/privacy');
  await page.clock.install();
  await page.goto('/console');
  await page.locator('.queue tbody tr').nth(2).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const fresh = await consoleUnderTest.partner.request();
  await page.clock.runFor(16_000);
  await page.locator('.queue tbody').getByText(short(fresh)).waitFor();
  expect(await focused(page)).toBe(short(listed));
  // A focused row that leaves the list stays visible until the focus moves on.
  const other = await consoleUnderTest.opened('approver-1', listed.id);
  await other.keyboard.press('x');
  await other.getByRole('radio', { name: 'On a sanctions list' }).check();
  await other.keyboard.press('Control+Enter');
  await other.locator('#messages').getByText('Rejected.').waitFor();
  await page.clock.runFor(16_000);
  await page.locator('.queue tr.gone').waitFor();
  expect(await focused(page)).toBe(short(listed));
  await page.keyboard.press('j');
  await page.clock.runFor(16_000);
  await page.locator('.queue tr.gone').waitFor({ state: 'detached' });
  expect(await focused(page)).toBe(short(exposed));
});

// `queue-reads.int.spec.ts` counts what the onboarding service reads for a page.
it('a page of a queue of 10,000 is one small response, and one key opens the next page', async () => {
  const { table } = consoleUnderTest.cluster.app.get(AccountRequestReadModel, { strict: false });
  for (let at = 0; at < 10_000; at += 1) await table.put(queueRow(at));
  const page = await consoleUnderTest.as('analyst', '/console/privacy');
  const lists: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname === '/staff/v1/account-requests') lists.push(response.body());
  });
  await page.goto('/console?cause=standard');
  await page.getByRole('link', { name: 'Next 50' }).waitFor();
  expect(lists.length).toBeGreaterThan(0);
  for (const body of await Promise.all(lists)) expect(body.length).toBeLessThan(PAGE_LIMIT_BYTES);
  const first = await shown(page);
  expect(first.length).toBe(50);
  await page.keyboard.press('l');
  await page.getByRole('link', { name: 'First page' }).waitFor();
  const second = await shown(page);
  expect(second.filter((reference) => first.includes(reference))).toEqual([]);
  await page.goBack();
  await page.getByRole('link', { name: 'First page' }).waitFor({ state: 'detached' });
  expect(await shown(page)).toEqual(first);
});
