import type { Page } from 'playwright-core';
import { cpfOf } from '../../../onboarding/src/testing/people';
import { freezeAccount } from '../e2e/order-attacks/testing/account-standing';
import { until } from '../e2e/testing/waiting';
import { decide } from './testing/account-steps';
import { seriousFindings } from './testing/axe';
import { ConsoleUnderTest } from './testing/console-under-test';
import { LISTED } from './testing/people';
import { waitForMessage } from './testing/messages';

const DAY_MS = 24 * 3_600_000;

let consoleUnderTest: ConsoleUnderTest;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start({ ONBOARDING_SCREEN_AGAIN_MS: '200' });
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

async function verdict(page: Page, button: string, send: string): Promise<void> {
  await page.getByRole('button', { name: button }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: send }).click();
  await dialog.getByRole('alert').getByText('Choose a reason.').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole('radio', { name: 'Something else, see the note' }).check();
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Ticket 4711');
  await dialog.getByRole('button', { name: send }).click();
}

it('a person of an account who is found on a list is shown, doubted by one approver and frozen by two members', async () => {
  const { partner } = consoleUnderTest;
  // The sandbox approves this number whatever screening finds.
  const identifier = { value: cpfOf(900_000_077), country: 'BRA' };
  const { 'account-id': account } = await partner.request({ ...LISTED, identifier }, 'active');
  consoleUnderTest.cluster.clock.pass(new Date(Date.now() + DAY_MS).toISOString());

  const first = await consoleUnderTest.as('approver-1', '/console/findings');
  await until(async () => {
    await first.reload();
    await first.getByRole('button', { name: 'True match…' }).waitFor({ timeout: 5_000 });
  });
  await first.getByText('entry SBi.001').waitFor();
  await first.getByRole('link', { name: 'Only this list' }).first().click();
  await first.getByText('Only the list').waitFor();
  await first.getByText('entry SBi.001').waitFor();
  expect(await seriousFindings(first)).toEqual([]);
  await first.getByRole('link', { name: 'All lists' }).click();
  await first.getByText('entry SBi.001').waitFor();
  await first.getByRole('link', { name: 'Matched' }).click();
  await first.getByText('No finding matches.').waitFor();
  await first.getByRole('link', { name: 'Waiting' }).click();
  await first.getByText('entry SBi.001').waitFor();
  expect(await first.getByText('Montalvane').count()).toBe(0);
  await first.getByRole('button', { name: 'Show what was compared' }).click();
  await first.getByText('Montalvane').first().waitFor();
  expect(await seriousFindings(first)).toEqual([]);
  await verdict(first, 'False positive…', 'Record it');
  await waitForMessage(first, 'Recorded. Another approver must also decide.');
  expect(await first.getByRole('button', { name: 'False positive…' }).count()).toBe(0);

  const analyst = await consoleUnderTest.as('analyst', '/console/findings');
  await analyst.getByText('Two approvers must decide.').waitFor();
  await analyst.getByLabel('Account id').fill(crypto.randomUUID());
  await analyst.getByRole('button', { name: 'Show its findings' }).click();
  await analyst.getByText('No finding matches.').waitFor();
  await analyst.getByLabel('Account id').fill(String(account));
  await analyst.keyboard.press('Enter');
  await analyst.getByText('entry SBi.001').waitFor();
  await analyst.getByRole('link', { name: 'Only this list' }).first().click();
  await analyst.getByText('Only the list').waitFor();
  expect(await analyst.getByLabel('Account id').inputValue()).toBe(String(account));
  await analyst.getByRole('link', { name: 'All lists' }).click();
  await analyst.getByText('Only the list').waitFor({ state: 'detached' });
  expect(await analyst.getByLabel('Account id').inputValue()).toBe(String(account));
  const second = await consoleUnderTest.as('approver-2', '/console/findings');
  await verdict(second, 'True match…', 'Request the freeze');
  await waitForMessage(second, 'Recorded. The freeze of the account waits for another approver.');
  await second.getByText('True match, account not frozen for it yet').waitFor();
  expect(await seriousFindings(second)).toEqual([]);

  await first.goto(`/console/accounts/${String(account)}`);
  await decide(first, 'Confirm the freeze');
  await waitForMessage(first, 'The account is frozen.');
  await second.goto('/console/findings?view=settled');
  await until(async () => {
    await second.reload();
    await second.getByText('True match, account stopped').waitFor({ timeout: 5_000 });
  });
});

it('a true match on an account that is frozen for it already settles the finding at once, and two approvers can clear it', async () => {
  const { cluster, partner } = consoleUnderTest;
  const identifier = { value: cpfOf(900_000_078), country: 'BRA' };
  const { 'account-id': account } = await partner.request({ ...LISTED, identifier }, 'active');
  await freezeAccount(cluster.sandbox, String(account), 'sanctions');
  cluster.clock.pass(new Date(Date.now() + 2 * DAY_MS).toISOString());

  const approver = await consoleUnderTest.as('approver-1', '/console/findings');
  await until(async () => {
    await approver.reload();
    await approver.getByRole('button', { name: 'True match…' }).waitFor({ timeout: 5_000 });
  });
  await verdict(approver, 'True match…', 'Request the freeze');
  await waitForMessage(approver, 'Recorded. The account is already frozen for it, or closed.');

  const other = await consoleUnderTest.as('approver-2', '/console/findings?view=settled');
  await verdict(other, 'False positive…', 'Record it');
  await waitForMessage(other, 'Recorded. Another approver must also decide.');
  await approver.goto('/console/findings?view=settled');
  await verdict(approver, 'False positive…', 'Record it');
  await waitForMessage(approver, 'Two approvers agree. The finding is cleared.');
});
