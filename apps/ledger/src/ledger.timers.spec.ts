import type { CommandBus } from '@nestjs/cqrs';
import type { Timers } from '@ponte/concurrency';
import type { Logger } from 'pino';
import { LedgerTimers } from './ledger.timers';
import type { LedgerSettings } from './ledger-settings.port';
import type { BankPolls } from './payouts/bank-polls.service';

it('The timers of the ledger run every job, each with its command', async () => {
  const jobs = new Map<string, (signal: AbortSignal) => Promise<unknown>>();
  const timers: Timers = {
    stopping: new AbortController().signal,
    every: (name, _ms, job) => void jobs.set(name, job),
    onStop: () => undefined,
    start: () => undefined,
    stop: async () => undefined,
  };
  const lease = {
    acquire: async () => ({ fence: 7, lost: new AbortController().signal, release: async () => undefined }),
  };
  const executed: string[] = [];
  const commands = { execute: async (command: object) => void executed.push(command.constructor.name) };
  const notices = { listen: async () => undefined, register: async () => void executed.push('register') };
  const ledgerTimers = new LedgerTimers(
    commands as unknown as CommandBus,
    timers,
    lease,
    { next: () => 'id' },
    {} as Logger,
    { resumeMs: 1, pollMs: 1 } as LedgerSettings,
    notices,
    new Map(),
    notices,
    {} as BankPolls,
  );
  await ledgerTimers.onApplicationBootstrap();
  const run: Record<string, string[]> = {};
  for (const [name, job] of jobs) {
    await job(new AbortController().signal);
    run[name] = executed.splice(0);
  }
  expect(run).toEqual({
    'ledger-resume-deposits': ['ResumeDepositsCommand'],
    'ledger-resume-returns': ['ResumeReturnsCommand'],
    'ledger-resume-withdrawals': ['ResumeWithdrawalsCommand'],
    'ledger-check-refused-payouts': ['CheckRefusedPayoutsCommand'],
    'ledger-register-pix-callbacks': ['register'],
    'ledger-poll-received-pix': ['PollReceivedPixCommand'],
    'ledger-poll-received-pix-late': ['PollReceivedPixCommand'],
    'ledger-poll-taken-back-pix': ['PollTakenBackPixCommand'],
    'ledger-poll-taken-back-pix-late': ['PollTakenBackPixCommand'],
    'ledger-poll-received-teds': ['PollReceivedTedsCommand'],
    'ledger-poll-received-teds-late': ['PollReceivedTedsCommand'],
    'ledger-poll-returned-payments': ['PollReturnedPaymentsCommand'],
    'ledger-poll-returned-payments-late': ['PollReturnedPaymentsCommand'],
  });
});
