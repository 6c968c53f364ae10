import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chromium } from 'playwright-core';

/** The path of the browser, found by the Jest configuration of these tests. */
declare const CHROMIUM: string;

/** Flags that keep the browser from connecting to anything but the cluster under test. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Opens a browser with a temporary profile. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, headless: true, args: QUIET });

/** The browser's own console message for an unsuccessful response. It contains the address and nothing else. */
const STATUS_LINE = /^Failed to load resource: the server responded with a status of (400|401|403|404|422|429)/;

/** Records what a page must never do while it is used. */
export class Watch {
  readonly faults: string[] = [];
  /** Everything that leaves a page or outlives it: addresses, titles and console lines. */
  readonly traces: string[] = [];

  async over(context: BrowserContext): Promise<void> {
    await context.exposeBinding(
      'policyBroken',
      (_source, text: string) => void this.faults.push(`content security policy: ${text}`),
    );
    await context.addInitScript(
      "addEventListener('securitypolicyviolation', (event) => " +
        "policyBroken(event.violatedDirective + ' ' + event.blockedURI))",
    );
    context.on('page', (page) => this.follow(page));
  }

  private follow(page: Page): void {
    page.on('console', (message) => {
      this.traces.push(message.text());
      if (!STATUS_LINE.test(message.text())) this.faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.faults.push(`uncaught: ${error.name}`));
    page.on('crash', () => this.faults.push('the page crashed'));
    page.on('request', (request) => this.traces.push(request.url()));
    page.on('framenavigated', (frame) => this.traces.push(frame.url()));
  }

  /** Records what the page has left in the browser's storage. */
  async storage(page: Page): Promise<void> {
    this.traces.push(
      await page.title(),
      page.url(),
      await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, history.state])'),
    );
    const fault = await page.evaluate<string | null>('document.documentElement.dataset.fault ?? null');
    if (fault !== null) this.faults.push(`unforeseen: ${fault}`);
  }
}

/** Documents as a person would send them: a JPEG, a PNG and a PDF. */
export interface SampleDocuments {
  readonly front: Buffer;
  readonly back: Buffer;
  readonly proof: Buffer;
}

export async function drawDocuments(browser: Browser): Promise<SampleDocuments> {
  const page = await browser.newPage({ viewport: { width: 480, height: 300 } });
  const side = (title: string) =>
    `<body style="margin:0;height:300px;background:#cfe3d2;font:20px serif"><h2>${title}</h2>` +
    '<p>A document of no one.</p></body>';
  await page.setContent(side('Front'));
  const front = await page.screenshot({ type: 'jpeg', quality: 60 });
  await page.setContent(side('Back'));
  const back = await page.screenshot({ type: 'png' });
  const proof = await page.pdf({ width: '10cm', height: '10cm' });
  await page.close();
  return { front, back, proof };
}
