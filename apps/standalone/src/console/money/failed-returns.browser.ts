import type { Page } from 'playwright-core';
import { Operator } from '../../e2e/testing/operator';
import { Customer } from '../../e2e/testing/customer';
import { until } from '../../e2e/testing/waiting';
import { seriousFindings } from '../testing/axe';
import { ConsoleUnderTest } from '../testing/console-under-test';
import { waitForMessage } from '../testing/messages';

const STRANGER = '39053344705';
const PATH = '/console/failed-returns';

let consoleUnderTest: ConsoleUnderTest;
let customer: Customer;
let bank: Operator;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start({ LEDGER_RESUME_MS: '500' });
  customer = Customer.of(consoleUnderTest.cluster.sandbox);
  bank = Operator.of(consoleUnderTest.cluster);
});
afterEach(() => consoleUnderTest.leave());
afterAll(async () => {
  await bank.api.close();
  await consoleUnderTest.close();
});

/** The end-to-end id of a payment by a stranger that the bank refuses permanently to return. */
async function refusedReturn(amount: string): Promise<string> {
  await bank.api.post('/staff/sandbox/bank', { returns: 'not-carried-out' });
  const body = { 'account-id': customer.accountId, amount, 'payer-tax-id': STRANGER };
  const { 'pix-payment': paid } = await customer.api.post<{ 'pix-payment': { 'end-to-end-id': string } }>(
    '/api/v1/sandbox/pix-payments',
    body,
  );
  return paid['end-to-end-id'];
}

async function propose(page: Page, reference: string): Promise<void> {
  await page.getByRole('button', { name: 'Propose a settlement…' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await dialog.getByRole('alert').getByText('Enter the reference of the payment at the bank').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByLabel('Bank reference').fill(reference);
  await dialog.getByLabel('What was done').fill('Ticket 4711');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await waitForMessage(page, 'Recorded. Another staff member must confirm it.');
}

async function decide(page: Page, step: 'Confirm' | 'Reject'): Promise<void> {
  await page.getByRole('button', { name: `${step}…` }).click();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: step, exact: true }).click();
}

it('an operator proposes settlements, an approver rejects one and confirms the next, and other roles only read', async () => {
  const endToEndId = await refusedReturn('8.00');
  const operator = await consoleUnderTest.as('operator', PATH);
  await until(async () => {
    await operator.reload();
    await operator.getByText('8.00 fiat/brl').waitFor({ timeout: 5_000 });
  });
  expect(await seriousFindings(operator)).toEqual([]);
  await propose(operator, 'E1');
  await operator.getByText('You proposed it. Another staff member must decide.').waitFor();
  expect(await operator.getByRole('button', { name: 'Confirm…' }).count()).toBe(0);
  expect(await operator.getByRole('button', { name: 'Show the note' }).count()).toBe(0);
  expect(await operator.getByText('Ticket 4711').count()).toBe(0);

  const auditor = await consoleUnderTest.as('auditor', PATH);
  await auditor.getByText('An operator or an approver must decide.').waitFor();
  expect(await auditor.getByText('Ticket 4711').count()).toBe(0);
  await auditor.getByRole('button', { name: 'Show the note' }).click();
  await auditor.getByText('Ticket 4711').waitFor();
  expect(await seriousFindings(auditor)).toEqual([]);

  const approver = await consoleUnderTest.as('approver-1', PATH);
  await approver.getByText('E1', { exact: true }).waitFor();
  await decide(approver, 'Reject');
  await waitForMessage(approver, 'Rejected. The money is still in suspense.');
  await approver.getByText('An operator proposes a settlement.').waitFor();

  await operator.reload();
  await propose(operator, 'E2');
  await approver.reload();
  await decide(approver, 'Confirm');
  await waitForMessage(approver, 'Settled.');
  await approver.getByRole('link', { name: 'Settled', exact: true }).click();
  // The links of the next page keep its filter.
  await approver.locator('nav [aria-current="page"]', { hasText: 'Settled' }).waitFor();
  await approver.getByText('8.00 fiat/brl').waitFor();
  await approver.getByText('Confirmed').waitFor();
  // The filters for status and cause apply together.
  await approver.getByRole('link', { name: 'No account may receive it' }).click();
  await approver.getByText('8.00 fiat/brl').waitFor({ state: 'detached' });
  expect(new URL(approver.url()).search).toBe('?status=settled&cause=unallocated');
  await approver.getByRole('link', { name: 'The bank refuses to return it' }).click();
  await approver.getByText('8.00 fiat/brl').waitFor();
  await approver.getByRole('link', { name: 'Any cause' }).click();
  await approver.locator('nav [aria-current="page"]', { hasText: 'Any cause' }).waitFor();
  await approver.getByRole('link', { name: 'Open', exact: true }).click();
  await approver.getByText('No payment matches.').waitFor();
  expect(await seriousFindings(approver)).toEqual([]);

  await bank.api.post('/staff/sandbox/bank', { 'take-back': endToEndId });
  await until(async () => {
    await approver.reload();
    await approver.getByText('Paid back twice', { exact: true }).first().waitFor({ timeout: 5_000 });
  });
  await approver.getByText(endToEndId, { exact: true }).waitFor();
  expect(await seriousFindings(approver)).toEqual([]);
});
