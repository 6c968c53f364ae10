import { seriousFindings } from '../testing/axe';
import { EXPOSED } from '../testing/people';
import { ConsoleUnderTest } from '../testing/console-under-test';
import { press, readAgain } from '../testing/keyboard';
import { waitForMessage } from '../testing/messages';

let consoleUnderTest: ConsoleUnderTest;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

/** Keeps the next decoded image from being shown until `decoded` is called. */
const HOLD_NEXT_DECODING = `(() => {
  const { decode } = HTMLImageElement.prototype;
  HTMLImageElement.prototype.decode = async function () {
    HTMLImageElement.prototype.decode = decode;
    await decode.call(this);
    await new Promise((resolve) => { globalThis.decoded = resolve; });
  };
})()`;

it('a claim does not count as reading what others changed', async () => {
  const { id } = await consoleUnderTest.partner.request(EXPOSED);
  const second = await consoleUnderTest.opened('approver-2', id);
  const first = await consoleUnderTest.opened('approver-1', id);
  await press(first, 'a', 'Control+Enter');
  await waitForMessage(first, 'Approved, first of two. Another approver must also approve.');
  await press(second, 'c');
  await second.getByText('Claimed by you').waitFor();
  await second.locator('.news').getByText('This case has changed.').waitFor();
  await press(second, 'a');
  await waitForMessage(second, 'The case has changed since you read it. Read it again before you decide.');
  expect(await second.getByRole('dialog').count()).toBe(0);
  await press(second, 'u');
  await second.getByText('No one has claimed it').waitFor();
  await second
    .locator('.news')
    .getByText(/First of two approvals.*by approver-1/)
    .waitFor();
  await readAgain(second);
  await second.getByText('Four eyes: 1 of 2, approved by approver-1.').waitFor();
  // Enabled only once the case was read again.
  await second.getByRole('button', { name: 'Approve, second of two' }).click();
  await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await waitForMessage(second, 'Approved.');
  await consoleUnderTest.partner.when(id, (one) => one.status === 'active');
});

it('a page whose case another staff member has decided shows the decision and keeps the typed note', async () => {
  const { id } = await consoleUnderTest.partner.request();
  const [slow, quick] = [
    await consoleUnderTest.opened('approver-1', id),
    await consoleUnderTest.opened('approver-2', id),
  ];
  await press(slow, 'a');
  await slow.keyboard.type('I had looked at everything.');
  await press(quick, 'x');
  await quick.getByRole('radio', { name: 'Documents cannot be read' }).check();
  await press(quick, 'Control+Enter');
  await waitForMessage(quick, 'Rejected.');
  await press(slow, 'Control+Enter');
  const news = slow.locator('.news');
  await news.getByText('Nothing was sent.').waitFor();
  await news.getByText(/The request is rejected: Documents cannot be read.*by approver-2/).waitFor();
  await news.getByText('I had looked at everything.').waitFor();
  expect(await seriousFindings(slow)).toEqual([]);
  await readAgain(slow);
  await slow.locator('.facts').getByText('Rejected').waitFor();
  await slow
    .locator('.decide')
    .getByText(/Nothing to decide: rejected since/)
    .waitFor();
});

it('a case that is being read again can be read once more, or left, without an error', async () => {
  const { id } = await consoleUnderTest.partner.request();
  const page = await consoleUnderTest.opened('approver-1', id);
  const readings = '**/staff/v1/account-requests/*/case';
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(readings, async (route) => {
    await answered;
    await route.continue();
  });
  const before = await page.locator('.case').elementHandle();
  for (let times = 0; times < 2; times += 1) {
    const sent = page.waitForRequest(readings);
    await press(page, 'o');
    await sent;
  }
  answer();
  await before?.waitForElementState('hidden');
  await page.unroute(readings);
  await page.route(readings, () => undefined);
  const sent = page.waitForRequest(readings);
  await press(page, 'o');
  await sent;
  await press(page, 'q');
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
});

it('a document that is decoded late is not shown after another one was chosen', async () => {
  const { id } = await consoleUnderTest.partner.request();
  const page = await consoleUnderTest.opened('analyst', id);
  const left = page.getByRole('region', { name: 'Left document' });
  await left.getByRole('img', { name: 'document, front' }).waitFor();
  await page.getByRole('region', { name: 'Right document' }).getByRole('img', { name: 'document, back' }).waitFor();
  await page.evaluate(HOLD_NEXT_DECODING);
  const choice = page.getByRole('combobox', { name: 'Left document' });
  await choice.selectOption({ index: 1 });
  await page.waitForFunction('globalThis.decoded !== undefined');
  await choice.selectOption({ index: 0 });
  await left.getByRole('img', { name: 'document, front' }).waitFor();
  await page.evaluate('globalThis.decoded()');
  expect(await left.getByRole('img').getAttribute('alt')).toBe('document, front');
});
