import { randomBytes } from 'node:crypto';
import { readLog } from '../../e2e/testing/trial-balance';
import type { Balance } from '../../e2e/testing/customer';
import { Customer } from '../../e2e/testing/customer';
import type { Program, Running } from '../../e2e/testing/program';
import { SIMULATED } from '../../e2e/testing/program';
import { brlvOnChain } from '../../e2e/testing/on-chain';
import { until } from '../../e2e/testing/waiting';
import { endedMovements, heldOnChain, paidByBank, settledBalance } from './aftermath';
import { Dice } from './dice';
import type { Disturbance } from './kills';
import { KILL, Killer } from './kills';
import { Listener } from './listener';
import { ProcessorTime } from './processor-time';
import { Load } from './load';
import type { ChaosReport } from './report';
import { summed } from './report';
import { allEnded, openAccounts } from './fixtures';
import type { ChaosSettings } from './settings';
import { SYMBOLS, referenceIn } from './mix';
import { movementFaultsOf } from './movement-faults';
import type { Mark } from './steady';
import { mark, perOrder, steady } from './steady';
import { faultsOf } from './faults';

/** Local chains as in the sandbox, with one block per second. */
const LOCAL = { MOVEMENTS_CHAINS: 'local' };
/** Within this time after the last response, every order must have ended and its webhooks must have been delivered. */
const END_MS = 240_000;
/** One of this many answered requests is repeated at the end. */
const ASKED_AGAIN = 20;

interface Counted {
  readonly from: Mark;
  readonly to: Mark;
}

interface ChaosParts {
  /** Called with the cluster's data folder, which is still empty. */
  readonly prepare?: (dataDirectory: string) => void;
  readonly say: (line: string) => void;
  /** The targets to kill, in this order. Without it, the targets of the settings are shuffled. */
  readonly victims?: readonly string[];
  /** What is done to the targets instead of killing them. */
  readonly disturbance?: Disturbance;
  /** Inspects the cluster under load, before the first kill and after the recovery from the last. */
  readonly look?: (running: Running) => Promise<void>;
}

/** Sends orders at a fixed rate and kills processes, waits until everything has ended, then checks the log. */
export async function runChaos(program: Program, settings: ChaosSettings, parts: ChaosParts): Promise<ChaosReport> {
  const folder = program.dataFolder();
  parts.prepare?.(folder);
  const running = await program.start(folder, {
    ...(settings.chains === 'local' ? LOCAL : SIMULATED),
    PONTE_REPLICAS: String(settings.replicas),
  });
  const listener = await Listener.start();
  try {
    return await underway(running, listener, settings, parts);
  } finally {
    await listener.close();
  }
}

async function underway(
  running: Running,
  listener: Listener,
  settings: ChaosSettings,
  parts: ChaosParts,
): Promise<ChaosReport> {
  const { parties, before } = await openAccounts(running, settings.accounts);
  const customers = parties.map(({ customer }) => customer);
  const partner = new Customer((customers[0] as Customer).api, running.sandbox['account-id']);
  listener.useSecret(await partner.listen(listener.url));
  const load = new Load({
    parties,
    rate: settings.rate,
    maxRequests: settings.maxRequests,
    run: randomBytes(4).toString('hex'),
  });
  const { seconds, counted, killer, killsAsked } = await underLoad({ running, listener, load }, settings, parts);
  parts.say(`the load has ended after ${Math.round(seconds)} s; waiting for ${load.acknowledged.length} orders to end`);
  await allEnded(customers, END_MS);
  await allReported(load, listener);
  const changed = await changedResponses(load);
  const movements = await endedMovements(load, listener, END_MS);
  const balances = await balancesOf(customers);
  const onChain = settings.chains === 'local';
  const mints = onChain ? await brlvOnChain(running.dataDirectory).mints() : null;
  const held = onChain ? await heldOnChain(running, parties, balances) : [];
  await partner.api.close();
  await running.stop();
  const log = await readLog(running.dataDirectory);
  const faults = [
    ...changed,
    ...movementFaultsOf({ log, movements, before, bank: paidByBank(running), held, partnerId: partner.accountId }),
    ...faultsOf({ log, load, listener, partnerId: partner.accountId, balances, before, mints }),
  ];
  const repeatedWebhooks = [...listener.delivered.values()].filter(({ times }) => times > 1).length;
  return summed(settings, load, killer.done, {
    seconds,
    repeatedWebhooks,
    overtaken: listener.overtaken,
    faults,
    killsAsked,
    done: (parts.disturbance ?? KILL).done,
    perOrder: perOrder(counted.from, counted.to),
  });
}

