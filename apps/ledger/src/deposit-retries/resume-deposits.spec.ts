import type { CommandBus } from '@nestjs/cqrs';
import type { PageRequest } from '@ponte/contracts';
import { systemContext } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { pino } from 'pino';
import type { LedgerSettings } from '../ledger-settings.port';
import type { UnfinishedReturns } from '../returns/unfinished-returns.read-model';
import type { AdvanceDepositCommand } from '../deposit/advance-deposit.command';
import type { DepositReadModel } from '../deposit/deposits.read-model';
import { ResumeDeposit } from './resume-deposit.service';
import { ResumeDepositsCommand, ResumeDepositsHandler } from './resume-deposits.command';
import { ResumeReturnsCommand, ResumeReturnsHandler } from './resume-returns.command';

const NOW = Date.UTC(2026, 4, 13, 14);
const FROZEN = Array.from({ length: 10_300 }, (_, at) => `frozen-${at}`);

/**
 * The timers over lists of these ids, newest first, of which `returns` have a return that the bank has not finished.
 * A deposit for which `hangs` is true is never advanced.
 */
function timersOver(
  deposits: readonly string[],
  returns: readonly string[],
  hangs: (depositId: string) => boolean = () => false,
) {
  const resumed: string[] = [];
  const commands = {
    execute: async ({ payload: { depositId } }: AdvanceDepositCommand) => {
      if (hangs(depositId)) await new Promise(() => undefined);
      resumed.push(depositId);
    },
  } as unknown as CommandBus;
  const readModel = {
    unfinished: async ({ cursor, limit }: PageRequest) => {
      const from = cursor === null ? 0 : Number(cursor.id) + 1;
      const last = from + limit - 1;
      const next = last + 1 < deposits.length ? { createdAt: '', id: String(last) } : null;
      return { items: deposits.slice(from, last + 1), next };
    },
  } as unknown as DepositReadModel;
  const list = {
    async *due() {
      for (let from = 0; from < returns.length; from += 200) yield returns.slice(from, from + 200);
    },
    among: async (ids: readonly string[]) => new Set(ids.filter((id) => returns.includes(id))),
  } as unknown as UnfinishedReturns;
  const clock = { now: () => NOW };
  const settings = { resumeMs: 10_000 } as LedgerSettings;
  const resume = new ResumeDeposit(commands, pino({ enabled: false }));
  const depositTimer = new ResumeDepositsHandler(readModel, list, resume, clock, settings);
  const returnTimer = new ResumeReturnsHandler(list, resume, clock, settings);
  let ids = 0;
  const next = () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`;
  const runDeposits = () => depositTimer.execute(new ResumeDepositsCommand(systemContext({ next }, 'test')));
  const runReturns = () => returnTimer.execute(new ResumeReturnsCommand(systemContext({ next }, 'test')));
  const resumedBy = async (run: () => Promise<void>) => {
    resumed.length = 0;
    await run();
    return [...resumed];
  };
  return { resumed, runDeposits, runReturns, resumedBy };
}

describe('The timer that resumes deposits, with more than ten thousand that wait for staff', () => {
  it('resumes older ones with its next run, and then begins again', async () => {
    const { runDeposits, resumedBy } = timersOver([...FROZEN, 'older'], []);
    expect(await resumedBy(runDeposits)).toEqual(FROZEN.slice(0, 10_000));
    expect(await resumedBy(runDeposits)).toEqual([...FROZEN.slice(10_000), 'older']);
    expect((await resumedBy(runDeposits))[0]).toBe(FROZEN[0]);
  });

  it('leaves returns that the bank has not finished to a timer of its own, which resumes all of them', async () => {
    const returns = Array.from({ length: 450 }, (_, at) => `return-${at}`);
    const { runDeposits, runReturns, resumedBy } = timersOver([...returns, ...FROZEN], returns);
    expect(await resumedBy(runReturns)).toEqual(returns);
    expect(await resumedBy(runReturns)).toEqual(returns);
    expect(await resumedBy(runDeposits)).toEqual(FROZEN.slice(0, 10_000 - returns.length));
    expect(await resumedBy(runDeposits)).toEqual(FROZEN.slice(10_000 - returns.length));
  });
});

describe('While the bank does not answer requests for returns', () => {
  it('other deposits are resumed', async () => {
    const returns = Array.from({ length: 40 }, (_, at) => `return-${at}`);
    const { runDeposits, runReturns, resumed } = timersOver([...returns, 'tokens', 'ted'], returns, (id) =>
      returns.includes(id),
    );
    void runReturns();
    void runDeposits();
    await eventually(async () => expect(resumed).toEqual(['tokens', 'ted']));
  });
});
