import type { Page } from 'playwright-core';
import { cpfOf } from '../../../../onboarding/src/testing/people';
import { seriousFindings } from '../testing/axe';
import { EXPOSED } from '../testing/people';
import { ConsoleUnderTest } from '../testing/console-under-test';
import { waitForMessage } from '../testing/messages';

let consoleUnderTest: ConsoleUnderTest;
// Without a retention period, an erasure takes effect as soon as everything has ended.
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start({ ONBOARDING_RETENTION_YEARS: '0' });
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

/** What an open case reads every five seconds. */
const STANDING = '**/staff/v1/account-requests/*/history';

const pane = (page: Page, name: 'Left' | 'Right') => page.getByRole('region', { name: `${name} document` });
const shape = (page: Page, name: 'Left' | 'Right') =>
  pane(page, name)
    .locator('.sheet')
    .boundingBox()
    .then((box) => ({ width: Math.round(box?.width ?? 0), height: Math.round(box?.height ?? 0) }));

it('documents are shown side by side, can be enlarged and rotated, and each view is recorded', async () => {
  const { id } = await consoleUnderTest.partner.request();
  await consoleUnderTest.opened('analyst', id).then(async (page) => {
    await pane(page, 'Left').getByRole('img', { name: 'document, front' }).waitFor();
    await pane(page, 'Right').getByRole('img', { name: 'document, back' }).waitFor();
    await page.keyboard.press('i');
    await page.getByRole('checkbox', { name: 'Source of funds' }).check();
    await page.keyboard.press('Control+Enter');
    await waitForMessage(page, 'The partner was asked.');
  });
  await consoleUnderTest.partner.provide(id, {
    'other-file-ids': [await consoleUnderTest.partner.upload('proof', 'other')],
  });
  await consoleUnderTest.partner.when(id, (one) => one['review-stage'] === 'manual-review');
  const page = await consoleUnderTest.opened('analyst', id);
  await pane(page, 'Left').getByRole('img', { name: 'document, front' }).waitFor();
  await pane(page, 'Right').getByRole('img', { name: 'document, back' }).waitFor();
  // The browser has drawn the uploaded image, which is 480 px wide.
  expect(await page.evaluate("document.querySelector('.stage img').naturalWidth")).toBe(480);
  const fitted = await shape(page, 'Left');
  await page.keyboard.press('+');
  expect((await shape(page, 'Left')).width).toBeGreaterThan(fitted.width * 1.25);
  await page.keyboard.press('0');
  expect(await shape(page, 'Left')).toEqual(fitted);
  await page.getByRole('button', { name: 'Rotate, right document' }).click();
  const turned = await shape(page, 'Right');
  expect(turned.height).toBeGreaterThan(turned.width);
  // The right pane had the focus last, so keys apply to it.
  const file = page.waitForResponse((response) => response.url().includes('/files/'));
  await page.keyboard.press('d');
  expect((await file).status()).toBe(200);
  const frame = page.frameLocator('.pane iframe');
  await page.locator('.pane iframe[title="other"]').waitFor();
  await frame.locator('embed, pdf-viewer, body').first().waitFor({ state: 'attached' });
  await page.keyboard.press('v');
  await page.getByRole('button', { name: 'Stacked' }).and(page.locator('[aria-pressed="true"]')).waitFor();
  // Reads the case again. Both images were viewed twice, and the PDF once.
  await page.keyboard.press('o');
  const views = page.locator('.views-card tbody tr').filter({ hasText: 'Document' }).filter({ hasText: 'analyst' });
  await views.nth(4).waitFor({ state: 'attached' });
  await page.getByText('Everyone who has opened this case').click();
  await views.nth(4).waitFor();
});

it('a case opened for a reason other than a review shows documents only on request', async () => {
  const { id } = await consoleUnderTest.partner.request();
  const page = await consoleUnderTest.opened('auditor', id);
  await page.getByText('Each document that you open is recorded as well.').waitFor();
  expect(await page.locator('.stage').count()).toBe(0);
  await page.getByRole('button', { name: 'Show the documents' }).click();
  await pane(page, 'Left').getByRole('img').waitFor();
});

