import type { Page } from 'playwright-core';

/** Waits until the list of messages on the page has one with this text: the whole text, or a match of the pattern. */
export const waitForMessage = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('#messages').getByText(text, { exact: true }).last().waitFor();
