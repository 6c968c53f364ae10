import type { Page } from 'playwright-core';

/** Presses the keys one after the other, as a reviewer who uses the console's shortcuts does. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
