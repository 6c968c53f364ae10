import type { FreezeReason } from '@ponte/contracts';
import type { SandboxFile } from '../../../sandbox-file';
import { signInStaff } from '../../testing/staff';

interface WriteOff {
  readonly asset: string;
  readonly amount: string;
}
type Body = Readonly<Record<string, string | number | readonly WriteOff[]>>;
interface Standing {
  readonly account: { readonly pending: { readonly request: number } | null };
}

/** Freezes an account: one staff member requests it and another confirms. */
export const freezeAccount = (
  sandbox: SandboxFile,
  accountId: string,
  reason: FreezeReason = 'fraud-suspected',
): Promise<void> => requestAndConfirm(sandbox, `${accountId}/freeze`, { reason, evidence: 'Ticket 4711' });

/** Releases a frozen account in the same way. */
export const releaseAccount = (sandbox: SandboxFile, accountId: string): Promise<void> =>
  requestAndConfirm(sandbox, `${accountId}/release`, { reason: 'resolved', evidence: 'Ticket 4711, closed' });

/** Closes a frozen account in the same way, and writes off what is left of it. */
export const closeAccount = (sandbox: SandboxFile, accountId: string, writeOff?: readonly WriteOff[]): Promise<void> =>
  requestAndConfirm(sandbox, `${accountId}/close`, {
    ...{ reason: 'holder-request', evidence: 'Ticket 4712' },
    ...(writeOff && { 'write-off': writeOff }),
  });

/** Each staff member signs in for the step, because a session ends when business time is advanced. */
async function requestAndConfirm(sandbox: SandboxFile, step: string, body: Body): Promise<void> {
  const { account } = await signedIn(sandbox, 'analyst', step, body);
  await signedIn(sandbox, 'approver-1', `${step}/confirm`, { request: account.pending?.request ?? 0 });
}

async function signedIn(sandbox: SandboxFile, name: string, path: string, body: Body): Promise<Standing> {
  const staff = sandbox.staff.find((one) => one.name === name);
  if (!staff) throw new Error(`the sandbox has no ${name}`);
  const client = await signInStaff(sandbox['base-url'], staff);
  const standing = await client.post<Standing>(`/staff/v1/accounts/${path}`, body);
  await client.close();
  return standing;
}
