import type { BrowserContextOptions, Page } from 'playwright-core';
import { graveFindings } from './testing/axe';
import { EXPOSED, LISTED } from './testing/people';
import { ConsoleUnderTest } from './testing/console-under-test';

let consoleUnderTest: ConsoleUnderTest;
let requestId: string;
let rejectedId: string;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
  requestId = (await consoleUnderTest.partner.request({ ...LISTED, ...EXPOSED })).id;
  rejectedId = (await consoleUnderTest.partner.request()).id;
  const page = await consoleUnderTest.opened('approver-1', rejectedId);
  await page.keyboard.press('x');
  await page.getByRole('radio', { name: 'Documents cannot be read' }).check();
  await page.keyboard.press('Control+Enter');
  await page.locator('.facts').getByText('Rejected').waitFor();
  const judging = await consoleUnderTest.opened('approver-1', requestId);
  for (const hit of await judging.locator('.hit').all()) {
    await hit.getByRole('button', { name: 'Give a verdict' }).click();
    await judging.getByRole('radio', { name: /False positive/ }).check();
    await judging.getByRole('radio', { name: 'Another name' }).check();
    await judging.keyboard.press('Control+Enter');
    await hit.getByText('by approver-1').waitFor();
  }
});
afterEach(() => consoleUnderTest.leave());
afterAll(() => consoleUnderTest.close());

/** Checks the page as it is now; `where` names it in the findings. */
type Look = (page: Page, where: string) => Promise<void>;

/** Visits every page and every dialog and calls `look` on each. */
async function everywhere(options: BrowserContextOptions, look: Look): Promise<void> {
  await signingIn(options, look);
  const page = await consoleUnderTest.as('approver-1', '/console', options);
  await queues(page, look);
  await openCase(page, look);
  await decisions(page, look);
  await privacyReport(page, look);
  await decidedCase(page, look);
  await accounts(page, look);
  await page.goto('/console/privacy');
  await page.getByRole('button', { name: 'Create the report' }).waitFor();
  await look(page, 'privacy');
  await page.goto('/console/rules');
  await page.getByRole('button', { name: 'Start from the rules in force' }).click();
  await page.getByRole('button', { name: 'Back-test' }).click();
  await page.getByText('These rules may be used.').waitFor();
  await look(page, 'pricing rules');
  const operator = await consoleUnderTest.as('operator', '/console/reports', options);
  await operator.getByRole('link', { name: 'Download IOF payable as CSV' }).waitFor();
  await look(operator, 'reports');
  await page.goto('/console/nowhere');
  await page.getByText('There is no such page').waitFor();
  await look(page, 'no such page');
}

async function signingIn(options: BrowserContextOptions, look: Look): Promise<void> {
  const out = await consoleUnderTest.page('/console', options);
  await out.getByRole('button', { name: 'Sign in' }).waitFor();
  await look(out, 'sign-in');
  await out.getByLabel('Name', { exact: true }).fill('unknown');
  await out.getByLabel('Password').fill('nothing');
  await out.keyboard.press('Enter');
  await out.getByRole('alert').waitFor();
  await look(out, 'sign-in refused');
}

async function queues(page: Page, look: Look): Promise<void> {
  await page.locator('.queue tbody tr').first().waitFor();
  await page.keyboard.press('j');
  await look(page, 'queue');
  await page.keyboard.press('?');
  await look(page, 'shortcuts');
  await page.keyboard.press('Escape');
  await page.goto('/console?view=making');
  await page.getByText('Nothing here.').waitFor();
  await look(page, 'empty queue');
}

async function openCase(page: Page, look: Look): Promise<void> {
  await page.goto(`/console/requests/${requestId}`);
  await page.getByRole('button', { name: 'Open the case' }).waitFor();
  await look(page, 'reason');
  await page.keyboard.press('Enter');
  await page.locator('.pane img').nth(1).waitFor();
  await page.getByText('Everyone who has opened this case').click();
  await look(page, 'case');
}

