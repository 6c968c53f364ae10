import type { Page } from 'playwright-core';
import { seriousFindings } from './testing/axe';
import { ConsoleUnderTest } from './testing/console-under-test';
import { waitForMessage } from './testing/messages';

const PATH = '/console/staff';

let consoleUnderTest: ConsoleUnderTest;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

const memberOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function end(page: Page, name: string): Promise<void> {
  await memberOf(page, name).getByRole('button', { name: 'End the sessions…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End the sessions', exact: true }).click();
}

it('an operator ends the sessions of a staff member, whose page is hidden', async () => {
  const analyst = await consoleUnderTest.as('analyst', PATH);
  await memberOf(analyst, 'analyst').getByText('(you)').waitFor();
  const operator = await consoleUnderTest.as('operator', PATH);
  await memberOf(operator, 'analyst').getByText('Compliance analyst').waitFor();
  await memberOf(operator, 'analyst').getByText('Name and password').waitFor();
  expect(await seriousFindings(operator)).toEqual([]);
  await memberOf(operator, 'analyst').getByRole('button').click();
  expect(await seriousFindings(operator)).toEqual([]);
  await operator.keyboard.press('Escape');
  await end(operator, 'analyst');
  await waitForMessage(operator, '1 session of analyst was ended.');
  // The page may be hidden already, because it has looked at its session.
  await analyst.getByRole('link', { name: 'Money' }).press('Enter');
  await analyst.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  consoleUnderTest.forget('analyst');
});

it('sessions that a colleague has ended already are not ended again', async () => {
  await consoleUnderTest.as('approver-1');
  const slow = await consoleUnderTest.as('operator', PATH);
  const quick = await consoleUnderTest.as('operator', PATH);
  await end(quick, 'approver-1');
  await waitForMessage(quick, '1 session of approver-1 was ended.');
  await end(slow, 'approver-1');
  await waitForMessage(slow, 'approver-1 has no open session.');
  consoleUnderTest.forget('approver-1');
});

it('other roles see the staff, and disabled buttons that say why', async () => {
  for (const name of ['approver-2', 'auditor'] as const) {
    const page = await consoleUnderTest.as(name, PATH);
    const button = memberOf(page, 'operator').getByRole('button', { name: 'End the sessions…' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.press('Enter');
    await waitForMessage(page, 'Only operators end the sessions of others.');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
  }
});
