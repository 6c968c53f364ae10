import type { Page } from 'playwright-core';
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

const state = (page: Page): Promise<string | null> => page.locator('.facts .chip').first().textContent();
it('staff sign in with name and password and get the same message when either is wrong', async () => {
  const { id } = await consoleUnderTest.partner.request();
  const page = await consoleUnderTest.page();
  await page.goto(`/console/requests/${id}`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.title()).toBe('Sign in · Ponte compliance');
  await page.getByLabel('Name', { exact: true }).fill('analyst');
  await page.getByLabel('Password').fill('not this one');
  await press(page, 'Enter');
  await page.getByRole('alert').getByText('Name or password is wrong.').waitFor();
  expect(await page.getByLabel('Password').inputValue()).toBe('');
  expect(await page.evaluate('document.activeElement.name')).toBe('password');
  // After signing in, the page of the original link opens.
  await page.keyboard.type(consoleUnderTest.password('analyst'));
  await press(page, 'Enter');
  await page.getByRole('heading', { name: `Request ${id.slice(0, 8).toUpperCase()}` }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  // Going back after signing out shows no data of the person.
  await page.goBack();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

it('a complete review works with only the keyboard', async () => {
  const { id } = await consoleUnderTest.partner.request();
  const page = await consoleUnderTest.page();
  await page.getByLabel('Name', { exact: true }).waitFor();
  await page.keyboard.type('analyst');
  await press(page, 'Tab');
  await page.keyboard.type(consoleUnderTest.password('analyst'));
  await press(page, 'Enter');
  await page.locator('.queue tbody tr').first().waitFor();
  await press(page, '/');
  await page.keyboard.type(id.slice(0, 8));
  await press(page, 'Enter', 'Enter');
  await page.getByRole('button', { name: 'Open the case' }).waitFor();
  await press(page, 'Enter');
  await page.locator('.case').waitFor();
  await press(page, 'c');
  await page.getByText('Claimed by you').waitFor();
  await press(page, 'a');
  await page.getByRole('dialog', { name: 'Approve' }).waitFor();
  await page.keyboard.type('Document and data agree.');
  await press(page, 'Tab', 'Tab', 'Enter');
  await waitForMessage(page, 'Approved.');
  expect((await consoleUnderTest.partner.when(id, (one) => one.status === 'active')).reason).toBeUndefined();
  await press(page, 'q');
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
});

it('a rejection shows its reason to staff and a general reason to the partner', async () => {
  const { id } = await consoleUnderTest.partner.request(LISTED);
  const page = await consoleUnderTest.opened('analyst', id);
  const hit = page.getByRole('article', { name: 'UN sanctions, entry SBi.001' });
  // The list entry is shown next to the person's data.
  expect(await hit.getByRole('row', { name: 'Name' }).getByRole('cell').allTextContents()).toEqual([
    expect.stringContaining('Ezekiel Tadeu'),
    expect.stringContaining('Ezequiel Tadeu Montalvane Brusk'),
    expect.stringMatching(/ %$/),
  ]);
  await press(page, 'x');
  const dialog = page.getByRole('dialog', { name: 'Reject' });
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await dialog.getByRole('alert').getByText('Choose a reason.').waitFor();
  await dialog.getByRole('radio', { name: 'On a sanctions list' }).check();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await waitForMessage(page, 'Rejected.');
  expect(await state(page)).toBe('Rejected');
  await page.locator('.attention').getByText('On a sanctions list').waitFor();
  expect((await consoleUnderTest.partner.when(id, (one) => one.status === 'rejected')).reason).toBe('compliance');
});

it('requested information brings the case back to review when the partner sends it', async () => {
  const { id } = await consoleUnderTest.partner.request();
  const page = await consoleUnderTest.opened('analyst', id);
  await press(page, 'i');
  const dialog = page.getByRole('dialog', { name: 'Ask for information' });
  expect(await dialog.getByRole('checkbox', { name: "Representative's document" }).count()).toBe(0);
  await dialog.getByRole('checkbox', { name: 'Identity document' }).check();
  await dialog.getByRole('checkbox', { name: 'Document quality' }).check();
  await dialog.getByRole('button', { name: 'Ask the partner' }).click();
  await waitForMessage(page, 'The partner was asked.');
  expect(await state(page)).toBe('Information requested');
  const asked = await consoleUnderTest.partner.when(id, (one) => one['review-stage'] === 'information-requested');
  expect(asked.requirements).toMatchObject({ missing: ['document'], issues: ['document-quality'] });
  await consoleUnderTest.partner.provide(id, {
    document: { type: 'cnh', 'front-file-id': await consoleUnderTest.partner.upload('front', 'document-front') },
    note: 'Here it is, and sharper.',
  });
  await consoleUnderTest.partner.when(id, (one) => one['review-stage'] === 'manual-review');
  await readAgain(page);
  await page.getByText('Here it is, and sharper.').waitFor();
  expect(await page.locator('.facts .chip').allTextContents()).toEqual(
    expect.arrayContaining(['To review', 'New information']),
  );
});

it('four eyes need two approvers, and an analyst cannot approve', async () => {
  const { id } = await consoleUnderTest.partner.request(EXPOSED);
  const analyst = await consoleUnderTest.opened('analyst', id);
  await press(analyst, 'a');
  await waitForMessage(analyst, 'Two approvers are required. Only approvers can approve it.');
  const first = await consoleUnderTest.opened('approver-1', id);
  await first.getByText('Four eyes: 0 of 2.').waitFor();
  await first.getByText('because someone is politically exposed').waitFor();
  await press(first, 'a', 'Control+Enter');
  await waitForMessage(first, 'Approved, first of two. Another approver must also approve.');
  await first.getByText('Four eyes: 1 of 2, approved by you.').waitFor();
  await press(first, 'a');
  await waitForMessage(first, 'You have approved it. Another approver must also approve.');
  const second = await consoleUnderTest.as('approver-2');
  await second.getByRole('link', { name: id.slice(0, 8).toUpperCase() }).click();
  await second.getByRole('radio', { name: /Second approval/ }).waitFor();
  expect(await second.getByRole('radio', { name: /Second approval/ }).isChecked()).toBe(true);
  await press(second, 'Enter');
  await second.getByText('Four eyes: 1 of 2, approved by approver-1.').waitFor();
  await second.getByRole('button', { name: 'Approve, second of two' }).click();
  await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await waitForMessage(second, 'Approved.');
  await consoleUnderTest.partner.when(id, (one) => one.status === 'active');
});

it('a claimed case can be taken over by an approver, and only approvers decide an escalated one', async () => {
  const { id } = await consoleUnderTest.partner.request();
  const analyst = await consoleUnderTest.opened('analyst', id);
  await press(analyst, 'c');
  await analyst.getByText('Claimed by you').waitFor();
  const approver = await consoleUnderTest.opened('approver-1', id);
  await press(approver, 'a');
  await waitForMessage(approver, 'analyst has claimed it. Take it over first.');
  await approver.getByRole('button', { name: 'Take over' }).click();
  await approver.getByText('Claimed by you').waitFor();
  await press(approver, 'u');
  await approver.getByText('No one has claimed it').waitFor();
  await readAgain(analyst);
  await analyst.getByText('No one has claimed it').waitFor();
  await press(analyst, 'e');
  await analyst.keyboard.type('Please look at the mother’s name.');
  await press(analyst, 'Control+Enter');
  await waitForMessage(analyst, 'Escalated: an approver decides it.');
  await press(analyst, 'a');
  await waitForMessage(analyst, 'It was escalated: only approvers may decide it.');
  await readAgain(approver);
  await approver.getByText('Please look at the mother’s name.').waitFor();
  // An auditor can read everything but not decide. An operator sees the history without the person's data.
  const auditor = await consoleUnderTest.opened('auditor', id);
  await auditor.getByText('Your role may read cases, but not decide them.').waitFor();
  const operator = await consoleUnderTest.as('operator', `/console/requests/${id}`);
  await operator.getByText('Your role may see the history of a request, but no data of the person.').waitFor();
  expect(await operator.getByText('Quixaramobim').count()).toBe(0);
});
