import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { InProcessCluster } from '../../e2e/testing/in-process';

const run = promisify(execFile);

export const ROOT = resolve(__dirname, '../../../../..');
export const TOOLS = join(ROOT, 'node_modules/.cache/ponte-clients');
export const SCENARIOS = join(ROOT, 'deploy/clients/scenarios');

/** The path of a tool installed from `deploy/clients`. */
export const tool = (path: string): string => join(TOOLS, 'node_modules', path);

/** The path of another Node. Undefined if its package does not exist for this machine. */
export const nodeOf = (major: 20 | 22 | 24): string | undefined =>
  [tool(`node${major}/bin/node`)].find((file) => existsSync(file));

/**
 * Runs a program without a shell and returns its standard output. Rejects with all of its output. It inherits only
 * `PATH`, `HOME` and the machine's certificates, so that the test's environment does not affect it. Without the
 * certificates, npm on another Node may try a registry for minutes.
 */
export async function execute(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): Promise<string> {
  const { PATH = '', HOME = '', NODE_EXTRA_CA_CERTS } = process.env;
  const certificates = NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
  try {
    const { stdout } = await run(program, [...args], {
      cwd: options.cwd,
      env: { PATH, HOME, ...certificates, ...options.env },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}\n${stderr || message}`, { cause: error });
  }
}

/** The result that a scenario prints. */
interface Outcome {
  readonly order: { readonly id: string; readonly state: string };
  readonly listed: readonly string[];
  readonly files: readonly string[];
  readonly refusal: string;
}

/** The variables that every scenario reads. */
export const variablesOf = ({ sandbox }: InProcessCluster): Record<string, string> => ({
  PONTE_BASE_URL: sandbox['base-url'],
  PONTE_API_KEY: sandbox['api-key'],
  PONTE_ACCOUNT_ID: sandbox['subaccount-id'],
  PONTE_PARTNER_ID: sandbox['account-id'],
});

/**
 * Asserts that the order was created and listed, that `files` files were stored, and that a request for an absent order
 * was refused with its code.
 */
export function expectDone(output: string, files: number): void {
  const outcome = JSON.parse(output) as Outcome;
  expect(outcome.order.state).toBe('created');
  expect(outcome.listed).toContain(outcome.order.id);
  expect(outcome.files).toHaveLength(files);
  for (const id of outcome.files) expect(id).toMatch(/^ev_[0-9A-Z]{26}$/);
  expect(outcome.refusal).toBe('order-not-found');
}
