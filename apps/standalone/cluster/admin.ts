import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRuntime } from '@ponte/nest';
import { StaffRoutes } from '../../onboarding/src/admin/adapters/staff-routes';
import { buildAdminProgram, runAdmin } from '../../onboarding/src/admin/cli';
import { OPERATOR_VERBS, OTHER_VERBS } from '../src/operator-verbs';
import { readSandboxFile } from '../src/sandbox-file';
import { readLine } from './addressee';
import { operate } from './operate';

/**
 * Runs one operator's command on the cluster that runs over the data folder: about partners through its staff routes,
 * about readers, views and keys as its services do.
 */
export async function admin(
  given: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
): Promise<void> {
  if (argv.some((word) => OPERATOR_VERBS.includes(word)) && OPERATOR_VERBS.includes(readLine(argv).words[0] ?? '')) {
    process.exitCode = await operate(given, argv);
    return;
  }
  const { dataDirectory } = readRuntime({ PONTE_DATA_DIR: given['PONTE_DATA_DIR'] });
  const baseUrl = readSandboxFile(dataDirectory)?.['base-url'];
  if (!baseUrl) throw new Error(`${dataDirectory} has no sandbox.json: start the cluster first (npm run cluster)`);
  const token = readFileSync(join(dataDirectory, 'staff-token'), 'utf8').trim();
  const program = buildAdminProgram(
    new StaffRoutes({ baseUrl, token }),
    (text) => void process.stdout.write(`${text}\n`),
  ).addHelpText('after', `${OTHER_VERBS}\nof the services that they are about; --service <name> for one.`);
  process.exitCode = await runAdmin(program, argv, (text) => void process.stderr.write(`${text}\n`));
}
