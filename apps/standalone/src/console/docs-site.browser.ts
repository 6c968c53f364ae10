import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Management, ManagementDocuments } from '@ponte/observability';
import { MANAGEMENT_DOCUMENTS } from '@ponte/nest';
import { observability, startManagement } from '@ponte/observability';
import { COLOUR_RULES, seriousFindings } from './testing/axe';
import { openBrowser, Watch } from './testing/browser';
import type { InProcessCluster } from '../e2e/testing/in-process';
import { startInProcess } from '../e2e/testing/in-process';
import { until } from '../e2e/testing/waiting';

const BUILT = resolve(__dirname, '../../../../docs/site/.vitepress/dist');
const SMALL = { width: 360, height: 640 };
const PATIENCE_MS = 60_000;

let cluster: InProcessCluster;
let management: Management;
let browser: Browser;
let context: BrowserContext;
let watch: Watch;
beforeAll(async () => {
  if (!existsSync(join(BUILT, 'index.html'))) throw new Error('The guides are not built: run npm run docs:site first.');
  [cluster, browser] = await Promise.all([startInProcess({}), openBrowser()]);
  const documents = cluster.app.get<ManagementDocuments>(MANAGEMENT_DOCUMENTS, { strict: false });
  management = await startManagement({ port: 0, host: '127.0.0.1', ...observability(), documents });
});
afterAll(async () => {
  await browser.close();
  await management.close();
  await cluster.close();
});
afterEach(() => context.close());

async function opened(path: string, scheme: 'light' | 'dark' = 'light', viewport = SMALL): Promise<Page> {
  context = await browser.newContext({ viewport, colorScheme: scheme });
  context.setDefaultTimeout(PATIENCE_MS);
  watch = new Watch();
  await watch.over(context);
  const page = await context.newPage();
  await page.goto(new URL(path, cluster.sandbox['base-url']).href, { waitUntil: 'networkidle' });
  return page;
}

/** The pixels by which the page is wider than the window. Content that scrolls in its own frame does not count. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');

const pages = existsSync(BUILT)
  ? readdirSync(BUILT)
      .filter((name) => name.endsWith('.html') && name !== '404.html')
      .map((name) => name.replace(/(index)?\.html$/, ''))
  : [];

it.each(pages)('/docs/%s passes axe in light and in dark, fits 360 px and breaks no policy', async (name) => {
  const page = await opened(`/docs/${name}`);
  await page.locator('h1').first().waitFor();
  if (name === 'states') await page.locator('.diagram svg').first().waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html.dark').waitFor();
  expect(await seriousFindings(page, COLOUR_RULES)).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(watch.faults).toEqual([]);
});

it('searching the guides sends no request to another origin', async () => {
  const page = await opened('/docs/', 'light', { width: 1280, height: 800 });
  const field = page.locator('.VPLocalSearchBox input');
  // The key does nothing before the scripts of the page have started, which may be after the network is idle.
  await until(async () => {
    await page.keyboard.press('Control+k');
    await field.waitFor({ timeout: 1_000 });
  });
  await field.fill('signature');
  await page.locator('.VPLocalSearchBox .result').first().waitFor();
  const origins = new Set(watch.traces.filter((one) => /^https?:/.test(one)).map((one) => new URL(one).origin));
  expect([...origins]).toEqual([cluster.sandbox['base-url']]);
});

describe.each(['light', 'dark'] as const)('the staff API reference in %s', (scheme) => {
  it('is only on the management port, offers no client, fits 360 px and breaks no policy', async () => {
    const origin = `http://127.0.0.1:${management.port}`;
    const page = await opened(`${origin}/staff/reference`, scheme);
    await page
      .getByRole('heading', { name: /^Ponte staff/ })
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: /Try it out|Authorize/ }).count()).toBe(0);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(watch.faults).toEqual([]);
    const origins = new Set(watch.traces.filter((one) => /^https?:/.test(one)).map((one) => new URL(one).origin));
    expect([...origins]).toEqual([origin]);
    expect(await seriousFindings(page)).toEqual([]);
    expect((await fetch(`${cluster.sandbox['base-url']}/staff/reference`)).status).toBe(404);
  });
});

it('the reference shows every tag, takes the key from its address, fits 360 px and breaks no policy', async () => {
  const page = await opened(`/docs/reference#key=${cluster.sandbox['api-key']}`);
  await page
    .getByRole('heading', { name: /^Ponte/ })
    .first()
    .waitFor();
  expect(page.url()).not.toContain('sk_test_');
  expect(await page.evaluate<string>("sessionStorage.getItem('ponte-sandbox-key')")).toBe(cluster.sandbox['api-key']);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(watch.faults).toEqual([]);
  const origins = new Set(watch.traces.filter((one) => /^https?:/.test(one)).map((one) => new URL(one).origin));
  expect([...origins]).toEqual([cluster.sandbox['base-url']]);
  expect(await seriousFindings(page)).toEqual([]);
});
