import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Variables } from '@ponte/kernel';
import { readRuntime } from '@ponte/nest';
import { runAdmin } from '../../admin/src/program';
import type { StaffGateway } from '../../admin/src/staff-api/staff-api';
import { checkRules } from '../../pricing/src/rules/check-rules.domain';
import { readSandboxFile } from '../src/sandbox-file';
import { readLine } from './addressee';
import { operate } from './operate';

/**
 * Runs one admin command on the cluster that uses the data folder. An operator verb runs as in its service, with the
 * settings of the cluster; `--service <name>` selects one service.
 */
export async function admin(given: Variables, argv: readonly string[]): Promise<void> {
  const { service, words } = readLine(argv);
  const { dataDirectory } = readRuntime({ PONTE_DATA_DIR: given['PONTE_DATA_DIR'] });
  process.exitCode = await runAdmin(words, {
    gateway: async () => runningGateway(dataDirectory),
    operate: (line) => operate(given, { service, words: line }),
    checkRules: (rules) => checkRules(rules, Date.now()).check,
  });
}

function runningGateway(dataDirectory: string): StaffGateway {
  const baseUrl = readSandboxFile(dataDirectory)?.['base-url'];
  if (!baseUrl) throw new Error(`${dataDirectory} has no sandbox.json: start the cluster first (npm run cluster)`);
  return { baseUrl, token: readFileSync(join(dataDirectory, 'staff-token'), 'utf8').trim() };
}
