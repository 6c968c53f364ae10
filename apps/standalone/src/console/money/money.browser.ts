import { SANCTIONED_SANDBOX_ADDRESS } from '@ponte/contracts';
import type { Page } from 'playwright-core';
import { Customer } from '../../e2e/testing/customer';
import { until } from '../../e2e/testing/waiting';
import { seriousFindings } from '../testing/axe';
import { ConsoleUnderTest } from '../testing/console-under-test';

const STRANGER = '39053344705';
const TOMORROW_MS = 36 * 3_600_000;

let consoleUnderTest: ConsoleUnderTest;
let customer: Customer;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
  customer = Customer.of(consoleUnderTest.cluster.sandbox);
  await customer.fund('100.00');
  const { body } = await customer.accept(await customer.quote('100.00'));
  await customer.ended(body.order.id);
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

const rows = (page: Page) => page.locator('tbody tr');
const filter = (page: Page): Promise<void> => page.getByRole('button', { name: 'Filter', exact: true }).click();

/** Starts a token withdrawal, which is held if a sanctions list names the address. */
async function withdraw(amount: string, address: string, externalId: string): Promise<string> {
  const { withdrawal } = await customer.api.post<{ withdrawal: { id: string } }>(customer.path('/withdrawals'), {
    asset: 'eth-base/brlv',
    amount,
    'destination-wallet-address': address,
    'external-id': externalId,
  });
  return withdrawal.id;
}

it('a withdrawal opens from the list, with its review and with links', async () => {
  const id = await withdraw('3', SANCTIONED_SANDBOX_ADDRESS, 'payout-3');
  const page = await consoleUnderTest.as('analyst', '/console/money/withdrawals');
  await page.getByRole('link', { name: id.slice(0, 8).toUpperCase() }).click();
  await page.getByRole('heading', { name: `Withdrawal ${id.slice(0, 8).toUpperCase()}` }).waitFor();
  expect(await page.title()).toContain(`Movement ${id.slice(0, 8).toUpperCase()}`);
  await page.getByText('3.000000000000000000 eth-base/brlv').waitFor();
  await page.getByRole('region', { name: 'Details' }).getByText('payout-3').waitFor();
  await page.getByRole('region', { name: 'On a sanctions list' }).getByText('entry').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('link', { name: '‹ Withdrawals' }).click();
  await page.getByRole('heading', { name: 'Money' }).waitFor();
  await page.goto(`/console/money/withdrawals/${crypto.randomUUID()}`);
  await page.getByRole('heading', { name: 'There is no such record' }).waitFor();
});

it("a partner's own id is shown as it was sent, whatever it looks like", async () => {
  const ids = ['2026-01-31Tboom', '2026-01-31T12:00Z', 'Pay_out'];
  for (const [at, externalId] of ids.entries()) {
    const id = await withdraw('1', `0x${`a${at}`.repeat(20)}`, externalId);
    const page = await consoleUnderTest.as('auditor', `/console/money/withdrawals/${id}`);
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText(externalId, { exact: true }).waitFor();
    // Times name their zone.
    await details
      .getByText(/^\d+ \w+ \d{4}, \d\d:\d\d (UTC|GMT[+-]\d+(:\d\d)?)$/)
      .first()
      .waitFor();
  }
});

it('filters narrow a list, are part of the address, and stay on the page when the server refuses one', async () => {
  const kept = await withdraw('1', `0x${'d1'.repeat(20)}`, 'payout-1');
  await withdraw('2', `0x${'d2'.repeat(20)}`, 'payout-2');
  const page = await consoleUnderTest.as('auditor', '/console/money/withdrawals');
  await rows(page).nth(1).waitFor();
  await page.getByText('More filters').click();
  await page.getByLabel("Partner's own id").fill('payout-1');
  await page.getByLabel('Asset').selectOption('eth-base/brlv');
  await page.getByLabel('Created from').fill('2026-01-01');
  expect(await seriousFindings(page)).toEqual([]);
  await filter(page);
  await rows(page).nth(1).waitFor({ state: 'detached' });
  expect(await rows(page).getByRole('link').first().getAttribute('title')).toBe(kept);
  await page.reload();
  expect(await page.getByLabel("Partner's own id").inputValue()).toBe('payout-1');
  expect(await rows(page).count()).toBe(1);

  const ahead = new Date(consoleUnderTest.cluster.clock.now() + TOMORROW_MS).toISOString().slice(0, 10);
  await page.getByLabel('Created from').fill(ahead);
  await filter(page);
  await page.getByText('No entries match these filters.').waitFor();
  await page.getByLabel('Created until').fill('2026-01-01');
  await filter(page);
  await page.getByRole('alert').getByText('must not be after').waitFor();
  expect(await page.getByLabel("Partner's own id").inputValue()).toBe('payout-1');
  expect(await seriousFindings(page)).toEqual([]);
});

