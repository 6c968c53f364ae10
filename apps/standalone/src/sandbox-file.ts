import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxStaff } from '../../onboarding/src/sandbox/sandbox-staff';

/** What a newcomer needs to use the running sandbox, as it stands in `sandbox.json`. */
export interface SandboxFile {
  readonly 'base-url': string;
  readonly docs: string;
  /** The console of the compliance staff. */
  readonly console: string;
  /** Read-write key of the partner; a plain bearer secret, which exists in the sandbox alone. */
  readonly 'api-key': string;
  /** The partner. */
  readonly 'account-id': string;
  readonly 'subaccount-id': string;
  /** The sub-account's wallet on eth-base. */
  readonly 'wallet-address': string;
  /** Key of a second partner, which onboards in reliance mode. */
  readonly 'reliance-api-key': string;
  /** Key of a third partner, which holds no tier capability. */
  readonly 'bare-api-key': string;
  /** Sign-ins of the sandbox's compliance staff. */
  readonly staff: readonly SandboxStaff[];
}

const OWNER_ONLY = 0o600;
const fileIn = (dataDirectory: string): string => join(dataDirectory, 'sandbox.json');

/**
 * What an earlier start left, if any: keys are stored hashed, so this file is the only place where one can be read
 * again.
 */
export function readSandboxFile(dataDirectory: string): SandboxFile | undefined {
  const file = fileIn(dataDirectory);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SandboxFile) : undefined;
}

/** Replaces the file in one step, so that a reader never sees half of it. */
export function writeSandboxFile(dataDirectory: string, sandbox: SandboxFile): void {
  const draft = `${fileIn(dataDirectory)}.new`;
  writeFileSync(draft, `${JSON.stringify(sandbox, null, 2)}\n`, { mode: OWNER_ONLY });
  chmodSync(draft, OWNER_ONLY);
  renameSync(draft, fileIn(dataDirectory));
}
