import { privateKeyToAccount } from 'viem/accounts';
import type { Page } from 'playwright-core';
import { freezeAccount } from '../e2e/order-attacks/testing/account-standing';
import { seriousFindings } from './testing/axe';
import { ask, decide, filled } from './testing/account-steps';
import { ConsoleUnderTest } from './testing/console-under-test';
import { waitForMessage } from './testing/messages';

let consoleUnderTest: ConsoleUnderTest;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

const chip = (page: Page): Promise<string | null> => page.locator('.facts .chip').first().textContent();

/** An active account, and its status as its partner sees it. */
async function account(): Promise<{ id: string; status: () => Promise<string> }> {
  const { 'subaccount-id': id } = consoleUnderTest.cluster.sandbox;
  return {
    id,
    status: async () =>
      (await consoleUnderTest.partner.api.get<{ account: { status: string } }>(`/api/v1/accounts/${id}`)).account
        .status,
  };
}

it('freezing and releasing an account each need two members, and the requester cannot confirm', async () => {
  const { id, status } = await account();
  const analyst = await consoleUnderTest.as('analyst', '/console/accounts');
  await analyst.getByLabel('Account id').fill('nothing');
  await analyst.keyboard.press('Enter');
  await analyst.getByRole('alert').getByText('This is not the id of an account.').waitFor();
  await analyst.getByLabel('Account id').fill(id);
  await analyst.keyboard.press('Enter');
  await analyst.getByRole('heading', { name: `Account ${id.slice(0, 8).toUpperCase()}` }).waitFor();
  await ask(analyst, 'Freeze', 'Fraud is suspected', 'Ticket 4711');
  expect([await chip(analyst), await status()]).toEqual(['Active', 'active']);
  await analyst.getByText('Another approver must confirm it. You cannot.').waitFor();
  expect(await analyst.getByRole('button', { name: 'Confirm the freeze' }).count()).toBe(0);

  const first = await consoleUnderTest.as('approver-1', '/console/accounts');
  await first.getByText('Freeze waits for an approver').waitFor();
  await first.getByText(/^since \d/).waitFor();
  await first.getByRole('link', { name: id.slice(0, 8).toUpperCase() }).click();
  await first.getByText('Ticket 4711').waitFor();
  expect(await seriousFindings(first)).toEqual([]);
  await decide(first, 'Confirm the freeze');
  await waitForMessage(first, 'The account is frozen.');
  expect([await chip(first), await status()]).toEqual(['Frozen', 'frozen']);
  await first.getByText('Requested by analyst, confirmed by you').waitFor();

  await ask(first, 'Release', 'Resolved', 'Ticket 4711, closed');
  expect(await first.getByRole('button', { name: 'Confirm the release' }).count()).toBe(0);
  const second = await consoleUnderTest.as('approver-2', `/console/accounts/${id}`);
  await decide(second, 'Refuse the release');
  await waitForMessage(second, 'Refused.');
  await ask(second, 'Release', 'Frozen by mistake', 'Ticket 4712');
  await first.reload();
  await decide(first, 'Confirm the release');
  await waitForMessage(first, 'The account is released.');
  expect([await chip(first), await status()]).toEqual(['Active', 'active']);
  await first.getByText('It is not frozen.').waitFor();
  // An auditor can read the account but not change it. An operator sees the list, and opens the account's wallets.
  const auditor = await consoleUnderTest.as('auditor', `/console/accounts/${id}`);
  await auditor.getByText('Your role may read this, but not change it.').waitFor();
  const operator = await consoleUnderTest.as('operator', '/console/accounts');
  await operator.getByText('No account is frozen, and no freeze is waiting.').waitFor();
  await operator.getByLabel('Account id').fill(id);
  await operator.keyboard.press('Enter');
  await operator.getByRole('heading', { name: `Wallets of ${id.slice(0, 8).toUpperCase()}` }).waitFor();
});

it('a case shows the message that the key of an external wallet signed', async () => {
  const owner = privateKeyToAccount(`0x${'c1'.repeat(32)}`);
  const message = 'I, Maria Silva, hold this wallet';
  const { id } = await consoleUnderTest.partner.request({
    'external-wallets': [
      { address: owner.address, proof: { message, signature: await owner.signMessage({ message }) } },
      '0x00000000000000000000000000000000000000d2',
    ],
  });
  const page = await consoleUnderTest.opened('analyst', id);
  const wallet = (text: string) => page.locator('.wallets li', { hasText: text });
  await wallet('Signature valid').getByText(message).waitFor();
  await wallet('No signature').getByText('0x00000000000000000000000000000000000000d2').waitFor();
});

