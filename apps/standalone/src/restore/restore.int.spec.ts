import { Module } from '@nestjs/common';
import { GetBalance, ProvisionWallets } from '@ponte/contracts';
import type { ParkedEvent } from '@ponte/event-sourcing';
import type { SqliteEventStore } from '@ponte/eventstore-sqlite';
import { openSqliteEventStore } from '@ponte/eventstore-sqlite';
import { compactId, isoTime } from '@ponte/kernel';
import { openEmbeddedTools, readRuntime } from '@ponte/nest';
import { operatorVerbs, runOperator } from '@ponte/operator';
import { eventually, temporaryFolder } from '@ponte/testing';
import { Command } from 'commander';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BANK_READERS } from '../../../ledger/src/bank-readers';
import { LedgerModule } from '../../../ledger/src/ledger.module';
import { LEDGER_REBUILDABLE } from '../../../ledger/src/ledger.read-models';
import {
  ACCOUNT,
  HOLDER_CPF,
  LedgerUnderTest,
  PARENT,
  STRANGER_CPF,
} from '../../../ledger/src/testing/ledger-under-test';
import { paymentIdOf } from '../../../ledger/src/withdrawal/withdrawal.state';
import type { Hex } from '../../../movements/src/chain/chain.port';
import { MovementsModule } from '../../../movements/src/movements.module';
import { MOVEMENTS_REBUILDABLE } from '../../../movements/src/movements.read-models';
import { Outsider } from '../../../movements/src/testing/deposits-under-test';
import { simulatedChains } from '../../../movements/src/testing/simulated-chains';
import { DEPOSIT_SCANS } from '../../../movements/src/token-deposits/deposit-scans';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const USDC = 'eth-base/usdc';

const folder = temporaryFolder();
const backup = temporaryFolder();
// The chains continue while the service is stopped, and keep their state.
const chains = simulatedChains();
const config = {
  chains: { kind: 'simulated' },
  keystore: { kind: 'file', passphrase: '' },
  signerLimits: {},
  operatorKeys: 1,
  pollMs: 50,
} as const;
@Module({ imports: [LedgerModule, MovementsModule.over(config, { ...chains.open, forget: false })] })
class LedgerAndMovements {}
const ledger = new LedgerUnderTest<SqliteEventStore>({
  module: LedgerAndMovements,
  folder: folder.path,
  open: () => openSqliteEventStore({ file: join(folder.path, 'events.db') }),
  includesMovements: true,
});

const boot = async (): Promise<void> => {
  await ledger.boot();
  ledger.engines.timers.start();
};
beforeAll(async () => {
  // Operators can only pass times in the past.
  ledger.now = Date.now() - 2 * DAY_MS;
  await boot();
});
afterAll(async () => {
  await ledger.stop();
  folder.remove();
  backup.remove();
});

const logFiles = (of: string) => readdirSync(of).filter((name) => name.startsWith('events.db'));
function copyLog(from: string, to: string): void {
  for (const name of logFiles(to)) rmSync(join(to, name));
  for (const name of logFiles(from)) cpSync(join(from, name), join(to, name));
}

/** Runs an operator verb on the stopped service. Returns its parsed output. */
async function operate(...argv: string[]): Promise<unknown> {
  const out: string[] = [];
  const code = await runOperator(
    (open, print) => {
      const program = new Command('admin').exitOverride();
      for (const verb of operatorVerbs(open, print)) program.addCommand(verb);
      return program.parseAsync([...argv, '--reason', 'restore', '--json'], { from: 'user' });
    },
    () =>
      openEmbeddedTools(
        readRuntime({ PONTE_DATA_DIR: folder.path, PONTE_LOG_LEVEL: 'silent' }),
        [...LEDGER_REBUILDABLE, ...MOVEMENTS_REBUILDABLE],
        [],
        [...BANK_READERS, ...DEPOSIT_SCANS],
      ),
    { print: (text) => void out.push(text), complain: (text) => void out.push(text) },
  );
  expect([code, out]).toEqual([0, expect.anything()]);
  return JSON.parse(out.join('\n'));
}

interface SetBack {
  readonly reader: string;
  readonly from: string;
  readonly to: string;
  readonly detail: string;
}

const setBack = (time: string) => operate('restore', 'set-back', '--backup-time', time) as Promise<SetBack[]>;
const tokens = async (): Promise<string> =>
  (await ledger.ask(GetBalance, { accountId: ACCOUNT, assets: [USDC] })).running;
