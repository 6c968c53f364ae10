import type { Page } from 'playwright-core';

/** Checks the page as it is now; `where` names it in the findings. */
export type Look = (page: Page, where: string) => Promise<void>;
