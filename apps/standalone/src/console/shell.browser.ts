import type { Page } from 'playwright-core';
import { seriousFindings } from './testing/axe';
import { ConsoleUnderTest } from './testing/console-under-test';
import { press } from './testing/keyboard';

let consoleUnderTest: ConsoleUnderTest;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

const heading = (page: Page, name: string): Promise<void> =>
  page.locator('h1:focus').getByText(name, { exact: true }).waitFor();
const positionOf = (page: Page, selector: string): Promise<string> =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).position`);

it('a link of the bar moves the focus to the heading of the page that it opens', async () => {
  const page = await consoleUnderTest.as('approver-1');
  await page.locator('.queue').waitFor();
  for (const name of ['Money', 'Addresses', 'Findings', 'Accounts', 'Staff']) {
    await page.getByRole('link', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
    await heading(page, name);
  }
  await page.goto('/console/nothing');
  await heading(page, 'There is no such page');
});

it('character keys can be switched off, and stay off in this browser', async () => {
  const page = await consoleUnderTest.as('approver-1', '/console/staff');
  await heading(page, 'Staff');
  await press(page, '?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard' });
  await dialog.getByLabel('Use letters, digits and symbols as shortcuts').uncheck();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.reload();
  await heading(page, 'Staff');
  await press(page, '?', 'g');
  // The button of the bar opens the list, from which they are switched on again.
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  expect(new URL(page.url()).pathname).toBe('/console/staff');
  await dialog.getByLabel('Use letters, digits and symbols as shortcuts').check();
  await page.keyboard.press('Escape');
  await press(page, 'g');
  await page.locator('.queue').waitFor();
});

it('nothing sticks in a low window, such as one at 200 % zoom, where it would cover half of a case', async () => {
  const { id } = await consoleUnderTest.partner.request();
  const page = await consoleUnderTest.opened('approver-1', id);
  expect([await positionOf(page, '.bar'), await positionOf(page, '.decide')]).toEqual(['sticky', 'sticky']);
  await page.setViewportSize({ width: 960, height: 540 });
  expect([await positionOf(page, '.bar'), await positionOf(page, '.decide')]).toEqual(['static', 'static']);
});

it('holding Enter on a request of the queue does not choose the reason for opening it', async () => {
  const { id } = await consoleUnderTest.partner.request();
  const page = await consoleUnderTest.as('approver-1', `/console/requests/${id}`);
  const open = page.getByRole('button', { name: 'Open the case' });
  await open.waitFor();
  const repeated =
    "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', " +
    "{ key: 'Enter', repeat: true, bubbles: true, cancelable: true }))";
  // A browser clicks the button unless the event is cancelled.
  expect(await page.evaluate<boolean>(repeated)).toBe(false);
  await page.keyboard.press('Enter');
  await page.locator('.case').waitFor();
});
