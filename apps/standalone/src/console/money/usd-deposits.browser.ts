import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { Customer } from '../../e2e/testing/customer';
import { seriousFindings } from '../testing/axe';
import { ConsoleUnderTest } from '../testing/console-under-test';
import { waitForMessage } from '../testing/messages';

const PATH = '/console/usd-deposits';
const DOCUMENT = Buffer.from('A bank statement of no one.');

let consoleUnderTest: ConsoleUnderTest;
let customer: Customer;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
  customer = Customer.of(consoleUnderTest.cluster.sandbox);
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

async function record(page: Page, amount: string, reference: string): Promise<void> {
  await page.getByRole('button', { name: 'Record a deposit…' }).click();
  const dialog = page.getByRole('dialog');
  const complains = (text: string): Promise<void> => dialog.getByRole('alert').getByText(text).waitFor();
  const send = (): Promise<void> => dialog.getByRole('button', { name: 'Record', exact: true }).click();
  await send();
  await complains('Enter the id of the account.');
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByLabel('Account id').fill(customer.accountId);
  await dialog.getByLabel('Amount in USD').fill('12.345');
  await send();
  await complains('at most 2 decimals');
  await dialog.getByLabel('Amount in USD').fill(amount);
  await dialog.getByLabel('Bank reference').fill(reference);
  await send();
  await complains('Choose the document that proves the payment.');
  await dialog
    .getByLabel('Document that proves the payment')
    .setInputFiles({ name: 'statement.pdf', mimeType: 'application/pdf', buffer: DOCUMENT });
  await dialog.getByLabel('Source of the payment').fill('Example Bank, New York');
  await send();
  await dialog.waitFor({ state: 'detached' });
}

/** Compares another document, and then the recorded one, in the open dialog of a confirmation. */
async function otherDocumentIsRefused(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm the deposit' });
  await dialog.getByText(customer.accountId).waitFor();
  const choose = (buffer: Buffer): Promise<void> =>
    dialog
      .getByLabel('Compare a document')
      .setInputFiles({ name: 'statement.pdf', mimeType: 'application/pdf', buffer });
  await choose(Buffer.from('Another bank statement.'));
  await dialog.getByRole('status').getByText('This is another document').waitFor();
  await dialog.getByRole('button', { name: 'Confirm and credit' }).click();
  await dialog.getByRole('alert').getByText('This is another document').waitFor();
  expect(await balance()).toBe('0.00');
  await choose(DOCUMENT);
  await dialog.getByText('This is the recorded document.').waitFor();
}

const balance = async (): Promise<string> =>
  (await customer.api.get<{ balance: { 'running-balance': string } }>(customer.path('/assets/usd/balance'))).balance[
    'running-balance'
  ];

/** An auditor compares a document with the recorded hash after the decision. */
async function auditorCompares(): Promise<void> {
  const auditor = await consoleUnderTest.as('auditor', `${PATH}?status=credited`);
  await auditor.getByText('Compare a document', { exact: true }).click();
  const choose = (buffer: Buffer): Promise<void> =>
    auditor
      .getByLabel('Compare a document with the recorded hash')
      .setInputFiles({ name: 'statement.pdf', mimeType: 'application/pdf', buffer });
  await choose(Buffer.from('Another bank statement.'));
  await auditor.getByText('This is another document').waitFor();
  await choose(DOCUMENT);
  await auditor.getByText('This is the recorded document.').waitFor();
  expect(await seriousFindings(auditor)).toEqual([]);
}

it('an operator records USD deposits, an approver confirms one and rejects one, and others read them masked', async () => {
  const operator = await consoleUnderTest.as('operator', PATH);
  await record(operator, '2500.00', 'SWIFT-FT26031');
  await waitForMessage(operator, 'Recorded. Another staff member must confirm it.');
  await operator.getByText('You recorded it. Another staff member must confirm it.').waitFor();
  expect(await operator.getByRole('button', { name: 'Confirm…' }).count()).toBe(0);
  await operator.getByText(createHash('sha256').update(DOCUMENT).digest('hex')).waitFor();
  expect(await seriousFindings(operator)).toEqual([]);

  const auditor = await consoleUnderTest.as('auditor', PATH);
  await auditor.getByText('An operator or an approver must decide.').waitFor();
  for (const name of ['Record a deposit…', 'Show source and target'])
    expect(await auditor.getByRole('button', { name }).count()).toBe(0);
  await auditor.getByText('from ***').waitFor();
  expect(await auditor.content()).not.toContain('Example Bank');

  const approver = await consoleUnderTest.as('approver-1', PATH);
  await approver.getByText('from ***').waitFor();
  await approver.getByText('recorded by operator').waitFor();
  await approver.getByRole('button', { name: 'Show source and target' }).click();
  await approver.getByText('from Example Bank, New York').waitFor();
  await approver.getByRole('button', { name: 'Confirm…' }).click();
  expect(await seriousFindings(approver)).toEqual([]);
  await otherDocumentIsRefused(approver);
  await approver.getByRole('button', { name: 'Confirm and credit' }).click();
  await waitForMessage(approver, 'Confirmed and credited.');
  expect(await approver.evaluate<string>('document.activeElement?.tagName ?? ""')).toBe('H1');
  await approver.getByText('from ***').waitFor();
  expect(await balance()).toBe('2500.00');
  await auditorCompares();

  await record(operator, '1.00', 'SWIFT-FT26032');
  await approver.reload();
  await approver.getByRole('button', { name: 'Reject…' }).click();
  await approver.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click();
  await waitForMessage(approver, 'Rejected. Nothing is credited.');
  await approver.getByRole('link', { name: 'Voided', exact: true }).click();
  await approver.getByText('1.00 USD').waitFor();
  await approver.getByText('2500.00 USD').waitFor({ state: 'detached' });
  expect(await balance()).toBe('2500.00');
});

it('a deposit that is recorded while the user leaves the page is recorded, and the next page says so', async () => {
  const page = await consoleUnderTest.as('operator', '/console/staff');
  await page.getByRole('link', { name: 'USD deposits' }).click();
  await page.getByRole('button', { name: 'Record a deposit…' }).waitFor();
  let letThrough = (): void => undefined;
  const left = new Promise<void>((resolve) => (letThrough = resolve));
  let arrived = (): void => undefined;
  const sent = new Promise<void>((resolve) => (arrived = resolve));
  await page.route('**/staff/v1/usd-deposits', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    arrived();
    await left;
    return route.fulfill({ response });
  });
  const recorded = record(page, '7.00', 'SWIFT-FT26033');
  await sent;
  await page.goBack();
  await page.getByRole('heading', { name: 'Staff', exact: true, level: 1 }).waitFor();
  await recorded;
  letThrough();
  await waitForMessage(page, 'Recorded. Another staff member must confirm it.');
  await page.getByRole('heading', { name: 'Staff', exact: true, level: 1 }).waitFor();
});