it("a case shows the data that it shares with other people's requests", async () => {
  const wallet = '0x00000000000000000000000000000000000000d1';
  const first = await consoleUnderTest.partner.request({ 'external-wallets': [wallet] });
  const { id } = await consoleUnderTest.partner.request();
  const page = await consoleUnderTest.opened('analyst', id);
  const duplicates = page.locator('.duplicates');
  for (const kind of [
    'The same document file',
    'The same e-mail address',
    'The same telephone number',
    'The same postal address',
  ])
    await duplicates.getByText(kind).waitFor();
  await duplicates.getByText("Other people's requests").waitFor();
  await page.locator('.checks li', { hasText: 'No request of another person' }).getByText('Look at this').waitFor();
  await duplicates
    .getByRole('link', { name: first.id.slice(0, 8).toUpperCase() })
    .first()
    .click();
  await page.getByRole('heading', { name: `Request ${first.id.slice(0, 8).toUpperCase()}` }).waitFor();
});

// These accounts are frozen or closed at the end, so this is the last test.
it('closing a frozen account needs two members and an empty account, and is final', async () => {
  const { id, status } = await account();
  const { sandbox, clock } = consoleUnderTest.cluster;
  await freezeAccount(sandbox, sandbox['account-id']);
  const analyst = await consoleUnderTest.as('analyst', `/console/accounts/${sandbox['account-id']}`);
  const refused = await filled(analyst, 'Close', 'The partner asked for it', 'Ticket 4713');
  await refused.getByRole('alert').getByText(`sub-account ${id} is active`, { exact: false }).waitFor();
  expect(await seriousFindings(analyst)).toEqual([]);
  await refused.getByRole('button', { name: 'Cancel' }).click();

  await analyst.goto(`/console/accounts/${id}`);
  await analyst.getByRole('button', { name: 'Freeze…' }).waitFor();
  expect(await analyst.getByRole('button', { name: 'Close…' }).count()).toBe(0);
  await consoleUnderTest.partner.api.post('/api/v1/sandbox/pix-payments', { 'account-id': id, amount: '0.01' });
  // However long the steps take, less than a minute passes until the first confirmation.
  clock.stopAt(new Date(clock.now() + 1_000).toISOString());
  await freezeAccount(sandbox, id);
  await analyst.reload();
  const withDust = await filled(analyst, 'Close', 'The holder asked for it', 'Ticket 4714');
  await withDust.getByRole('alert').getByText('the balance of fiat/brl is 0.01', { exact: false }).waitFor();
  await withDust.getByLabel('Write off (optional)').fill('0.01');
  await withDust.getByRole('button', { name: 'Request the closing' }).click();
  await withDust.getByRole('alert').getByText('Enter the asset and the amount', { exact: false }).waitFor();
  await withDust.getByLabel('Write off (optional)').fill('fiat/brl 0.01');
  await withDust.getByRole('button', { name: 'Request the closing' }).click();
  await waitForMessage(analyst, 'Requested. Another approver must confirm it.');
  expect(await analyst.getByRole('button', { name: 'Confirm the closing' }).count()).toBe(0);

  const approver = await consoleUnderTest.as('approver-1', '/console/accounts');
  await approver.getByText('Closing waits for an approver').waitFor();
  await approver.getByRole('link', { name: id.slice(0, 8).toUpperCase() }).click();
  await approver.getByText('Ticket 4714').waitFor();
  await approver.getByText('fiat/brl 0.01').waitFor();
  await decide(approver, 'Confirm the closing');
  const inUse = approver.getByRole('dialog', { name: 'Confirm the closing' });
  await inUse
    .getByRole('alert')
    .getByText(/what began before the freeze may still be arriving/i)
    .waitFor();
  await inUse.getByRole('button', { name: 'Cancel' }).click();
  expect([await chip(approver), await status()]).toEqual(['Frozen', 'frozen']);
  clock.goOn();
  clock.pass(new Date(clock.now() + 61_000).toISOString());
  await decide(approver, 'Confirm the closing');
  await waitForMessage(approver, 'The account is closed.');
  expect([await chip(approver), await status()]).toEqual(['Closed', 'closed']);
  await approver.getByRole('heading', { name: 'Why it was frozen' }).waitFor();
  await approver.getByText('There is nothing for you to do here.').waitFor();
  expect(await seriousFindings(approver)).toEqual([]);
});
