import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const GRAVE = ['serious', 'critical'];

/** Ends when every transition under way has: a colour in the middle of one is no colour of the design. */
const SETTLED = 'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => undefined)';

/**
 * What axe finds serious or critical on the page when its transitions have ended, in words. Evaluated by the debugger,
 * so the page's own policy stays as it is.
 */
export async function graveFindings(page: Page): Promise<string[]> {
  await page.evaluate(SETTLED);
  await page.evaluate(SOURCE);
  const violations = await page.evaluate<readonly Finding[]>(
    "axe.run(document, { resultTypes: ['violations'], iframes: false }).then(({ violations }) => violations)",
  );
  return violations
    .filter(({ impact }) => impact !== null && GRAVE.includes(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary ?? ''}`),
    );
}
