import type { BrowserContextOptions, Page } from 'playwright-core';
import type { ConsoleUnderTest } from './console-under-test';
import type { Look } from './look';
import { operations } from './operator-tour';

/** A case that is open, and one that was rejected. */
interface Cases {
  readonly requestId: string;
  readonly rejectedId: string;
}

/** Visits every page and every dialog and calls `look` on each. */
export async function everywhere(
  consoleUnderTest: ConsoleUnderTest,
  { requestId, rejectedId }: Cases,
  options: BrowserContextOptions,
  look: Look,
): Promise<void> {
  await signingIn(await consoleUnderTest.page('/console', options), look);
  const page = await consoleUnderTest.as('approver-1', '/console', options);
  await queues(page, look);
  await openCase(page, requestId, look);
  await decisions(page, look);
  await privacyReport(page, look);
  await decidedCase(page, rejectedId, look);
  await accounts(page, consoleUnderTest.cluster.sandbox['subaccount-id'], look);
  await page.goto('/console/privacy');
  await page.getByRole('button', { name: 'Create the report' }).waitFor();
  await look(page, 'privacy');
  await page.getByLabel('Find the person by').selectOption('deposit');
  await look(page, 'privacy by deposit');
  await page.goto('/console/rules');
  await page.getByRole('button', { name: 'Start from the rules in force' }).click();
  await page.getByRole('button', { name: 'Back-test' }).click();
  await page.getByText('These rules are valid.').waitFor();
  await look(page, 'pricing rules');
  const operator = await consoleUnderTest.as('operator', '/console/reports', options);
  await operator.getByRole('link', { name: 'Download IOF payable as CSV' }).waitFor();
  await look(operator, 'reports');
  await operations(operator, consoleUnderTest.cluster.sandbox['subaccount-id'], look);
  await page.goto('/console/nowhere');
  await page.getByText('There is no such page').waitFor();
  await look(page, 'no such page');
}

async function signingIn(out: Page, look: Look): Promise<void> {
  await out.getByRole('button', { name: 'Sign in' }).waitFor();
  await look(out, 'sign-in');
  await out.getByLabel('Name', { exact: true }).fill('unknown');
  await out.getByLabel('Password').fill('nothing');
  await out.keyboard.press('Enter');
  await out.getByRole('alert').waitFor();
  await look(out, 'sign-in refused');
}

async function queues(page: Page, look: Look): Promise<void> {
  await page.locator('.queue tbody tr').first().waitFor();
  await page.keyboard.press('j');
  await look(page, 'queue');
  await page.keyboard.press('?');
  await look(page, 'shortcuts');
  await page.keyboard.press('Escape');
  await page.goto('/console?view=making');
  await page.getByText('Nothing here.').waitFor();
  await look(page, 'empty queue');
}

async function openCase(page: Page, requestId: string, look: Look): Promise<void> {
  await page.goto(`/console/requests/${requestId}`);
  await page.getByRole('button', { name: 'Open the case' }).waitFor();
  await look(page, 'reason');
  await page.keyboard.press('Enter');
  await page.locator('.pane img').nth(1).waitFor();
  await page.getByText('Everyone who has opened this case').click();
  await look(page, 'case');
}

/** Every dialog of the open case. */
async function decisions(page: Page, look: Look): Promise<void> {
  await page.getByRole('button', { name: 'Change the verdict' }).first().click();
  await page.getByRole('dialog', { name: 'Verdict' }).waitFor();
  await look(page, 'verdict');
  await page.keyboard.press('Escape');
  for (const [key, name] of [
    ['a', 'Approve, first of two'],
    ['x', 'Reject'],
    ['i', 'Ask for information'],
    ['e', 'Escalate'],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByRole('dialog', { name }).waitFor();
    if (key === 'x') await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await look(page, name);
    await page.keyboard.press('Escape');
  }
}

/** The report about the person of the open case. */
async function privacyReport(page: Page, look: Look): Promise<void> {
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Create the report' }).click();
  await page.getByRole('heading', { name: 'The report' }).waitFor();
  await look(page, 'privacy report');
  await page.getByRole('button', { name: 'Erase this person…' }).click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'erase');
}

async function decidedCase(page: Page, rejectedId: string, look: Look): Promise<void> {
  await page.goto(`/console/requests/${rejectedId}`);
  await page.getByRole('button', { name: 'Open the case' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.attention .note').waitFor();
  await look(page, 'decided case');
}

async function accounts(page: Page, accountId: string, look: Look): Promise<void> {
  await page.goto('/console/accounts');
  await page.getByLabel('Account id').waitFor();
  await look(page, 'accounts');
  await page.goto(`/console/accounts/${accountId}`);
  await page.getByRole('button', { name: 'Freeze…' }).click();
  await page.getByRole('dialog', { name: 'Freeze' }).waitFor();
  await look(page, 'freeze');
  await page.keyboard.press('Escape');
  await look(page, 'account');
}
