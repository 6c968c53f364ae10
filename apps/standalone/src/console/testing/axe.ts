import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** The rules whose findings depend on the colour scheme. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const GRAVE = ['serious', 'critical'];

/** Resolves when all running transitions have ended, because axe would judge the colour in the middle of one. */
const SETTLED = 'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => undefined)';

/**
 * Returns the serious and critical findings of axe on the page after its transitions have ended. The script is
 * evaluated through the debugger, so the page's content security policy stays in force. Pass {@link COLOUR_RULES} for a
 * page that passed all rules in the other colour scheme.
 */
export async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(SETTLED);
  await page.evaluate(SOURCE);
  const options = { resultTypes: ['violations'], iframes: false, ...(rules && { runOnly: rules }) };
  const violations = await page.evaluate<readonly Finding[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact !== null && GRAVE.includes(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary ?? ''}`),
    );
}
