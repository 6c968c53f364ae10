import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { Customer } from '../e2e/testing/customer';
import { succeeded } from '../e2e/testing/client';
import { until } from '../e2e/testing/waiting';
import { seriousFindings } from './testing/axe';
import { ConsoleUnderTest } from './testing/console-under-test';

let consoleUnderTest: ConsoleUnderTest;
let customer: Customer;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
  customer = Customer.of(consoleUnderTest.cluster.sandbox);
  await customer.fund('1000.00');
  const fx = { 'trade-reason': 'transfer-between-same-entity-accounts', 'source-amount': '1000.00' };
  const request = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/usdc', ...fx };
  const { id } = succeeded(await customer.api.persist<{ id: string }>(customer.path('/quotes'), request));
  const accepted = await customer.api.send<{ order: { id: string } }>('POST', customer.path('/orders'), {
    'quote-id': id,
  });
  await customer.ended(succeeded(accepted).order.id);
});
afterEach(() => consoleUnderTest.leave());
afterAll(async () => {
  await customer.api.close();
  await consoleUnderTest.close();
});

const sheet = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
/** Enters the rules in force with one text replaced as the proposed rules. */
async function propose(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: 'Start from the rules in force' }).click();
  const field = page.getByLabel('Proposed rules');
  const text = await field.inputValue();
  expect(text).toContain(from);
  await field.fill(text.replace(from, to));
}

it('shows the rules in force with their validity, checks a proposal and back-tests it on the last quotes', async () => {
  const page = await consoleUnderTest.as('operator', '/console/rules');
  await page.getByRole('heading', { name: 'Pricing rules' }).waitFor();
  const spreads = sheet(page, 'Spreads').locator('tbody tr').first();
  expect(await spreads.locator('td').allTextContents()).toEqual(expect.arrayContaining(['USDC', '80', 'In force']));
  // IOF of 3.5 % is defined but not enabled.
  await sheet(page, 'Iof').locator('tr', { hasText: '35000' }).getByText('Not enabled').waitFor();

  await propose(page, '"bps": 80', '"bps": 0');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('These rules cannot be used. There is 1 violation:').waitFor();
  await page.getByText('spreads[0].bps').waitFor();

  await propose(page, '"bps": 80', '"bps": 160');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('These rules are valid.').waitFor();
  await page.getByRole('button', { name: 'Back-test' }).click();
  await page
    .getByText(/^1 quotes? priced again with the rules in force at .*: 1 changed, of these 0 refused\.$/)
    .waitFor();
  const totals = sheet(page, 'Totals of each pair').locator('tbody tr');
  expect(await totals.first().textContent()).toMatch(/fiat\/brl → eth-base\/usdc.*7\.93 → 15\.72/);
  const [differing] = await sheet(page, 'Quotes that differ').locator('tbody tr').allTextContents();
  expect(differing).toMatch(/-\d+\.\d{6}-\d+$/);
  await page.getByLabel('Rules in force at').fill('2099-06-15T12:00');
  await page.getByRole('button', { name: 'Back-test' }).click();
  await page.getByText('priced again with the rules in force at 15 Jun 2099, 12:00').waitFor();
  expect(await seriousFindings(page)).toEqual([]);

  // Nothing was saved: the version in force is unchanged and listed in the history.
  await page.reload();
  await sheet(page, 'History').getByRole('link').first().click();
  await page.getByRole('heading', { name: /^Version / }).waitFor();
  expect(await spreads.locator('td').allTextContents()).toEqual(expect.arrayContaining(['USDC', '80', 'In force']));
  expect(await sheet(page, 'Market').locator('tbody td').allTextContents()).toContain('none');
  expect(await seriousFindings(page)).toEqual([]);
});

it('explains the price of a quote by its id, and of a quote of a back-test', async () => {
  const page = await consoleUnderTest.as('auditor', '/console/rules');
  await page.getByLabel('Quote id').fill('one');
  await page.getByRole('button', { name: 'Explain the price' }).click();
  await page.getByRole('alert').getByText('This is not the id of a quote.').waitFor();
  await propose(page, '"bps": 80', '"bps": 160');
  await page.getByRole('button', { name: 'Back-test' }).click();
  const link = sheet(page, 'Quotes that differ').getByRole('link').first();
  const id = (await link.getAttribute('title')) ?? '';
  await link.click();
  await page.getByRole('heading', { name: /^Quote / }).waitFor();
  await sheet(page, 'Steps').getByText('floor').first().waitFor();
  await sheet(page, 'Rules that were used').getByText('Spreads').waitFor();
  await page.getByText('1000.00 fiat/brl').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.goto('/console/rules');
  await page.getByLabel('Quote id').fill(` ${id.toUpperCase()} `);
  await page.getByRole('button', { name: 'Explain the price' }).click();
  await sheet(page, 'Steps').waitFor();
});

