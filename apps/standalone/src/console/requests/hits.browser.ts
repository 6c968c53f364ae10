import type { Page } from 'playwright-core';
import { seriousFindings } from '../testing/axe';
import { EXPOSED, LISTED } from '../testing/people';
import { ConsoleUnderTest } from '../testing/console-under-test';
import { press, readAgain } from '../testing/keyboard';
import { waitForMessage } from '../testing/messages';

let consoleUnderTest: ConsoleUnderTest;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

it('a hit needs a verdict and four eyes, open pages follow, and a decided case shows nothing as waiting', async () => {
  const { id } = await consoleUnderTest.partner.request(LISTED);
  const [analyst, first, second] = [
    await consoleUnderTest.opened('analyst', id),
    await consoleUnderTest.opened('approver-1', id),
    await consoleUnderTest.opened('approver-2', id),
  ];
  await press(first, 'a');
  await waitForMessage(first, /no verdict yet/);
  for (const hit of await analyst.locator('.hit').all()) {
    await hit.getByRole('button', { name: 'Give a verdict' }).click();
    const dialog = analyst.getByRole('dialog', { name: 'Verdict' });
    expect(await seriousFindings(analyst)).toEqual([]);
    await dialog.getByRole('button', { name: 'Record the verdict' }).click();
    await dialog.getByRole('alert').getByText('Choose a verdict.').waitFor();
    await dialog.getByRole('radio', { name: /False positive/ }).check();
    await dialog.getByRole('radio', { name: 'Another date of birth' }).check();
    await press(analyst, 'Control+Enter');
    await waitForMessage(analyst, 'The verdict is recorded.');
    await hit.getByText('by analyst').waitFor();
  }
  await press(analyst, 'a');
  await waitForMessage(analyst, 'Two approvers are required. Only approvers can approve it.');
  const check = (page: Page, name: string) => page.locator('.checks li', { hasText: name });
  await check(first, 'on a sanctions or PEP list').getByText('Passed').waitFor();
  await first.getByText('Verdict on a hit of the holder: false positive').first().waitFor();
  await readAgain(first);
  await first.locator('.hit').getByText('by analyst').first().waitFor();
  await press(first, 'a', 'Control+Enter');
  await waitForMessage(first, 'Approved, first of two. Another approver must also approve.');
  // The second page shows the first approval without any input.
  await second.getByText('Four eyes: 1 of 2, approved by approver-1.').waitFor();
  await check(second, 'Two different approvers decide').getByText('Still open').waitFor();
  await readAgain(second);
  await second.locator('.hit').getByText('by analyst').first().waitFor();
  await second.getByRole('button', { name: 'Approve, second of two' }).click();
  await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await waitForMessage(second, 'Approved.');
  await consoleUnderTest.partner.when(id, (one) => one.status === 'active');
  for (const page of [first, second]) {
    await check(page, 'Two different approvers decide').getByText('Passed').waitFor();
    await page
      .locator('.decide')
      .getByText(/Nothing to decide: (approved|active)/)
      .waitFor();
    expect(await page.locator('.facts').textContent()).not.toMatch(/waiting/);
    expect(await page.locator('.checks').getByText('Still open').count()).toBe(0);
  }
});

it('a true match can only be rejected, and the queue shows it', async () => {
  const { id } = await consoleUnderTest.partner.request(LISTED);
  const page = await consoleUnderTest.opened('approver-1', id);
  await page.getByRole('button', { name: 'Give a verdict' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Verdict' });
  await dialog.getByRole('radio', { name: /True match/ }).check();
  await dialog.getByRole('radio', { name: 'The identity is confirmed' }).check();
  await press(page, 'Control+Enter');
  await waitForMessage(page, 'The verdict is recorded.');
  for (const key of ['a', 'i']) {
    await press(page, key);
    await page
      .locator('#messages')
      .getByText('A hit is this person: the request can only be rejected.')
      .last()
      .waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  }
  expect(await page.locator('.facts .chip').allTextContents()).toContain('True match');
  await press(page, 'x');
  await page.getByRole('dialog', { name: 'Reject' }).getByRole('radio', { name: 'On a sanctions list' }).check();
  await press(page, 'Control+Enter');
  await waitForMessage(page, /^Rejected\.$/);
  expect(await page.locator('.facts').textContent()).not.toMatch(/waiting/);
  expect(await page.locator('.checks').getByText('Still open').count()).toBe(0);
});

it('a case that changed since it was read is approved only after it is read again', async () => {
  const { id } = await consoleUnderTest.partner.request(EXPOSED);
  const slow = await consoleUnderTest.opened('approver-1', id);
  const quick = await consoleUnderTest.opened('approver-2', id);
  await press(slow, 'a');
  await slow.keyboard.type('Nothing happens yet, says the page.');
  await press(quick, 'a', 'Control+Enter');
  await waitForMessage(quick, 'Approved, first of two. Another approver must also approve.');
  // The page below the dialog may have noticed the first approval; the dialog still names what was read.
  await press(slow, 'Control+Enter');
  const news = slow.locator('.news');
  await news.getByText(/an approval was recorded: read it again/).waitFor();
  await news.getByText('Nothing happens yet, says the page.').waitFor();
  expect((await consoleUnderTest.partner.when(id, () => true)).status).toBe('pending');
  await press(slow, 'a');
  await waitForMessage(slow, 'The case has changed since you read it. Read it again before you decide.');
  await readAgain(slow);
  await slow.getByText('Four eyes: 1 of 2, approved by approver-2.').waitFor();
  await slow.getByRole('button', { name: 'Approve, second of two' }).click();
  await slow.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await waitForMessage(slow, 'Approved.');
  await consoleUnderTest.partner.when(id, (one) => one.status === 'active');
});
