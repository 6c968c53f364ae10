import type { Page } from 'playwright-core';
import { closeAccount, freezeAccount } from '../../e2e/order-attacks/testing/account-standing';
import { Customer } from '../../e2e/testing/customer';
import { until } from '../../e2e/testing/waiting';
import { seriousFindings } from '../testing/axe';
import { ConsoleUnderTest } from '../testing/console-under-test';
import { waitForMessage } from '../testing/messages';

const DESTINATION = `0x${'cd'.repeat(20)}`;
/** The steps of a request to freeze are final after a minute. */
const LATER_MS = 61_000;

let consoleUnderTest: ConsoleUnderTest;
let customer: Customer;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start({ LEDGER_RESUME_MS: '500' });
  customer = Customer.of(consoleUnderTest.cluster.sandbox);
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

/** Presses a button of the page, and the one with this name in the dialog that it opens. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `${name}…` }).click();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

/** The id of a deposit of tokens that waits because its account is closed. */
async function waiting(): Promise<string> {
  const { sandbox, clock } = consoleUnderTest.cluster;
  const { accountId, api } = customer;
  await freezeAccount(sandbox, accountId);
  clock.pass(new Date(clock.now() + LATER_MS).toISOString());
  await until(() => closeAccount(sandbox, accountId));
  await api.post('/api/v1/sandbox/deposits', {
    ...{ 'account-id': accountId, type: 'token', asset: 'eth-base/usdc', amount: '5' },
  });
  return until(async () => {
    const path = customer.path('/assets/usdc/deposits?status=confirmed');
    const [one] = (await api.get<{ deposits: { id: string }[] }>(path)).deposits;
    if (!one) throw new Error('the tokens have not arrived');
    return one.id;
  });
}

it('tokens of a closed account are set aside on their page, and sent to an address on that of failed returns', async () => {
  const path = `/console/money/deposits/${await waiting()}`;
  const operator = await consoleUnderTest.as('operator', path);
  await press(operator, 'Set aside');
  await operator.getByText('You requested it. Another staff member must confirm it.').waitFor();
  expect(await operator.getByRole('button', { name: 'Confirm…' }).count()).toBe(0);

  const approver = await consoleUnderTest.as('approver-1', path);
  await press(approver, 'Confirm');
  await approver
    .getByText(/^voided$/i)
    .first()
    .waitFor();

  await operator.goto('/console/failed-returns?cause=set-aside');
  await operator.getByRole('button', { name: 'Propose an address…' }).click();
  const dialog = operator.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await dialog.getByRole('alert').getByText('Enter an address').waitFor();
  expect(await seriousFindings(operator)).toEqual([]);
  await dialog.getByLabel('Address').fill(DESTINATION);
  await dialog.getByLabel('Ticket or document').fill('TICKET-4713');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await waitForMessage(operator, 'Recorded. Another staff member must confirm it.');
  await operator.getByText('You proposed it. Another staff member must decide.').waitFor();

  await approver.goto('/console/failed-returns?cause=set-aside');
  await approver.getByText(DESTINATION).waitFor();
  await press(approver, 'Confirm');
  await waitForMessage(approver, 'Confirmed. The tokens are being sent.');
  await until(async () => {
    await approver.reload();
    await approver.getByText('Sent in').waitFor({ timeout: 5_000 });
  });
  expect(await seriousFindings(approver)).toEqual([]);
});
