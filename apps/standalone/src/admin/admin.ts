import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreLocked } from '@ponte/eventstore-sqlite';
import type { Engines, RunningProcess, Runtime } from '@ponte/nest';
import { assertDataFolder, bootProcess, openEmbeddedEngines, openEmbeddedTools } from '@ponte/nest';
import { operatorVerbs, runOperator } from '@ponte/operator';
import { Command } from 'commander';
import { runAdmin } from '../../../admin/src/program';
import type { StaffGateway } from '../../../admin/src/staff-api/staff-api';
import { configureGateway, createGatewayAdapter, GatewayModule } from '../../../gateway/src/gateway.module';
import { BANK_READERS } from '../../../ledger/src/bank-readers';
import { DEPOSIT_SCANS } from '../../../movements/src/token-deposits/deposit-scans';
import { OnboardingModule } from '../../../onboarding/src/onboarding.module';
import { OWN_WALLETS_READER } from '../../../onboarding/src/wallet/own-wallets.service';
import { checkRules } from '../../../pricing/src/rules/check-rules.domain';
import { LOG_READERS } from '../../../webhooks/src/log-readers';
import { readSandboxFile } from '../sandbox-file';
import { ALL_READ_MODELS } from '../cluster.read-models';

const LOOPBACK = '127.0.0.1';
/** Readers that operators may rewind. Without brokers there are no relays. */
const RELAYS = [...LOG_READERS, OWN_WALLETS_READER];
const TIME_READERS = [...BANK_READERS, ...DEPOSIT_SCANS];

/** Runs one command of `npm run admin` on the data folder, whether or not a cluster uses it. */
export async function admin(runtime: Runtime, argv: readonly string[]): Promise<void> {
  let opened: OpenedGateway | undefined;
  try {
    process.exitCode = await runAdmin(argv, {
      gateway: async () => (opened ??= await openGateway(runtime)).gateway,
      operate: (words) => operate(runtime, words),
      checkRules: (rules) => checkRules(rules, Date.now()).check,
    });
  } finally {
    await opened?.close();
  }
}

interface OpenedGateway {
  readonly gateway: StaffGateway;
  close(): Promise<void>;
}

/** The gateway of the cluster that uses the data folder. If none is running, a gateway in this process. */
async function openGateway(runtime: Runtime): Promise<OpenedGateway> {
  const { dataDirectory, port } = runtime;
  assertDataFolder(dataDirectory);
  const engines = await openEmbeddedEngines({ ...runtime, logLevel: 'error' }, 'admin').catch((error: unknown) => {
    if (error instanceof EventStoreLocked) return undefined;
    throw error;
  });
  const ofThis = engines && (await bootStaffApi(engines));
  const running = () => readSandboxFile(dataDirectory)?.['base-url'] ?? `http://${LOOPBACK}:${port}`;
  const baseUrl = ofThis ? `http://${LOOPBACK}:${ofThis.port}` : running();
  const token = readFileSync(join(dataDirectory, 'staff-token'), 'utf8').trim();
  return { gateway: { baseUrl, token }, close: async () => ofThis?.stop() };
}

/** Starts only onboarding and the gateway, without jobs. */
export const bootStaffApi = (engines: Engines): Promise<RunningProcess> =>
  bootProcess({
    engines,
    modules: [OnboardingModule, GatewayModule.forEnvironment(engines.runtime.environment)],
    adapter: createGatewayAdapter(),
    configure: configureGateway,
    port: 0,
    host: LOOPBACK,
    jobs: false,
  });

const operate = (runtime: Runtime, words: readonly string[]): Promise<number> =>
  runOperator(
    (open, out) => {
      const program = new Command('admin').exitOverride();
      for (const one of operatorVerbs(open, out)) program.addCommand(one);
      return program.parseAsync([...words], { from: 'user' });
    },
    () => openEmbeddedTools(runtime, ALL_READ_MODELS, RELAYS, TIME_READERS),
  );
