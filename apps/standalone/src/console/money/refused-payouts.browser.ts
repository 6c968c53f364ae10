import { Customer } from '../../e2e/testing/customer';
import { until } from '../../e2e/testing/waiting';
import { seriousFindings } from '../testing/axe';
import { ConsoleUnderTest } from '../testing/console-under-test';

const KEY = '52998224725';

let consoleUnderTest: ConsoleUnderTest;
let customer: Customer;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
  customer = Customer.of(consoleUnderTest.cluster.sandbox);
  await customer.fund('100.00');
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

it('a payout that the bank refused is listed with its account and its withdrawal, for every role', async () => {
  // The simulated bank refuses this amount.
  const body = { asset: 'fiat/brl', method: 'pix', amount: '1.95', 'pix-key': KEY };
  const { withdrawal } = await customer.api.post<{ withdrawal: { id: string } }>(customer.path('/withdrawals'), body);
  const page = await consoleUnderTest.as('auditor', '/console');
  await page.getByRole('link', { name: 'Refused payouts' }).click();
  await page.getByRole('heading', { name: 'Refused payouts' }).waitFor();
  await until(async () => {
    await page.reload();
    await page.getByText('1.95 fiat/brl').waitFor({ timeout: 5_000 });
  });
  await page.getByText('The bank will be asked again').last().waitFor();
  await page.getByText(/^next check \d/).waitFor();
  await page.getByRole('link', { name: customer.accountId.slice(0, 8).toUpperCase() }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'The bank made it anyway' }).click();
  await page.getByText('No payout matches.').waitFor();
  expect(new URL(page.url()).search).toBe('?status=made');
  await page.getByRole('link', { name: 'All' }).click();
  await page.getByRole('link', { name: withdrawal.id.slice(0, 8).toUpperCase() }).click();
  await page.getByRole('heading', { name: `Withdrawal ${withdrawal.id.slice(0, 8).toUpperCase()}` }).waitFor();
});
