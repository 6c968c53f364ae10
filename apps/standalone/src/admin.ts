import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreLocked } from '@ponte/engines';
import type { Engines, Runtime } from '@ponte/nest';
import { bootHandlers, openEmbeddedEngines } from '@ponte/nest';
import { StaffRoutes } from '../../onboarding/src/adapters/operations/staff-routes';
import { busOperations } from '../../onboarding/src/admin/bus-operations';
import { buildAdminProgram, runAdmin } from '../../onboarding/src/admin/cli';
import { OnboardingModule } from '../../onboarding/src/onboarding.module';
import { readSandboxFile } from './sandbox-file';

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

/** Runs one operator's command: on the data folder itself, or through the staff routes of the cluster that owns it. */
export async function admin(runtime: Runtime, argv: readonly string[]): Promise<void> {
  const engines = await openUnlessOwned(runtime);
  if (!engines) {
    process.exitCode = await runAdmin(buildAdminProgram(staffRoutes(runtime), print), argv, complain);
    return;
  }
  const stop = await bootHandlers(engines, [OnboardingModule]);
  try {
    process.exitCode = await runAdmin(buildAdminProgram(busOperations(engines, 'admin'), print), argv, complain);
  } finally {
    await stop();
  }
}

async function openUnlessOwned(runtime: Runtime): Promise<Engines | undefined> {
  try {
    return await openEmbeddedEngines({ ...runtime, logLevel: 'error' }, 'admin');
  } catch (error) {
    if (error instanceof EventStoreLocked) return undefined;
    throw error;
  }
}

function staffRoutes(runtime: Runtime): StaffRoutes {
  const token = readFileSync(join(runtime.dataDirectory, 'staff-token'), 'utf8').trim();
  const baseUrl = readSandboxFile(runtime.dataDirectory)?.['base-url'] ?? `http://127.0.0.1:${runtime.port}`;
  return new StaffRoutes({ baseUrl, token });
}
