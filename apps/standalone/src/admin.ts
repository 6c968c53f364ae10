import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreLocked } from '@ponte/eventstore-sqlite';
import type { Engines, Runtime } from '@ponte/nest';
import { bootHandlers, openEmbeddedEngines, openEmbeddedTools } from '@ponte/nest';
import { operatorVerbs, runOperator } from '@ponte/operator';
import { Command } from 'commander';
import { rulesVerb } from '../../pricing/src/rules/rules.verbs';
import { RulesRoutes } from '../../pricing/src/rules/staff-routes.adapter';
import type { StaffRoutesOptions } from '../../onboarding/src/admin/adapters/staff-routes';
import { StaffRoutes } from '../../onboarding/src/admin/adapters/staff-routes';
import { busOperations } from '../../onboarding/src/admin/bus-operations';
import { buildAdminProgram, runAdmin } from '../../onboarding/src/admin/cli';
import { OnboardingModule } from '../../onboarding/src/onboarding.module';
import { OWN_WALLETS_READER } from '../../onboarding/src/wallet/own-wallets';
import { RECEIVED_PIX } from '../../ledger/src/received-pix';
import { OUTBOX_READER } from '../../webhooks/src/outbox/outbox-projector';
import { elsewhereIn, optionsOf, routesOf } from './elsewhere';
import { OPERATOR_VERBS, OTHER_VERBS } from './operator-verbs';
import { readSandboxFile } from './sandbox-file';
import { ALL_VIEWS } from './views';

/** Readers that operators may put back: without brokers there are no relays to them. */
const RELAYS = [OUTBOX_READER, OWN_WALLETS_READER];
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

/**
 * Runs one operator's command: on the data folder itself, or through the staff routes of the cluster that owns it, or
 * of one elsewhere.
 */
export async function admin(runtime: Runtime, argv: readonly string[]): Promise<void> {
  const elsewhere = elsewhereIn(argv);
  const [verb = ''] = elsewhere?.words ?? argv;
  if (verb === 'rules') {
    const routes = new RulesRoutes(elsewhere ? optionsOf(elsewhere) : () => ownGateway(runtime));
    process.exitCode = await runAdmin(rulesProgram(routes), elsewhere?.words ?? argv, complain);
    return;
  }
  if (elsewhere) {
    if (OPERATOR_VERBS.includes(verb))
      throw new Error(`${verb} runs where its service does: node deploy/operate.mjs, or in a container of it`);
    process.exitCode = await runAdmin(partners(routesOf(elsewhere)), elsewhere.words, complain);
    return;
  }
  if (OPERATOR_VERBS.includes(verb)) {
    process.exitCode = await operate(runtime, argv);
    return;
  }
  const engines = await openUnlessOwned(runtime);
  if (!engines) {
    process.exitCode = await runAdmin(partners(staffRoutes(runtime)), argv, complain);
    return;
  }
  const stop = await bootHandlers(engines, [OnboardingModule]);
  try {
    process.exitCode = await runAdmin(partners(busOperations(engines, 'admin')), argv, complain);
  } finally {
    await stop();
  }
}

/** The verbs about partners; their help names the others. */
const partners = (operations: Parameters<typeof buildAdminProgram>[0]): Command =>
  buildAdminProgram(operations, print).addHelpText(
    'after',
    `${OTHER_VERBS}\n\n--at <origin> --token-file <file> before the verb: an installation elsewhere, by its staff routes`,
  );

const rulesProgram = (routes: RulesRoutes): Command => {
  const program = new Command('admin').exitOverride();
  return program.addCommand(rulesVerb({ routes, print, now: () => Date.now() }));
};

const operate = (runtime: Runtime, argv: readonly string[]): Promise<number> =>
  runOperator(
    (open, out) => {
      const program = new Command('admin').exitOverride();
      for (const one of operatorVerbs(open, out)) program.addCommand(one);
      return program.parseAsync([...argv], { from: 'user' });
    },
    () => openEmbeddedTools(runtime, ALL_VIEWS, RELAYS, [RECEIVED_PIX]),
  );

async function openUnlessOwned(runtime: Runtime): Promise<Engines | undefined> {
  try {
    return await openEmbeddedEngines({ ...runtime, logLevel: 'error' }, 'admin');
  } catch (error) {
    if (error instanceof EventStoreLocked) return undefined;
    throw error;
  }
}

const staffRoutes = (runtime: Runtime): StaffRoutes => new StaffRoutes(ownGateway(runtime));

/** The gateway of the cluster that owns the data folder. */
function ownGateway(runtime: Runtime): StaffRoutesOptions {
  const token = readFileSync(join(runtime.dataDirectory, 'staff-token'), 'utf8').trim();
  const baseUrl = readSandboxFile(runtime.dataDirectory)?.['base-url'] ?? `http://127.0.0.1:${runtime.port}`;
  return { baseUrl, token };
}
