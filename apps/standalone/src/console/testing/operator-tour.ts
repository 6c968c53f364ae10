import type { Page } from 'playwright-core';
import { Customer } from '../../e2e/testing/customer';
import { Operator } from '../../e2e/testing/operator';
import type { ConsoleUnderTest } from './console-under-test';
import type { Look } from './look';

const WALLET = `0x${'c6'.repeat(20)}`;

/** Whitelists a wallet for the sandbox's account, and issues a certificate to its own wallet. */
export async function prepareOperations({ cluster }: ConsoleUnderTest): Promise<void> {
  const [customer, operator] = [Customer.of(cluster.sandbox), Operator.of(cluster)];
  const { accountId } = customer;
  await operator.api.post(`/staff/accounts/${accountId}/whitelisted-wallets`, { address: WALLET });
  await operator.api.close();
  const { wallets } = await customer.api.get<{ wallets: { address: string }[] }>(
    customer.path('/wallets?assets=eth-base/brlv'),
  );
  const certificate = { 'account-id': accountId, 'wallet-address': wallets[0]?.address, amount: '5' };
  await customer.api.post('/api/v1/sandbox/reward-certificates', certificate);
  await customer.api.close();
}

/** The pages on which operators act, with their dialogs. */
export async function operations(page: Page, accountId: string, look: Look): Promise<void> {
  await page.goto(`/console/accounts/${accountId}/wallets`);
  await page.getByText(WALLET).waitFor();
  await look(page, 'wallets');
  for (const [path, button] of [
    ['', 'Whitelist a wallet…'],
    ['', 'Allow for FX…'],
    ['/console/certificates', 'Issue a certificate…'],
    ['/console/staff', 'End the sessions…'],
  ] as const) {
    if (path !== '') {
      await page.goto(path);
      await page.getByRole('button', { name: button }).first().waitFor();
      await look(page, path);
    }
    await page.getByRole('button', { name: button }).first().click();
    await page.getByRole('dialog').waitFor();
    await look(page, button);
    await page.keyboard.press('Escape');
  }
  await page.goto('/console/addresses?view=all');
  await page.getByText('No review matches.').waitFor();
  await look(page, 'all addresses');
  await page.goto('/console/money/certificates');
  await page.getByText('More filters').click();
  await look(page, 'money');
  await page.locator('tbody a').first().click();
  await page.getByRole('region', { name: 'Details' }).waitFor();
  await look(page, 'movement');
}
