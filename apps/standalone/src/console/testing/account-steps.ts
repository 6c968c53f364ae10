import type { Locator, Page } from 'playwright-core';
import { seriousFindings } from './axe';
import { waitForMessage } from './messages';

type Step = 'Freeze' | 'Release' | 'Close';

/** Opens the dialog of a step and sends its reason and evidence, each after the dialog has asked for it. */
export async function filled(page: Page, step: Step, reason: string, evidence: string): Promise<Locator> {
  await page.getByRole('button', { name: `${step}…` }).click();
  const dialog = page.getByRole('dialog', { name: step });
  const request = dialog.getByRole('button', {
    name: `Request the ${step === 'Close' ? 'closing' : step.toLowerCase()}`,
  });
  expect(await seriousFindings(page)).toEqual([]);
  await request.click();
  await dialog.getByRole('alert').getByText('Choose a reason.').waitFor();
  await dialog.getByRole('radio', { name: reason }).check();
  await request.click();
  await dialog.getByRole('alert').getByText('Enter the evidence.').waitFor();
  await dialog.getByLabel('Evidence').fill(evidence);
  await request.click();
  return dialog;
}

export async function ask(page: Page, step: Step, reason: string, evidence: string): Promise<void> {
  const dialog = await filled(page, step, reason, evidence);
  // The same message of an earlier request may still be shown.
  await dialog.waitFor({ state: 'detached' });
  await waitForMessage(page, 'Requested. Another approver must confirm it.');
}

/** Opens the dialog of a decision, such as “Confirm the freeze”, and sends it. */
export async function decide(page: Page, decision: string): Promise<void> {
  const [verb = ''] = decision.split(' ');
  await page.getByRole('button', { name: verb === 'Refuse' ? 'Refuse…' : `${decision}…` }).click();
  const dialog = page.getByRole('dialog', { name: decision });
  await dialog.getByRole('button', { name: decision }).click();
}