it('shows no row as in force in a version that pricing no longer uses, or whose validity has ended', async () => {
  const page = await consoleUnderTest.as('auditor', '/console/rules');
  const rows = sheet(page, 'Spreads').locator('tbody tr');
  await sheet(page, 'History').getByRole('link').first().waitFor();
  const own = await sheet(page, 'History').getByRole('link').first().getAttribute('href');
  const answerWith = (inForce: Record<string, unknown>) =>
    page.route('**/staff/v1/pricing-rules', async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as Record<string, object>;
      await route.fulfill({ response, json: { ...json, 'in-force': { ...json['in-force'], ...inForce } } });
    });
  await answerWith({ 'valid-to': '2020-02-01T00:00:00.000Z' });
  await page.goto('/console/rules');
  await rows.first().getByText('Ended').waitFor();
  expect(await page.getByText('In force', { exact: true }).count()).toBe(0);
  await page.unrouteAll();
  await answerWith({ version: 'another' });
  await page.goto(own ?? '');
  await rows.first().getByText('Superseded').waitFor();
  expect(await page.getByText('In force', { exact: true }).count()).toBe(0);
  // A row that is not enabled in its version is shown as that.
  await sheet(page, 'Iof').locator('tr', { hasText: '35000' }).getByText('Not enabled').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

it('reports a proposal that is not JSON or not an object, and a number of quotes that is too large', async () => {
  const page = await consoleUnderTest.as('auditor', '/console/rules');
  await page.getByLabel('Proposed rules').fill('{ "spreads": ');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText(/^This is not JSON: /).waitFor();
  await page.getByLabel('Proposed rules').fill('[]');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('The document must be a JSON object.').waitFor();
  await page.getByLabel('Proposed rules').fill('{}');
  await page.getByLabel('How many of the last quotes').fill('501');
  await page.getByRole('button', { name: 'Back-test' }).click();
  await page.getByText('The number of quotes must be a whole number from 1 to 500.').waitFor();
});

it('lets analysts read and check rules, but not back-test them or see reports', async () => {
  const page = await consoleUnderTest.as('analyst', '/console/rules');
  await page.getByRole('button', { name: 'Check' }).waitFor();
  expect(await page.getByRole('button', { name: 'Back-test' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Reports' }).count()).toBe(0);
  await page.goto('/console/reports');
  await page.locator('main .note.bad').waitFor();
});

it('shows position, profit and IOF of a period and offers them as CSV', async () => {
  const page = await consoleUnderTest.as('operator', '/console/reports');
  const row = sheet(page, 'FX position and profit').locator('tbody tr');
  // The report gets the trade a moment later.
  await until(async () => {
    await page.getByRole('button', { name: 'Show' }).click();
    await row.waitFor({ timeout: 5_000 });
  });
  expect(await row.textContent()).toContain('eth-base/usdc');
  for (const [title, file, header] of [
    ['FX position and profit', 'fx-days.csv', 'day,asset,trades,'],
    ['IOF payable', 'iof-payable.csv', 'period,trades,amount'],
  ] as const) {
    const started = page.waitForEvent('download');
    await page.getByRole('link', { name: `Download ${title} as CSV` }).click();
    const download = await started;
    expect(download.suggestedFilename()).toBe(file);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines[0]).toContain(header);
    expect(lines).toHaveLength(2);
  }
  expect(await seriousFindings(page)).toEqual([]);

  // A period without trades, and a period that ends before it begins.
  await page.getByLabel('First day').fill('2020-01-01');
  await page.getByLabel('Last day').fill('2020-01-31');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('Nothing in this period.').first().waitFor();
  expect(new URL(page.url()).search).toContain('to=2020-01-31');
  await page.getByLabel('Last day').fill('2019-12-31');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('Choose a first day, and a last day that is not before it.').waitFor();
});

it('gives up the report of a period when the user chooses another one, so that it cannot replace the newer one', async () => {
  const page = await consoleUnderTest.as('operator', '/console/reports');
  const show = async (from: string, to: string): Promise<void> => {
    await page.getByLabel('First day').fill(from);
    await page.getByLabel('Last day').fill(to);
    await page.getByRole('button', { name: 'Show' }).click();
  };
  const earlier = '**/staff/v1/reports/fx-days?from=2020-01-01*';
  await page.route(earlier, () => undefined);
  const sent = page.waitForRequest(earlier);
  const givenUp = page.waitForEvent('requestfailed', async (request) => request === (await sent));
  await show('2020-01-01', '2020-01-31');
  await sent;
  await show('2021-01-01', '2021-01-31');
  await givenUp;
  await page.locator('a[href*="fx-days.csv?from=2021-01-01"]').waitFor();
});
