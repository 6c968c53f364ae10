import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRuntime } from '@ponte/nest';
import { StaffRoutes } from '../../onboarding/src/adapters/operations/staff-routes';
import { buildAdminProgram, runAdmin } from '../../onboarding/src/admin/cli';
import { readSandboxFile } from '../src/sandbox-file';

/** Runs one operator's command through the staff routes of the cluster that runs over the data folder. */
export async function admin(given: Readonly<Record<string, string | undefined>>, argv: readonly string[]): Promise<void> {
  const { dataDirectory } = readRuntime({ PONTE_DATA_DIR: given['PONTE_DATA_DIR'] });
  const baseUrl = readSandboxFile(dataDirectory)?.['base-url'];
  if (!baseUrl) throw new Error(`${dataDirectory} has no sandbox.json: start the cluster first (npm run cluster)`);
  const token = readFileSync(join(dataDirectory, 'staff-token'), 'utf8').trim();
  const program = buildAdminProgram(new StaffRoutes({ baseUrl, token }), (text) => void process.stdout.write(`${text}\n`));
  process.exitCode = await runAdmin(program, argv, (text) => void process.stderr.write(`${text}\n`));
}
