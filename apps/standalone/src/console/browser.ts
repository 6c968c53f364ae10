import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chromium } from 'playwright-core';

/** Where the configuration of these tests found it. */
declare const CHROMIUM: string;

/** It talks to the cluster under test and to no one else. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser with a profile of its own, which goes with it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, headless: true, args: QUIET });

/** What the browser itself says of an answer that was not a success; it names the address and nothing else. */
const STATUS_LINE = /^Failed to load resource: the server responded with a status of (401|403|404|422|429)/;

/** What a page must never do, written down while it is used. */
export class Watch {
  readonly faults: string[] = [];
  /** Everything that outlives a page or leaves it: addresses, titles, lines of the log. */
  readonly traces: string[] = [];

  async over(context: BrowserContext): Promise<void> {
    await context.exposeBinding(
      'policyBroken',
      (_source, text: string) => void this.faults.push(`content security policy: ${text}`),
    );
    await context.addInitScript(
      "addEventListener('securitypolicyviolation', (event) => policyBroken(event.violatedDirective + ' ' + event.blockedURI))",
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

  /** What is left in the browser by now. */
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

/** Documents as a person would send them: a photo, a scan, a PDF. */
export interface Papers {
  readonly front: Buffer;
  readonly back: Buffer;
  readonly proof: Buffer;
}

export async function drawPapers(browser: Browser): Promise<Papers> {
  const page = await browser.newPage({ viewport: { width: 480, height: 300 } });
  const side = (title: string) =>
    `<body style="margin:0;height:300px;background:#cfe3d2;font:20px serif"><h2>${title}</h2><p>A document of no one.</p></body>`;
  await page.setContent(side('Front'));
  const front = await page.screenshot({ type: 'jpeg', quality: 60 });
  await page.setContent(side('Back'));
  const back = await page.screenshot({ type: 'png' });
  const proof = await page.pdf({ width: '10cm', height: '10cm' });
  await page.close();
  return { front, back, proof };
}
