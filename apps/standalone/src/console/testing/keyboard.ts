import type { Page } from 'playwright-core';

/** Presses the keys one after the other, as a reviewer who uses the console's shortcuts does. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Reads the open case again. Resolves when the page shows what was read: before, it may show parts of it already. */
export async function readAgain(page: Page): Promise<void> {
  const before = await page.locator('.case').elementHandle();
  await page.keyboard.press('o');
  await before?.waitForElementState('hidden');
}
