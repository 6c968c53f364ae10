import { SANCTIONED_SANDBOX_ADDRESS } from '@ponte/contracts';
import type { Page } from 'playwright-core';
import { Customer } from '../e2e/testing/customer';
import { seriousFindings } from './testing/axe';
import { ConsoleUnderTest } from './testing/console-under-test';
import { waitForMessage } from './testing/messages';

let consoleUnderTest: ConsoleUnderTest;
let customer: Customer;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
  customer = Customer.of(consoleUnderTest.cluster.sandbox);
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

/** Creates a token withdrawal to the address on the sandbox's sanctions list. */
async function createHeldWithdrawal(amount: string): Promise<string> {
  const { withdrawal } = await customer.api.post<{ withdrawal: { id: string } }>(customer.path('/withdrawals'), {
    asset: 'eth-base/brlv',
    amount,
    'destination-wallet-address': SANCTIONED_SANDBOX_ADDRESS,
  });
  return withdrawal.id;
}
const stateOf = async (id: string): Promise<string> =>
  (await customer.api.get<{ state: string }>(customer.path(`/withdrawals/${id}`))).state;

async function verdict(page: Page, button: string, send: string): Promise<void> {
  await page.getByRole('button', { name: button }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: send }).click();
  await dialog.getByRole('alert').getByText('Enter the evidence.').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByLabel('Reason').fill('Ticket 4711');
  await dialog.getByRole('button', { name: send }).click();
}

it('two approvers clear a held withdrawal, one true match refuses one, and other roles only read', async () => {
  await customer.fund('100.00');
  const { body } = await customer.accept(await customer.quote('100.00'));
  await customer.ended(body.order.id);
  const cleared = await createHeldWithdrawal('10');
  const analyst = await consoleUnderTest.as('analyst', '/console/addresses');
  await analyst.getByText('Two approvers must decide.').waitFor();
  expect(await seriousFindings(analyst)).toEqual([]);
  await analyst.getByText('on eth-base').waitFor();
  await analyst.getByText(/^10\.0* eth-base\/brlv$/).waitFor();
  await filtersByMovement(analyst);
  await analyst.goto('/console/addresses');
  await analyst.getByRole('link', { name: 'Waiting, newest first' }).click();
  await analyst.getByText('Two approvers must decide.').waitFor();
  const first = await consoleUnderTest.as('approver-1', '/console/addresses');
  await first.getByRole('button', { name: 'True match…' }).click();
  // The dialog names what is decided.
  for (const text of [cleared, SANCTIONED_SANDBOX_ADDRESS])
    await first.getByRole('dialog').getByText(text, { exact: true }).waitFor();
  await first.keyboard.press('Escape');
  await verdict(first, 'False positive…', 'Record it');
  await waitForMessage(first, 'Recorded. Another approver must also decide.');
  expect([await first.getByRole('button', { name: 'False positive…' }).count(), await stateOf(cleared)]).toEqual([
    0,
    'created',
  ]);
  const second = await consoleUnderTest.as('approver-2', '/console/addresses');
  await second.getByText('1 of 2 false positives').waitFor();
  await second.getByText(/^ approver-1 · /).waitFor();
  expect(await second.getByText('Ticket 4711').count()).toBe(0);
  await second.getByRole('button', { name: 'Show the reasons' }).click();
  await second.getByText('Ticket 4711').waitFor();
  expect(await seriousFindings(second)).toEqual([]);
  await verdict(second, 'False positive…', 'Record it');
  await waitForMessage(second, 'Two approvers agree: it continues.');
  await second.getByText('No address is waiting for a decision.').waitFor();

  const refused = await createHeldWithdrawal('5');
  await second.reload();
  await verdict(second, 'True match…', 'Refuse it');
  await waitForMessage(second, 'Refused.');
  expect(await stateOf(refused)).toBe('rolled-back');

  await second.goto(`${new URL(second.url()).origin}/console/accounts/${customer.accountId}`);
  await second.getByText('1 sanctioned address').waitFor();
  await second.getByText(SANCTIONED_SANDBOX_ADDRESS).waitFor();
  expect(await seriousFindings(second)).toEqual([]);

  await decidedReviews(cleared, refused);
  const auditor = await consoleUnderTest.as('auditor', '/console/money/withdrawals');
  const rows = auditor.locator('tbody tr');
  await rows.nth(1).waitFor();
  await auditor.getByLabel('State').selectOption('rolled-back');
  await auditor.getByRole('button', { name: 'Filter' }).click();
  await rows.nth(1).waitFor({ state: 'detached' });
  expect(await rows.locator('.chip').allTextContents()).toEqual(['Rolled back']);
  for (const list of ['Deposits', 'Token transfers', 'NFT transfers', 'Reward certificates']) {
    await auditor.getByRole('link', { name: list, exact: true }).click();
    await auditor.locator(`nav [aria-current="page"]`, { hasText: list }).waitFor();
    expect(await seriousFindings(auditor)).toEqual([]);
  }
});