it('an ended session hides the page and keeps the note that was typed', async () => {
  const { id } = await consoleUnderTest.partner.request();
  const page = await consoleUnderTest.opened('approver-2', id);
  await page.keyboard.press('a');
  await page.keyboard.type('A long note that took its time.');
  // Without an answer, the page does not learn that the session has ended before the decision is sent.
  await page.route(STANDING, () => undefined);
  await endSessions('approver-2');
  await page.keyboard.press('Control+Enter');
  const curtain = page.getByRole('dialog', { name: 'Your session has ended' });
  await curtain.waitFor();
  await page.unroute(STANDING);
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await curtain.isVisible()).toBe(true);
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await curtain.getByRole('alert').getByText('Name or password is wrong.').waitFor();
  await page.keyboard.type(consoleUnderTest.password('approver-2'));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Approve' });
  await dialog.getByText('nothing was sent').waitFor();
  expect(await dialog.getByRole('textbox').inputValue()).toBe('A long note that took its time.');
  expect((await consoleUnderTest.partner.when(id, () => true)).status).toBe('pending');
  await page.keyboard.press('Control+Enter');
  await waitForMessage(page, 'Approved.');
});

it('a different user who signs in again at a hidden page does not see its contents', async () => {
  const { id } = await consoleUnderTest.partner.request();
  const page = await consoleUnderTest.opened('approver-2', id);
  await endSessions('approver-2');
  await page.keyboard.press('c');
  const curtain = page.getByRole('dialog', { name: 'Your session has ended' });
  await curtain.getByLabel('Name', { exact: true }).fill('auditor');
  await curtain.getByLabel('Password').fill(consoleUnderTest.password('auditor'));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Open the case' }).waitFor();
  expect(await page.getByText('Quixaramobim').count()).toBe(0);
  expect(await page.locator('#who-name').textContent()).toBe('auditor');
});

/** Ends the sessions of a staff member, as an operator does when a machine is lost. */
async function endSessions(name: 'approver-2'): Promise<void> {
  const page = await consoleUnderTest.as('operator');
  await page.evaluate<number>(`(async () => {
    const { session } = await (await fetch('/staff/v1/session')).json();
    const { staff } = await (await fetch('/staff/v1/staff')).json();
    const { id } = staff.find((one) => one.name === ${JSON.stringify(name)});
    const headers = { 'x-csrf-token': session['csrf-token'] };
    const answer = await fetch('/staff/v1/staff/' + id + '/end-sessions', { method: 'POST', headers });
    if (!answer.ok) throw new Error('the sessions did not end: ' + answer.status);
    return answer.status;
  })()`);
  consoleUnderTest.forget(name);
}

it('the privacy page reports data and views, and an erasure must be typed and removes every name', async () => {
  const { id } = await consoleUnderTest.partner.request(EXPOSED);
  const page = await consoleUnderTest.opened('approver-1', id);
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Create the report' }).click();
  await page.getByRole('heading', { name: 'The report' }).waitFor();
  expect(await page.getByRole('row').filter({ hasText: 'Account request' }).count()).toBeGreaterThan(0);
  expect(await page.getByRole('row').filter({ hasText: 'approver-1' }).count()).toBeGreaterThan(1);
  // The records must be kept by law while the request is open.
  await page.getByRole('button', { name: 'Erase this person…' }).click();
  await page.getByText('The data is restricted, not erased yet').waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`/console/requests/${id}`);
  await consoleUnderTest.open(page);
  await page.keyboard.press('x');
  await page.getByRole('radio', { name: 'Data and documents disagree' }).check();
  await page.keyboard.press('Control+Enter');
  await waitForMessage(page, 'Rejected.');
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Create the report' }).click();
  await page.getByRole('button', { name: 'Erase this person…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase this person' });
  await dialog.getByText('The key of this person is destroyed').waitFor();
  await dialog.getByRole('textbox').fill('Another Name');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('The text does not match.').waitFor();
  await dialog.getByRole('textbox').fill('zebulonia quixaramobim');
  await page.keyboard.press('Enter');
  await waitForMessage(page, 'Erased.');
  await page.getByText('The key of this person was destroyed.').waitFor();
  await page.goto(`/console/requests/${id}`);
  await consoleUnderTest.open(page);
  await page.getByText('The data of this person was erased.').waitFor();
  await page.locator('.person').getByText('[erased]').first().waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await page.getByText(/Quixaramobim|Zebulonia/).count()).toBe(0);
});

it('a person is found by a number that never appears in the page address', async () => {
  await consoleUnderTest.partner.request();
  const cpf = consoleUnderTest.partner.cpfs.at(-1) ?? '';
  const page = await consoleUnderTest.as('auditor', '/console/privacy');
  await page.getByLabel('CPF, or number of a passport or national id').fill(cpf);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The report' }).waitFor();
  // An auditor can read but not erase.
  expect(await page.getByRole('button', { name: 'Erase this person…' }).count()).toBe(0);
  expect(page.url().endsWith('/console/privacy')).toBe(true);
  await page.getByLabel('CPF, or number of a passport or national id').fill(cpfOf(399_999_999));
  await page.keyboard.press('Enter');
  await page.getByText('No data of this person is stored.').waitFor();
});