/** Every dialog of the open case. */
async function decisions(page: Page, look: Look): Promise<void> {
  await page.getByRole('button', { name: 'Change the verdict' }).first().click();
  await page.getByRole('dialog', { name: 'Verdict' }).waitFor();
  await look(page, 'verdict');
  await page.keyboard.press('Escape');
  for (const [key, name] of [
    ['a', 'Approve, first of two'],
    ['x', 'Reject'],
    ['i', 'Ask for information'],
    ['e', 'Escalate'],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByRole('dialog', { name }).waitFor();
    if (key === 'x') await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await look(page, name);
    await page.keyboard.press('Escape');
  }
}

/** The report about the person of the open case. */
async function privacyReport(page: Page, look: Look): Promise<void> {
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Create the report' }).click();
  await page.getByRole('heading', { name: 'The report' }).waitFor();
  await look(page, 'privacy report');
  await page.getByRole('button', { name: 'Erase this person…' }).click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'erase');
}

async function decidedCase(page: Page, look: Look): Promise<void> {
  await page.goto(`/console/requests/${rejectedId}`);
  await page.getByRole('button', { name: 'Open the case' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.attention .note').waitFor();
  await look(page, 'decided case');
}

async function accounts(page: Page, look: Look): Promise<void> {
  await page.goto('/console/accounts');
  await page.getByLabel('Account id').waitFor();
  await look(page, 'accounts');
  await page.goto(`/console/accounts/${consoleUnderTest.cluster.sandbox['subaccount-id']}`);
  await page.getByRole('button', { name: 'Freeze…' }).click();
  await page.getByRole('dialog', { name: 'Freeze' }).waitFor();
  await look(page, 'freeze');
  await page.keyboard.press('Escape');
  await look(page, 'account');
}

it.each(['light', 'dark'] as const)(
  'axe finds nothing serious or critical on any page or dialog, %s',
  async (colorScheme) => {
    const found: string[] = [];
    await everywhere({ colorScheme }, async (page, where) => {
      found.push(...(await graveFindings(page)).map((text) => `${where}: ${text}`));
    });
    expect(found).toEqual([]);
  },
);

it.each([
  ['1280 px at 200 %', { width: 640, height: 400 }],
  ['400 px', { width: 400, height: 800 }],
] as const)('nothing is cut off or needs sideways scrolling at %s', async (_name, viewport) => {
  const wide: string[] = [];
  await everywhere({ viewport }, async (page, where) => {
    const over = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (over > 0) wide.push(`${where}: ${over} px`);
  });
  expect(wide).toEqual([]);
});

it('the skip link leads to the content, and nothing moves if reduced motion is preferred', async () => {
  const page = await consoleUnderTest.as('approver-1', '/console', { reducedMotion: 'reduce' });
  await page.locator('.queue tbody tr').first().waitFor();
  await page.locator('.skip').focus();
  expect((await page.locator('.skip').boundingBox())?.y).toBeGreaterThan(0);
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  expect(await page.evaluate("getComputedStyle(document.querySelector('#sign-out')).transitionDuration")).toBe('0s');
});

it('the pages load only from our origin, have a strict policy and cannot be framed', async () => {
  const page = await consoleUnderTest.page();
  const answer = await page.request.get('/console/requests/0190f8a0-5c1e-7b3a-9d2f-3f6a1c0e4b01');
  expect(answer.headers()).toMatchObject({
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'/,
    ) as string,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  // The policy blocks an injected script and an injected style.
  await page.evaluate(
    "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">" +
      '<p style="color:red">x</p>\')',
  );
  await page.waitForFunction("document.querySelector('img[src=x]').complete");
  expect(await page.title()).toBe('Sign in · Ponte compliance');
  const broken = consoleUnderTest.watch.faults.splice(0);
  expect(broken.some((text) => text.includes('script-src'))).toBe(true);
  expect(broken.some((text) => text.includes('style-src'))).toBe(true);
});
