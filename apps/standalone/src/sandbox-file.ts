import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxStaff } from '../../onboarding/src/sandbox/sandbox-staff';

/** The content of `sandbox.json`: everything needed to use the running sandbox. */
export interface SandboxFile {
  readonly 'base-url': string;
  readonly docs: string;
  /** The console of the compliance staff. */
  readonly console: string;
  /** Read-write key of the partner. It is a plain bearer secret, which exists only in the sandbox. */
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
 * Reads the file of an earlier start, if any. Keys are stored hashed, so this file is the only place from which they
 * can be read.
 */
export function readSandboxFile(dataDirectory: string): SandboxFile | undefined {
  const file = fileIn(dataDirectory);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SandboxFile) : undefined;
}

/** Replaces the file by rename, so that a reader never sees a partial file. */
export function writeSandboxFile(dataDirectory: string, sandbox: SandboxFile): void {
  const draft = `${fileIn(dataDirectory)}.new`;
  writeFileSync(draft, `${JSON.stringify(sandbox, null, 2)}\n`, { mode: OWNER_ONLY });
  chmodSync(draft, OWNER_ONLY);
  renameSync(draft, fileIn(dataDirectory));
}