it('an approver whose page is older than the verdict of the other reads that verdict first', async () => {
  await customer.fund('100.00');
  const { body } = await customer.accept(await customer.quote('100.00'));
  await customer.ended(body.order.id);
  const id = await createHeldWithdrawal('7');
  const first = await consoleUnderTest.as('approver-1', '/console/addresses');
  const second = await consoleUnderTest.as('approver-2', '/console/addresses');
  for (const page of [first, second]) await page.getByText('0 of 2 false positives').waitFor();
  await verdict(first, 'False positive…', 'Record it');
  await waitForMessage(first, 'Recorded. Another approver must also decide.');
  await verdict(second, 'False positive…', 'Record it');
  await second
    .getByRole('dialog')
    .getByRole('alert')
    .getByText(/1 hit and 1 verdict now; read it again/)
    .waitFor();
  expect(await stateOf(id)).toBe('created');
  await second.keyboard.press('Escape');
  await second.getByText('1 of 2 false positives').waitFor();
  // What was typed is still there.
  await second.getByRole('button', { name: 'False positive…' }).click();
  expect(await second.getByRole('dialog').getByLabel('Reason').inputValue()).toBe('Ticket 4711');
  await second.getByRole('dialog').getByRole('button', { name: 'Record it' }).click();
  await waitForMessage(second, 'Two approvers agree: it continues.');
});

/** Checks the filters of the waiting view, in which a withdrawal on eth-base waits. */
async function filtersByMovement(page: Page): Promise<void> {
  await page.getByLabel('Chain').selectOption('tempo');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByText('No review matches.').waitFor();
  await page.getByLabel('Chain').selectOption('eth-base');
  await page.getByLabel('Asset').selectOption('eth-base/brlv');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByText('on eth-base').waitFor();
  await page.getByRole('link', { name: 'True match', exact: true }).click();
  await page.getByText('No review matches.').waitFor();
  expect([await page.getByLabel('Asset').inputValue(), await seriousFindings(page)]).toEqual(['eth-base/brlv', []]);
  await page.getByRole('link', { name: 'Waiting', exact: true }).click();
  await page.getByText('on eth-base').waitFor();
}

/** Checks the views of decided reviews. */
async function decidedReviews(cleared: string, refused: string): Promise<void> {
  const page = await consoleUnderTest.as('auditor', '/console/addresses');
  await page.getByText('No address is waiting for a decision.').waitFor();
  const subjects = () => page.locator('.card .facts a[href^="/console/money/withdrawals/"]').allTextContents();
  for (const [view, outcome, expected] of [
    ['True match', 'Refused', [refused]],
    ['False positive', 'Released', [cleared]],
    ['All', 'Released', [refused, cleared]],
  ] as const) {
    await page.getByRole('link', { name: view, exact: true }).click();
    await page.locator('nav [aria-current="page"]', { hasText: view }).waitFor();
    await page.getByText(outcome, { exact: true }).first().waitFor();
    expect(await subjects()).toEqual(expected);
    expect(await page.getByRole('button', { name: /…$/ }).count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
  }
  await page.getByLabel('Account id').fill(crypto.randomUUID());
  await page.getByRole('button', { name: 'Show its reviews' }).click();
  await page.getByText('No review matches.').waitFor();
  await page.getByLabel('Account id').fill(customer.accountId);
  await page.keyboard.press('Enter');
  await page.getByText('Refused', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'False positive', exact: true }).click();
  await page.getByText('Refused', { exact: true }).waitFor({ state: 'detached' });
  expect(await page.getByLabel('Account id').inputValue()).toBe(customer.accountId);
}
