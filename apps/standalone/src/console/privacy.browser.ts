import type { Page } from 'playwright-core';
import { PIX_PAYER } from '../../../ledger/src/pix-charge/pix-payer.port';
import type { PixPayer } from '../../../ledger/src/pix-charge/pix-payer.port';
import { Customer } from '../e2e/testing/customer';
import { until } from '../e2e/testing/waiting';
import { seriousFindings } from './testing/axe';
import { ConsoleUnderTest } from './testing/console-under-test';
import { CANARIES } from './testing/people';
import { waitForMessage } from './testing/messages';

const PATH = '/console/privacy';
const [PAYER] = CANARIES;
const CPF = '39053344705';
const NOT_FOUND = 'No data is found by this deposit.';
const YEARS_OF_RETENTION = 11;

let consoleUnderTest: ConsoleUnderTest;
let customer: Customer;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
  customer = Customer.of(consoleUnderTest.cluster.sandbox);
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

const create = (page: Page): Promise<void> => page.getByRole('button', { name: 'Create the report' }).click();

/** The deposit of a Pix payment whose payer the bank names without a tax id. */
async function paidWithoutTaxId(reference: string): Promise<string> {
  const bank = consoleUnderTest.cluster.app.get<PixPayer>(PIX_PAYER, { strict: false });
  const { brcode } = await customer.api.get<{ brcode: string }>(customer.path('/deposits/pix'));
  const payer = { ...bank.invent(CPF, PAYER ?? ''), taxId: null };
  const { endToEndId } = await bank.pay({ reference, brcode, amount: '7.00', payer });
  return (await customer.deposited(endToEndId, 'voided')).id;
}

/** Creates reports by the deposit until one is found: the payer is recorded shortly after the deposit. */
async function reportBy(page: Page, depositId: string): Promise<void> {
  await page.getByLabel('Find the person by').selectOption('deposit');
  await page.getByLabel('Deposit id').fill(depositId);
  await until(async () => {
    await create(page);
    await page.getByRole('heading', { name: 'The report' }).waitFor({ timeout: 5_000 });
  });
}

it('an auditor finds a payer without a tax id by the deposit, and no other person', async () => {
  const depositId = await paidWithoutTaxId('report');
  const page = await consoleUnderTest.as('auditor', PATH);
  await page.getByLabel('Find the person by').selectOption('deposit');
  expect(await page.getByLabel('CPF, or number of a passport or national id').isVisible()).toBe(false);
  await page.getByLabel('Deposit id').fill('nothing');
  await create(page);
  await page.getByRole('alert').getByText('This is not the id of a deposit.').waitFor();
  await page.getByLabel('Deposit id').fill((await customer.fund('5.00')).id);
  await create(page);
  await page.getByRole('alert').getByText(NOT_FOUND).waitFor();
  expect(await seriousFindings(page)).toEqual([]);

  await reportBy(page, depositId);
  const held = page.getByRole('row').filter({ hasText: depositId.slice(0, 8).toUpperCase() });
  expect(await held.getByText('Payer').count()).toBe(1);
  expect(await page.getByRole('row').filter({ hasText: 'auditor' }).count()).toBeGreaterThan(0);
  expect(await page.getByRole('button', { name: 'Erase this person…' }).count()).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);

  await page.getByLabel('Find the person by').selectOption('number');
  expect(await page.getByLabel('Deposit id').isVisible()).toBe(false);
  await page.getByLabel('CPF, or number of a passport or national id').fill(CPF);
  await create(page);
  await page.getByRole('alert').getByText('No data of this person is stored.').waitFor();
});

it('an operator and an analyst get no report', async () => {
  for (const name of ['operator', 'analyst'] as const) {
    const page = await consoleUnderTest.as(name, PATH);
    expect(await page.getByRole('link', { name: 'Privacy' }).count()).toBe(0);
    await page.getByLabel('CPF, or number of a passport or national id').fill(CPF);
    await create(page);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('heading', { name: 'The report' }).count()).toBe(0);
  }
});

it('an approver erases a payer without a tax id by typing the deposit, and a colleague learns that it is done', async () => {
  const depositId = await paidWithoutTaxId('erasure');
  const slow = await consoleUnderTest.as('approver-2', `${PATH}?deposit=${depositId}`);
  expect(await slow.getByLabel('Deposit id').inputValue()).toBe(depositId);
  await reportBy(slow, depositId);
  const erasing = slow.getByRole('dialog', { name: 'Erase this person' });
  await slow.getByRole('button', { name: 'Erase this person…' }).click();
  await erasing.getByText('The data is restricted, not erased yet').waitFor();
  await slow.keyboard.press('Escape');

  const { clock } = consoleUnderTest.cluster;
  const later = new Date(clock.now());
  later.setFullYear(later.getFullYear() + YEARS_OF_RETENTION);
  clock.pass(later.toISOString());
  const quick = await consoleUnderTest.as('approver-1', PATH);
  await reportBy(quick, depositId);
  await quick.getByRole('button', { name: 'Erase this person…' }).click();
  const dialog = quick.getByRole('dialog', { name: 'Erase this person' });
  await dialog.getByText('The key of this person is destroyed').waitFor();
  expect(await seriousFindings(quick)).toEqual([]);
  await dialog.getByRole('textbox').fill('another');
  await quick.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('The text does not match.').waitFor();
  await dialog.getByRole('textbox').fill(depositId);
  // The dialog is left before the answer comes.
  let answer = (): void => undefined;
  const isLeft = new Promise<void>((resolve) => (answer = resolve));
  const sent = quick.waitForRequest('**/staff/v1/erasures');
  await quick.route('**/staff/v1/erasures', async (route) => {
    await isLeft;
    await route.continue();
  });
  await quick.keyboard.press('Enter');
  await sent;
  await quick.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  answer();
  await waitForMessage(quick, 'Erased.');
  await quick.getByText('The key of this person was destroyed.').waitFor();

  await slow.getByRole('button', { name: 'Erase this person…' }).click();
  await waitForMessage(slow, 'The data of this person was erased before.');
  expect(await erasing.count()).toBe(0);
});
