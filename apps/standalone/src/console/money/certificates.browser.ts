import type { Page } from 'playwright-core';
import { Customer } from '../../e2e/testing/customer';
import { Operator } from '../../e2e/testing/operator';
import { seriousFindings } from '../testing/axe';
import { ConsoleUnderTest } from '../testing/console-under-test';
import { waitForMessage } from '../testing/messages';

const PATH = '/console/certificates';
const FOREIGN_WALLET = `0x${'ef'.repeat(20)}`;

let consoleUnderTest: ConsoleUnderTest;
let customer: Customer;
let commandLine: Operator;
let wallet: string;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
  customer = Customer.of(consoleUnderTest.cluster.sandbox);
  commandLine = Operator.of(consoleUnderTest.cluster);
  const { wallets } = await customer.api.get<{ wallets: { address: string }[] }>(
    customer.path('/wallets?assets=eth-base/brlv'),
  );
  wallet = wallets[0]?.address ?? '';
});
afterEach(() => consoleUnderTest.leave());
afterAll(async () => {
  await commandLine.api.close();
  await consoleUnderTest.close();
});

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Issue a reward certificate' });
const complains = (page: Page, text: string | RegExp): Promise<void> =>
  dialogOf(page).getByRole('alert').getByText(text).waitFor();
const send = (page: Page): Promise<void> => dialogOf(page).getByRole('button', { name: 'Issue', exact: true }).click();

/** Sends a form whose amount and account were read back once more. */
async function issue(page: Page): Promise<void> {
  await send(page);
  await complains(page, 'Check the amount and the account');
  await send(page);
}

async function fillIn(page: Page, amount: string, reference: string): Promise<void> {
  await page.getByRole('button', { name: 'Issue a certificate…' }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Account id').fill(customer.accountId);
  await dialog.getByLabel('Wallet of the account').fill(wallet);
  await dialog.getByLabel('Amount in BRLV').fill(amount);
  await dialog.getByLabel('Reward tier').selectOption('97');
  await dialog.getByLabel('Your reference').fill(reference);
}

const owned = async (): Promise<{ amount: string; status: string; 'reward-tier': number }[]> =>
  (
    await customer.api.get<{ 'reward-certificates': { amount: string; status: string; 'reward-tier': number }[] }>(
      customer.path('/reward-certificates'),
    )
  )['reward-certificates'];

it('an operator issues a certificate, and the page shows when it has been minted', async () => {
  const page = await consoleUnderTest.as('operator', PATH);
  await page.getByText('No certificate has this status.').waitFor();
  await page.getByRole('button', { name: 'Issue a certificate…' }).click();
  const dialog = dialogOf(page);
  await send(page);
  await complains(page, 'Enter the id of the account.');
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByLabel('Account id').fill(customer.accountId);
  await send(page);
  await complains(page, 'Enter the address of the wallet');
  await dialog.getByLabel('Wallet of the account').fill(FOREIGN_WALLET);
  await dialog.getByLabel('Amount in BRLV').fill('1.5e3');
  await send(page);
  await complains(page, 'at most 18 decimals');
  await dialog.getByLabel('Amount in BRLV').fill('250.50');
  await send(page);
  await complains(page, 'Enter your reference');
  await dialog.getByLabel('Your reference').fill('REW-1');
  await dialog.getByLabel('Reward tier').selectOption('93.5');
  await dialog.getByLabel('Amount in BRLV').fill('1000.500');
  await send(page);
  await dialog.getByRole('status').getByText('A certificate of 1,000.50 BRLV').waitFor();
  expect(await owned()).toEqual([]);
  await dialog.getByLabel('Amount in BRLV').fill('250.50');
  await issue(page);
  await complains(page, 'must be a wallet of the account on eth-base');
  expect(await owned()).toEqual([]);

  await dialog.getByLabel('Wallet of the account').fill(wallet);
  await page.keyboard.press('Enter');
  await dialog.getByRole('status').getByText('A certificate of 250.50 BRLV').waitFor();
  expect(await owned()).toEqual([]);
  await send(page);
  await waitForMessage(page, 'Issued. Its token is being minted.');
  const card = page.getByRole('region', { name: '250.50 BRLV, tier 93.5 %' });
  await card.getByText('issued by you').waitFor();
  // The page follows the mint without being loaded again.
  await card.getByText('Active', { exact: true }).waitFor();
  await card.getByText('Minting transaction').waitFor();
  expect(await owned()).toMatchObject([{ amount: '250.500000000000000000', status: 'active', 'reward-tier': 93.5 }]);
  expect(await seriousFindings(page)).toEqual([]);
});

it('a reference issues one certificate, even when a colleague was first', async () => {
  await commandLine.api.post(`/staff/accounts/${customer.accountId}/reward-certificates`, {
    reference: 'REW-2',
    'wallet-address': wallet,
    amount: '10.00',
    'reward-tier': 97,
  });
  const page = await consoleUnderTest.as('operator', PATH);
  await page.getByText('issued by admin').waitFor();
  const before = await page.getByRole('region', { name: /BRLV, tier/ }).count();
  await fillIn(page, '99.00', 'REW-2');
  await issue(page);
  await complains(page, 'Another certificate was issued under this reference.');
  expect(await dialogOf(page).getByLabel('Amount in BRLV').inputValue()).toBe('99.00');
  await dialogOf(page).getByLabel('Amount in BRLV').fill('10');
  await issue(page);
  await waitForMessage(page, 'Nothing new: this certificate had already been issued under the reference.');
  expect(await page.getByRole('region', { name: /BRLV, tier/ }).count()).toBe(before);
});

it('a reference that the operator used before issues nothing, even when the list does not show its certificate', async () => {
  const page = await consoleUnderTest.as('operator', PATH);
  await fillIn(page, '3.00', 'REW-3');
  await issue(page);
  await waitForMessage(page, 'Issued. Its token is being minted.');
  await page.getByRole('region', { name: '3.00 BRLV, tier 97 %' }).getByText('Active', { exact: true }).waitFor();
  const issued = (await owned()).length;
  await page.goto(`${PATH}?status=failed`);
  await fillIn(page, '3', 'REW-3');
  await issue(page);
  await waitForMessage(page, 'Nothing new: this certificate had already been issued under the reference.');
  expect((await owned()).length).toBe(issued);
});

it('other roles see the certificates, and a disabled button that says why', async () => {
  for (const name of ['analyst', 'approver-1', 'auditor'] as const) {
    const page = await consoleUnderTest.as(name, PATH);
    await page.getByText('issued by admin').waitFor();
    const issue = page.getByRole('button', { name: 'Issue a certificate…' });
    expect(await issue.getAttribute('aria-disabled')).toBe('true');
    await issue.press('Enter');
    await waitForMessage(page, 'Only operators issue certificates.');
    expect(await dialogOf(page).count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
  }
});

it('a link filters the certificates by status', async () => {
  const page = await consoleUnderTest.as('auditor', PATH);
  await page.getByText('issued by admin').waitFor();
  await page.getByRole('link', { name: 'Failed', exact: true }).click();
  await page.getByText('No certificate has this status.').waitFor();
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.getByText('issued by admin').waitFor();
});
