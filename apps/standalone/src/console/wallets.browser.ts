import { SANCTIONED_SANDBOX_ADDRESS } from '@ponte/contracts';
import type { Page } from 'playwright-core';
import { Customer } from '../e2e/testing/customer';
import { seriousFindings } from './testing/axe';
import { ConsoleUnderTest } from './testing/console-under-test';
import { waitForMessage } from './testing/messages';

const WALLET = `0x${'c4'.repeat(20)}`;
const BAD_CHECKSUM = `0x${'Ab'.repeat(20)}`;

let consoleUnderTest: ConsoleUnderTest;
let customer: Customer;
let path: string;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
  customer = Customer.of(consoleUnderTest.cluster.sandbox);
  path = `/console/accounts/${customer.accountId}/wallets`;
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Whitelist a wallet' });
const rowOf = (page: Page, address: string) => page.getByRole('row').filter({ hasText: address });
const complains = (page: Page, text: string | RegExp): Promise<void> =>
  dialogOf(page).getByRole('alert').getByText(text).waitFor();

async function whitelist(page: Page, address: string, fx = false): Promise<void> {
  if ((await dialogOf(page).count()) === 0) await page.getByRole('button', { name: 'Whitelist a wallet…' }).click();
  await dialogOf(page).getByLabel('Address of the wallet').fill(address);
  await dialogOf(page).getByLabel('Also for FX orders').setChecked(fx);
  await dialogOf(page).getByRole('button', { name: 'Whitelist', exact: true }).click();
}

/** Whether the account may order BRLV to the wallet. */
async function mayOrderTo(address: string): Promise<string> {
  const answer = await customer.api.send('POST', customer.path('/orders'), {
    'quote-id': await customer.quote('10.00'),
    'target-wallet-address': address,
  });
  return answer.status < 300 ? 'yes' : answer.body.error.code;
}

it('an operator puts a wallet on the whitelist and allows it for FX, and orders may then use it', async () => {
  await customer.fund('100.00');
  expect(await mayOrderTo(WALLET)).toBe('wallet-not-allowed');
  const page = await consoleUnderTest.as('operator', '/console/accounts');
  await page.getByLabel('Account id').fill('nothing');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('This is not the id of an account.').waitFor();
  await page.getByLabel('Account id').fill(customer.accountId);
  await page.keyboard.press('Enter');
  await page.getByText('No wallet is whitelisted for this account.').waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
  await whitelist(page, 'nothing');
  await complains(page, '0x and 40 hexadecimal digits');
  await whitelist(page, BAD_CHECKSUM);
  await complains(page, /checksum/);
  expect(await seriousFindings(page)).toEqual([]);
  await whitelist(page, WALLET);
  await waitForMessage(page, 'Whitelisted.');
  await rowOf(page, WALLET).getByText('Orders without FX').waitFor();
  expect(await mayOrderTo(WALLET)).toBe('yes');

  await rowOf(page, WALLET).getByRole('button', { name: 'Allow for FX…' }).click();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Allow', exact: true }).click();
  await waitForMessage(page, 'Whitelisted, including for FX orders.');
  await rowOf(page, WALLET).getByText('All orders').waitFor();
  await rowOf(page, WALLET).getByRole('button', { name: 'Allow for FX…' }).press('Enter');
  await waitForMessage(page, 'FX orders may already use it.');
  await whitelist(page, WALLET);
  await waitForMessage(page, 'Nothing changed: the wallet is already on the whitelist.');
  expect(await seriousFindings(page)).toEqual([]);
});

it('what a colleague allowed first stays allowed', async () => {
  const address = `0x${'c5'.repeat(20)}`;
  const slow = await consoleUnderTest.as('operator', path);
  await slow.getByRole('button', { name: 'Whitelist a wallet…' }).click();
  const quick = await consoleUnderTest.as('operator', path);
  await whitelist(quick, address, true);
  await waitForMessage(quick, 'Whitelisted, including for FX orders.');
  await whitelist(slow, address);
  await waitForMessage(slow, 'Whitelisted, including for FX orders.');
  await rowOf(slow, address).getByText('All orders').waitFor();
});

it('a wallet on a sanctions list is refused until two approvers have cleared it', async () => {
  const page = await consoleUnderTest.as('operator', path);
  await whitelist(page, SANCTIONED_SANDBOX_ADDRESS);
  await complains(page, 'Two approvers have to decide about the address first');
  for (const name of ['approver-1', 'approver-2'] as const) {
    const approver = await consoleUnderTest.as(name, '/console/addresses');
    await approver.getByRole('button', { name: 'False positive…' }).click();
    await approver.getByRole('dialog').getByLabel('Reason').fill('Ticket 4711');
    await approver.getByRole('dialog').getByRole('button', { name: 'Record it' }).click();
    await approver.locator('#messages').getByText('approver').waitFor();
  }
  await whitelist(page, SANCTIONED_SANDBOX_ADDRESS);
  await waitForMessage(page, 'Whitelisted.');
  await rowOf(page, SANCTIONED_SANDBOX_ADDRESS).waitFor();
});

it('other roles see no whitelist, and the link to it says why', async () => {
  const page = await consoleUnderTest.as('approver-1', `/console/accounts/${customer.accountId}`);
  const link = page.getByRole('button', { name: 'Whitelisted wallets' });
  expect(await link.getAttribute('aria-disabled')).toBe('true');
  await link.press('Enter');
  await waitForMessage(page, 'Only operators see and change the whitelist.');
  for (const name of ['analyst', 'approver-1', 'auditor'] as const) {
    const other = await consoleUnderTest.as(name, path);
    await other.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    expect(await other.getByText(WALLET).count()).toBe(0);
  }
  const operator = await consoleUnderTest.as('operator', path.replace(customer.accountId, crypto.randomUUID()));
  await operator.getByRole('heading', { name: 'There is no such record' }).waitFor();
});
