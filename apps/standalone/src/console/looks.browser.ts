import type { Page } from 'playwright-core';
import { COLOUR_RULES, seriousFindings } from './testing/axe';
import { EXPOSED, LISTED } from './testing/people';
import { ConsoleUnderTest } from './testing/console-under-test';
import { prepareOperations } from './testing/operator-tour';
import { everywhere } from './testing/tour';

let consoleUnderTest: ConsoleUnderTest;
let requestId: string;
let rejectedId: string;
beforeAll(async () => {
  consoleUnderTest = await ConsoleUnderTest.start();
  requestId = (await consoleUnderTest.partner.request({ ...LISTED, ...EXPOSED })).id;
  rejectedId = (await consoleUnderTest.partner.request()).id;
  await prepareOperations(consoleUnderTest);
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

describe('Every page and dialog', () => {
  const found = { light: [] as string[], dark: [] as string[] };
  const wide = { '1280 px at 200 %': [] as string[], '400 px': [] as string[] };

  // A tour is long, so each one serves two tests. One is made on a small screen, where everything has to be operable.
  beforeAll(async () => {
    await everywhere(consoleUnderTest, { requestId, rejectedId }, {}, async (page, where) => {
      for (const [colorScheme, rules] of [['light'], ['dark', COLOUR_RULES]] as const) {
        await page.emulateMedia({ colorScheme });
        found[colorScheme].push(...(await seriousFindings(page, rules)).map((text) => `${where}: ${text}`));
      }
    });
    await consoleUnderTest.leave();
    const [small, zoomed] = [
      { width: 400, height: 800 },
      { width: 640, height: 400 },
    ];
    await everywhere(consoleUnderTest, { requestId, rejectedId }, { viewport: small }, async (page, where) => {
      wide['400 px'].push(...(await pixelsOver(page, where)));
      await page.setViewportSize(zoomed);
      wide['1280 px at 200 %'].push(...(await pixelsOver(page, where)));
      await page.setViewportSize(small);
    });
  }, 600_000);

  it.each(['light', 'dark'] as const)('has nothing that axe finds serious or critical, %s', (colorScheme) =>
    expect(found[colorScheme]).toEqual([]),
  );

  it.each(['1280 px at 200 %', '400 px'] as const)('is not cut off and needs no sideways scrolling at %s', (screen) =>
    expect(wide[screen]).toEqual([]),
  );
});

async function pixelsOver(page: Page, where: string): Promise<string[]> {
  const over = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return over > 0 ? [`${where}: ${over} px`] : [];
}

it.each([1280, 1024, 800])('the decision row stays below the bar when a page of %i px is scrolled', async (width) => {
  const page = await consoleUnderTest.opened('approver-1', requestId, { viewport: { width, height: 700 } });
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  const [bar, row] = [await page.locator('.bar').boundingBox(), await page.locator('.decide').boundingBox()];
  expect(bar?.y).toBe(0);
  expect(row?.y).toBeGreaterThanOrEqual((bar?.height ?? 0) - 1);
  expect(row?.y).toBeLessThan((bar?.height ?? 0) + 1);
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