it('rows stay low in a narrow window', async () => {
  await withdraw('1', `0x${'d3'.repeat(20)}`, 'payout-narrow');
  const viewport = { width: 420, height: 800 };
  const page = await consoleUnderTest.as('auditor', '/console/money/withdrawals', { viewport });
  const box = await rows(page).first().boundingBox();
  expect(box?.height).toBeLessThan(200);
});

it('a deposit shows where it came from without the sender, and links to the privacy report of its payer', async () => {
  const { 'pix-payment': paid } = await customer.api.post<{ 'pix-payment': { 'end-to-end-id': string } }>(
    '/api/v1/sandbox/pix-payments',
    { 'account-id': customer.accountId, amount: '4.00', 'payer-tax-id': STRANGER },
  );
  const { id } = await customer.deposited(paid['end-to-end-id'], 'voided');
  const page = await consoleUnderTest.as('auditor', `/console/money/deposits?end-to-end-id=${paid['end-to-end-id']}`);
  await rows(page).getByRole('link').first().click();
  await page.getByRole('heading', { name: `Deposit ${id.slice(0, 8).toUpperCase()}` }).waitFor();
  await page.locator('.note.bad').getByText('Payer tax id mismatch').waitFor();
  const source = page.getByRole('region', { name: 'Where it came from' });
  await source.getByText('Source tax id').waitFor();
  expect(await page.content()).not.toContain(STRANGER);
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Find the data by this deposit' }).click();
  expect(await page.getByLabel('Deposit id').inputValue()).toBe(id);
  const operator = await consoleUnderTest.as('operator', `/console/money/deposits/${id}`);
  await operator.getByRole('region', { name: 'Where it came from' }).waitFor();
  expect(await operator.getByRole('link', { name: 'Find the data by this deposit' }).count()).toBe(0);
  // Accounts open for an operator at their wallets.
  await operator.getByRole('link', { name: customer.accountId.slice(0, 8).toUpperCase() }).click();
  await operator.getByRole('heading', { name: 'Wallets of' }).waitFor();
});

/** A certificate that was moved to an address, a token transfer to it, and a token deposit. */
async function moved(wallet: string, target: string): Promise<{ certificateId: string; txHash: string }> {
  const issued = await customer.api.post<{ 'reward-certificate': { id: string } }>(
    '/api/v1/sandbox/reward-certificates',
    { 'account-id': customer.accountId, 'wallet-address': wallet, amount: '5' },
  );
  const { id: certificateId } = issued['reward-certificate'];
  const addresses = { 'source-address': wallet, 'target-address': target };
  await customer.api.post(customer.path('/transfers'), { asset: 'eth-base/brlv', amount: '1', ...addresses });
  await until(() =>
    customer.api.post(customer.path('/nft-transfers'), { 'reward-certificate-id': certificateId, ...addresses }),
  );
  const { deposit } = await customer.api.post<{ deposit: { 'tx-hash': string } }>('/api/v1/sandbox/deposits', {
    ...{ 'account-id': customer.accountId, type: 'token', asset: 'eth-base/usdc', amount: '3' },
  });
  return { certificateId, txHash: deposit['tx-hash'] };
}

it('token deposits, transfers and certificates are found by their transaction, address and wallet', async () => {
  const { wallets } = await customer.api.get<{ wallets: { address: string }[] }>(
    customer.path('/wallets?assets=eth-base/brlv'),
  );
  const [wallet = '', target, other] = [wallets[0]?.address, `0x${'d3'.repeat(20)}`, `0x${'d4'.repeat(20)}`];
  const { certificateId, txHash } = await moved(wallet, target);
  const page = await consoleUnderTest.as('auditor');
  for (const [list, heading, label, value, wrong] of [
    ['Deposits', 'Deposit', 'Transaction hash', txHash, `0x${'ab'.repeat(32)}`],
    ['Token transfers', 'Token transfer', 'Target address', target, other],
    ['NFT transfers', 'NFT transfer', 'Certificate id', certificateId, crypto.randomUUID()],
    ['Reward certificates', 'Reward certificate', 'Wallet', wallet, other],
  ] as const) {
    await page.goto('/console/money');
    await page.getByRole('link', { name: list, exact: true }).click();
    await page.locator('nav [aria-current="page"]', { hasText: list }).waitFor();
    await page.getByText('More filters').click();
    await page.getByLabel(label).fill(wrong);
    await filter(page);
    await page.getByText('No entries match these filters.').waitFor();
    await page.getByLabel(label).fill(value);
    await until(async () => {
      await filter(page);
      await rows(page).first().waitFor({ timeout: 5_000 });
    });
    expect(await rows(page).count()).toBe(1);
    expect(await seriousFindings(page)).toEqual([]);
    await rows(page).getByRole('link').first().click();
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.getByRole('region', { name: 'Details' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  }
  // A transfer links to its certificate.
  await page.goto('/console/money/nft-transfers');
  await rows(page).getByRole('link').first().click();
  await page.getByRole('link', { name: certificateId }).click();
  await page.getByRole('heading', { name: 'Reward certificate' }).waitFor();
});