interface Underway {
  readonly running: Running;
  readonly listener: Listener;
  readonly load: Load;
}

/** Runs the load while killing the targets, or without kills for the time of the settings if there are no targets. */
async function underLoad({ running, listener, load }: Underway, settings: ChaosSettings, parts: ChaosParts) {
  const { say, victims, look, disturbance } = parts;
  const dice = new Dice(settings.seed);
  const from = Date.now();
  load.start();
  const processor = new ProcessorTime(running);
  const counters = { load, listener, processor };
  const patience = victims ? {} : { patienceMs: settings.minutes * 60_000 };
  const killer = new Killer({ running, load, listener, dice, say, disturbance, ...patience });
  const order = victims ?? Array.from({ length: settings.kills }, () => dice.shuffled(settings.targets)).flat();
  const kill = async (): Promise<Counted> => {
    if (order.length === 0) return steady({ ...counters, say }, settings.seconds);
    const begin = mark(counters);
    await look?.(running);
    await killer.run(order);
    await look?.(running);
    return { from: begin, to: mark(counters) };
  };
  const counted = await kill()
    .catch((error: Error) => error)
    .finally(() => processor.stop());
  const seconds = (Date.now() - from) / 1_000;
  await load.stop();
  if (counted instanceof Error) throw counted;
  return { seconds, counted, killer, killsAsked: order.length };
}

/** Resolves when the completion webhook of every acknowledged order has arrived. */
const allReported = (load: Load, listener: Listener): Promise<void> =>
  until(
    () => {
      const unreported = load.acknowledged.filter(({ orderId }) => !listener.completed.has(orderId));
      if (unreported.length > 0)
        throw new Error(
          `${unreported.length} orders have no completion webhook, the first is ${unreported[0]?.orderId}`,
        );
    },
    END_MS,
    250,
  );

/** The balances that the API reports when nothing is held, by account and symbol. */
async function balancesOf(customers: readonly Customer[]): Promise<Map<string, Record<string, Balance>>> {
  const balances = new Map<string, Record<string, Balance>>();
  for (const customer of customers) {
    const of: Record<string, Balance> = {};
    for (const symbol of SYMBOLS) of[symbol] = await settledBalance(customer, symbol);
    balances.set(customer.accountId, of);
  }
  return balances;
}

/** Repeats some requests under their idempotency keys and reports each response that differs from the first one. */
async function changedResponses(load: Load): Promise<string[]> {
  const faults: string[] = [];
  for (const one of load.acknowledged.filter(({ request }) => request % ASKED_AGAIN === 0)) {
    const { status, text } = await load.repeat(one);
    if (status !== 200 || text !== one.text)
      faults.push(`order ${one.orderId}, repeated under its key: HTTP ${status} ${text}`);
  }
  for (const one of load.moved.filter(({ request }) => request % ASKED_AGAIN === 1)) {
    const { status, body } = await load.moveAgain(one);
    if (status !== 200 || referenceIn(body) !== one.reference)
      faults.push(`${one.kind} ${one.reference}, repeated under its key: HTTP ${status} ${JSON.stringify(body)}`);
  }
  return faults;
}