/** An event that an operator discards after the backup. Only `state.db` knows it. */
const parked = {
  ...{ group: 'webhook-outbox', key: 'order-1', reason: 'TypeError', parkedAt: isoTime(0) },
  event: { id: 'e1', revision: 0 },
} as ParkedEvent;
const discard = { actor: 'ana', why: 'its effect was produced in another way', discardedAt: isoTime(0) };
const balances = async () => [(await ledger.balance()).running, await tokens()];
/** Type and amount of every deposit, oldest first. */
const credits = async (): Promise<string[]> =>
  (await ledger.events('deposit-'))
    .filter(({ type }) => type === 'DepositCreated')
    .map(({ data }) => data as { type: string; amount: string; withdrawalId?: string })
    .map(({ type, amount, withdrawalId }) => `${withdrawalId ? 'returned ' : ''}${type} ${amount}`);
const become = (brl: string, usdc: string) =>
  eventually(async () => {
    await ledger.tick();
    expect(await balances()).toEqual([brl, usdc]);
  });

it('a restored older log with newer tables, bank and chains credits deposits once and keeps discards', async () => {
  const outsider = new Outsider(chains.base);
  const { wallets } = await ledger.ask(ProvisionWallets, { accountId: ACCOUNT, parentId: PARENT });
  const wallet = wallets.find(({ chain }) => chain === 'eth-base')?.address as Hex;
  await ledger.fund('100.00');
  const { id: withdrawalId } = await ledger.withdraw('30.00', { pixKey: STRANGER_CPF });
  await outsider.send(wallet, 1_000_000n, USDC);
  await become('70.00', '1.000000');
  await eventually(async () => {
    await ledger.tick();
    expect(await ledger.withdrawal(withdrawalId)).toMatchObject({ state: 'completed' });
  });
  const before = await credits();

  const keptAt = isoTime(ledger.now);
  await ledger.stop();
  copyLog(folder.path, backup.path);
  await boot();
  ledger.now += 30 * HOUR_MS;
  const payer = { taxId: HOLDER_CPF, legalName: 'Ana', bankCode: '00000000', branchCode: '1', accountNumber: '2' };
  await ledger.teds.pay({
    reference: ledger.freshId(),
    identifier: compactId(ACCOUNT),
    amount: '7.00',
    payer: { ...payer, accountType: 'checking' },
  });
  ledger.payouts.returnPayment(paymentIdOf(withdrawalId), '30.00');
  await outsider.send(wallet, 2_000_000n, USDC);
  await become('107.00', '3.000000');
  const after = await credits();
  expect(after).toHaveLength(before.length + 3);
  ledger.now += 5 * HOUR_MS;
  const arrivedBy = ledger.now;
  // Waits until the checkpoints of all three readers are past the deposits, so that their overlap does not include
  // them.
  await eventually(async () => {
    const kept = await ledger.engines.operator.checkpoints();
    for (const { name } of BANK_READERS)
      expect(Date.parse(kept.find(({ reader }) => reader === name)?.position ?? '')).toBeGreaterThanOrEqual(arrivedBy);
  });
  await ledger.engines.parkedEvents.add(parked);
  await ledger.engines.parkedEvents.discard(parked.group, parked.event.id, discard);
  await ledger.stop();

  copyLog(backup.path, folder.path);
  await operate('read-models', 'rebuild', '--all');
  const rows = await setBack(keptAt);
  const since = isoTime(Date.parse(keptAt) - DAY_MS);
  const named = (reader: string) => rows.find((row) => row.reader === reader);
  for (const { name } of BANK_READERS) {
    expect(named(name)).toMatchObject({ to: since, ended: 'done' });
    expect(Date.parse(named(name)?.from ?? '')).toBeGreaterThan(Date.parse(keptAt));
  }
  expect(named('movements-deposits-eth-base')).toMatchObject({
    from: expect.stringMatching(/^block \d+$/),
    to: since,
    ended: 'done',
  });
  // Repeating the verb moves no reader forward or further back.
  const again = await setBack(isoTime(Date.parse(keptAt) + HOUR_MS));
  expect(again.filter(({ reader }) => BANK_READERS.some(({ name }) => name === reader))).toEqual(
    BANK_READERS.map(({ name }) => ({
      ...{ reader: name, from: since, to: since, ended: 'done', detail: 'was already at this position' },
    })),
  );

  await boot();
  expect(await ledger.engines.parkedEvents.discarded()).toEqual([{ ...parked, ...discard }]);
  expect(await credits()).toEqual(before);
  await become('107.00', '3.000000');
  for (let round = 0; round < 3; round += 1) await ledger.tick();
  expect([...(await credits())].sort()).toEqual([...after].sort());
  await eventually(() => ledger.assertTrialBalance());
});
