import { fork } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { EventStore } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { temporaryFolder } from '@ponte/testing';
import { ledgerAccount } from '../../../ledger/src/ledger-account/ledger-account.decider';
import type { FirstCommand } from './account-child';
import { median } from '../load/load';
import { contextOf, depositOf, LONG_ACCOUNT, openAccounts, stateWithIds, writeLongAccount } from './long-account';
import type { Row } from '../report';
import { WeightlessStore } from '../processes/weightless-store';

const MIB = 1024 * 1024;
const EVENTS = 1_000_000;
const MAX_MS = 200;
const MAX_MIB = 50;
const STARTS = 5;
const IDS = 100_000;
const FEW_IDS = 100;
const COMMANDS = 2_000;
/** A decision may cost more on a long account, but not in proportion: it has a thousand times as many ids. */
const MAX_RATIO = 3;

/**
 * Measures the first command after a restart on an account with a million events, and commands on an account with
 * 100,000 remembered ids when other processes may write too.
 */
export async function benchAccounts(child: string): Promise<Row[]> {
  return [...(await firstCommands(child)), ...(await sharedCommands())];
}

async function firstCommands(child: string): Promise<Row[]> {
  const folder = temporaryFolder();
  try {
    const { store, close } = openAccounts(folder.path);
    await writeLongAccount(store, EVENTS);
    await close();
    // The first start has no snapshot yet: it folds the whole stream and saves one.
    const whole = await firstCommand(child, folder.path);
    const starts: FirstCommand[] = [];
    for (let start = 0; start < STARTS; start += 1) starts.push(await firstCommand(child, folder.path));
    const milliseconds = median(starts.map((one) => one.milliseconds));
    const mib = median(starts.map((one) => one.bytes)) / MIB;
    return [
      {
        name: `first command after a restart, ${EVENTS} events, ms`,
        value: milliseconds,
        reference: whole.milliseconds,
        referenceName: 'without a snapshot',
        target: `under ${MAX_MS} ms`,
        met: milliseconds < MAX_MS,
      },
      {
        name: 'memory it takes, MiB',
        value: mib,
        reference: whole.bytes / MIB,
        referenceName: 'without a snapshot',
        target: `under ${MAX_MIB} MiB`,
        met: mib < MAX_MIB,
      },
    ];
  } finally {
    folder.remove();
  }
}

async function firstCommand(child: string, folder: string): Promise<FirstCommand> {
  const started = fork(child, [folder], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: ['--expose-gc'] });
  const ended = once(started, 'exit');
  const [answer] = (await Promise.race([
    once(started, 'message'),
    ended.then(() => {
      throw new Error('the process ended without an answer');
    }),
  ])) as [FirstCommand];
  await ended;
  return answer;
}

/**
 * Simulates EventStoreDB, where other processes may write: a command is decided on the cached state, and the append
 * detects a newer revision.
 */
async function sharedCommands(): Promise<Row[]> {
  const [many, few] = [await microseconds(IDS), await microseconds(FEW_IDS)];
  return [
    {
      name: `command on an account with ${IDS} ids, shared log, µs`,
      value: many,
      reference: few,
      referenceName: `with ${FEW_IDS} ids`,
      target: `at most ${MAX_RATIO}x`,
      met: many <= MAX_RATIO * few,
    },
  ];
}

async function microseconds(ids: number): Promise<number> {
  const store: EventStore = Object.assign(new WeightlessStore(), { soleWriter: false });
  const decider = { ...ledgerAccount, initial: stateWithIds(ids), snapshots: undefined };
  const aggregates = new Aggregates({ store, systemNow: Date.now, pause: async () => undefined });
  const times: number[] = [];
  for (let at = 0; at < COMMANDS; at += 1) {
    const began = performance.now();
    await aggregates.handle(
      decider,
      LONG_ACCOUNT,
      depositOf(`shared ${at}`),
      contextOf(derivedId('bench shared', String(at))),
    );
    times.push((performance.now() - began) * 1_000);
  }
  return median(times);
}
