import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { canariesIn } from '../../e2e/testing/canaries';
import type { InProcessCluster } from '../../e2e/testing/in-process';
import { startInProcess } from '../../e2e/testing/in-process';
import { SIMULATED } from '../../e2e/testing/program';
import type { Env } from '../../e2e/testing/program';
import { drawDocuments, openBrowser, Watch } from './browser';
import { CANARIES, Partner } from './people';

type Staff = 'analyst' | 'approver-1' | 'approver-2' | 'operator' | 'auditor';
const PATIENCE_MS = 45_000;

/** Decodes an address. Returns text with an invalid encoding unchanged. */
function decoded(trace: string): string {
  try {
    return decodeURIComponent(trace);
  } catch {
    return trace;
  }
}

/** A cluster, a browser, a partner, and staff who have signed in. */
export class ConsoleUnderTest {
  readonly watch = new Watch();
  /** Sessions are reused, because sign-ins are limited per name and minute. */
  private readonly signedIn = new Map<Staff, Awaited<ReturnType<BrowserContext['storageState']>>>();
  private readonly pages: Page[] = [];

  private constructor(
    readonly cluster: InProcessCluster,
    readonly browser: Browser,
    readonly partner: Partner,
  ) {}

  static async start(env: Env = {}): Promise<ConsoleUnderTest> {
    const browser = await openBrowser();
    const cluster = await startInProcess({ ...SIMULATED, ...env });
    const { 'base-url': baseUrl, 'api-key': apiKey } = cluster.sandbox;
    return new ConsoleUnderTest(cluster, browser, Partner.of(baseUrl, apiKey, await drawDocuments(browser)));
  }

  get baseUrl(): string {
    return this.cluster.sandbox['base-url'];
  }

  password(name: Staff): string {
    const found = this.cluster.sandbox.staff.find((one) => one.name === name);
    if (!found) throw new Error(`the sandbox has no ${name}`);
    return found.password;
  }

  /** Opens a window without a session. */
  async page(path = '/console', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.baseUrl,
      viewport: { width: 1280, height: 800 },
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await this.watch.over(context);
    const page = await context.newPage();
    this.pages.push(page);
    await page.goto(path);
    return page;
  }

  async signIn(page: Page, name: Staff): Promise<void> {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Password').fill(this.password(name));
    await page.keyboard.press('Enter');
    await page.locator('#who-name').getByText(name).waitFor();
  }

  /** Opens a window with a session of the staff member. */
  async as(name: Staff, path = '/console', options: BrowserContextOptions = {}): Promise<Page> {
    const storageState = this.signedIn.get(name);
    if (storageState) return this.page(path, { ...options, storageState });
    const page = await this.page(path, options);
    await this.signIn(page, name);
    this.signedIn.set(name, await page.context().storageState());
    return page;
  }

  /** Opens a case with the default reason. */
  async opened(name: Staff, requestId: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.as(name, `/console/requests/${requestId}`, options);
    await this.open(page);
    return page;
  }

  /** Opens the case from the page that asks for a reason. Resolves when the case is shown and accepts keys. */
  async open(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Open the case' }).click();
    await page.locator('.case').waitFor();
  }

  /** Forgets the session, so that the staff member signs in again. */
  forget(name: Staff): void {
    this.signedIn.delete(name);
  }

  /** Closes the windows of a test. Throws if a page had a fault or leaked personal data. */
  async leave(): Promise<void> {
    const pages = this.pages.splice(0);
    try {
      for (const page of pages) await this.watch.storage(page);
    } finally {
      await Promise.all(pages.map((page) => page.context().close()));
    }
    const { faults, traces } = this.watch;
    const leaks = traces.flatMap((trace) =>
      canariesIn(decoded(trace), [...CANARIES, ...this.partner.cpfs]).map((canary) => `${canary} in ${trace}`),
    );
    const found = [...faults.splice(0), ...leaks];
    traces.splice(0);
    if (found.length > 0) throw new Error(found.join('\n'));
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.partner.api.close();
    await this.cluster.close();
  }
}
