import type { Page } from 'playwright-core';
import { ConsoleUnderTest } from './testing/console-under-test';
import { waitForMessage } from './testing/messages';

const WAYS = '**/staff/v1/session/ways';
const SESSION = '**/staff/v1/session';
/** Longer than the interval at which a page looks at its session, and shorter than two of them. */
const NEXT_LOOK = '00:55';
/** Longer than a session lasts without a request. */
const IDLE = '16:00';

let consoleUnderTest: ConsoleUnderTest;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

type Name = 'analyst' | 'approver-1' | 'approver-2';

const curtainOf = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });

/** A window of its own, because the tests change its session, and with a clock that they can move. */
async function open(path: string, name: Name): Promise<Page> {
  const page = await consoleUnderTest.page();
  await page.clock.install();
  await page.goto(path);
  await consoleUnderTest.signIn(page, name);
  return page;
}

/**
 * Signs out and in again in another tab of the same browser. The clock of the page stands still meanwhile: it must not
 * read anything while there is no session.
 */
async function signInElsewhere(page: Page, name: Name): Promise<void> {
  await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 10_000'));
  const other = await page.context().newPage();
  await other.goto('/console');
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByLabel('Password').waitFor();
  await consoleUnderTest.signIn(other, name);
  await page.clock.resume();
}

async function openCase(name: Name): Promise<Page> {
  const { id } = await consoleUnderTest.partner.request();
  const page = await open(`/console/requests/${id}`, name);
  await consoleUnderTest.open(page);
  return page;
}

/** The browser reports each request that got no response. */
function expectOnlyLostRequests(): void {
  const faults = consoleUnderTest.watch.faults.splice(0);
  expect(faults.filter((fault) => !fault.includes('net::ERR_'))).toEqual([]);
}

/** The page asks the person who signed in for a reason, and shows nothing of the case. */
async function belongsTo(page: Page, name: Name): Promise<void> {
  await page.locator('#who-name').getByText(name).waitFor();
  await page.getByRole('button', { name: 'Open the case' }).waitFor();
  expect(await page.getByText('Quixaramobim').count()).toBe(0);
}

it('a page whose browser has another person’s session is loaded again for that person, without any action', async () => {
  const page = await openCase('approver-1');
  await signInElsewhere(page, 'approver-2');
  await page.clock.fastForward(NEXT_LOOK);
  await belongsTo(page, 'approver-2');
});

it('a decision typed by one person is not sent in the name of the next', async () => {
  const page = await openCase('approver-1');
  await page.keyboard.press('a');
  await page.keyboard.type('Seen in person.');
  await signInElsewhere(page, 'approver-2');
  await page.keyboard.press('Control+Enter');
  await belongsTo(page, 'approver-2');
});

it('a page reads nothing in the session of the next person', async () => {
  const page = await open('/console/staff', 'approver-1');
  await signInElsewhere(page, 'analyst');
  const response = page.waitForResponse('**/staff/v1/withdrawals*');
  await page.getByRole('link', { name: 'Money' }).click();
  expect((await response).status()).toBe(403);
  await page.locator('#who-name').getByText('analyst').waitFor();
});

it('a new session of the same person in another tab does not interrupt the page', async () => {
  const page = await openCase('analyst');
  await signInElsewhere(page, 'analyst');
  await page.keyboard.press('c');
  await waitForMessage(page, 'The case is yours.');
  await signInElsewhere(page, 'analyst');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Password').waitFor();
});

it('an ended session hides the page although the ways to sign in cannot be read, and offers them later', async () => {
  const page = await openCase('approver-2');
  await page.route(WAYS, (route) => route.abort());
  await page.context().clearCookies();
  await page.keyboard.press('c');
  const curtain = curtainOf(page);
  await curtain.getByText('The server did not answer.').waitFor();
  await page.unroute(WAYS);
  await page.keyboard.press('Enter');
  await curtain.getByLabel('Password').fill(consoleUnderTest.password('approver-2'));
  await page.keyboard.press('Enter');
  await waitForMessage(page, 'You are signed in again.');
  expectOnlyLostRequests();
});

it('a page without a network is hidden when its session must have ended, and shown again while the session is valid', async () => {
  const page = await openCase('approver-1');
  await page.context().setOffline(true);
  await page.clock.fastForward(IDLE);
  const curtain = curtainOf(page);
  await curtain.getByText('The server did not answer.').waitFor();
  await page.context().setOffline(false);
  await curtain.getByRole('button', { name: 'Try again' }).click();
  await waitForMessage(page, 'You are signed in again.');
  await page.locator('.case').waitFor();
  expectOnlyLostRequests();
});

it('a response that cannot be read does not end the checks of the session', async () => {
  const page = await openCase('approver-2');
  const odd = page.waitForResponse(SESSION);
  await page.route(SESSION, (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<p>Proxy</p>' }));
  await page.clock.fastForward(NEXT_LOOK);
  await odd;
  await page.unroute(SESSION);
  await page.context().clearCookies();
  await page.clock.fastForward(NEXT_LOOK);
  await curtainOf(page).waitFor();
});
