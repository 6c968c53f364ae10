import type { CommandBus } from '@nestjs/cqrs';
import type { PageRequest } from '@ponte/contracts';
import { systemContext } from '@ponte/event-sourcing';
import { pino } from 'pino';
import type { LedgerSettings } from '../ledger-settings.port';
import type { UnfinishedReturns } from '../returns/unfinished-returns.read-model';
import type { AdvanceDepositCommand } from '../deposit/advance-deposit.command';
import type { DepositReadModel } from '../deposit/deposits.read-model';
import { ResumeDepositsCommand, ResumeDepositsHandler } from './resume-deposits.command';

const NOW = Date.UTC(2026, 4, 13, 14);
const FROZEN = Array.from({ length: 10_300 }, (_, at) => `frozen-${at}`);

/** The timer over lists of these ids, newest first, of which `returns` have a return that the bank has not finished. */
function timerOver(deposits: readonly string[], returns: readonly string[]) {
  const resumed: string[] = [];
  const handler = new ResumeDepositsHandler(
    {
      execute: async ({ payload: { depositId } }: AdvanceDepositCommand) => {
        resumed.push(depositId);
      },
    } as unknown as CommandBus,
    {
      unfinished: async ({ cursor, limit }: PageRequest) => {
        const from = cursor === null ? 0 : Number(cursor.id) + 1;
        const last = from + limit - 1;
        const next = last + 1 < deposits.length ? { createdAt: '', id: String(last) } : null;
        return { items: deposits.slice(from, last + 1), next };
      },
    } as unknown as DepositReadModel,
    {
      due: async (_before: string, after: { readonly id: string } | null, limit: number) => {
        const from = after === null ? 0 : returns.indexOf(after.id) + 1;
        return returns.slice(from, from + limit).map((id) => ({ id, since: '' }));
      },
    } as unknown as UnfinishedReturns,
    { now: () => NOW },
    { resumeMs: 10_000 } as LedgerSettings,
    pino({ enabled: false }),
  );
  let ids = 0;
  const next = () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`;
  const run = async () => {
    resumed.length = 0;
    await handler.execute(new ResumeDepositsCommand(systemContext({ next }, 'test')));
    return [...resumed];
  };
  return { run };
}

describe('The timer that resumes deposits, with more than ten thousand that wait for staff', () => {
  it('resumes older ones with its next run, and then begins again', async () => {
    const { run } = timerOver([...FROZEN, 'older'], []);
    expect(await run()).toEqual(FROZEN.slice(0, 10_000));
    expect(await run()).toEqual([...FROZEN.slice(10_000), 'older']);
    expect((await run())[0]).toBe(FROZEN[0]);
  });

  it('resumes every return that the bank has not finished, in every run and once', async () => {
    const returns = Array.from({ length: 450 }, (_, at) => `return-${at}`);
    const { run } = timerOver([...FROZEN, ...returns], returns);
    const first = await run();
    expect(first.slice(0, 450)).toEqual(returns);
    const second = await run();
    expect(second.filter((id) => id.startsWith('return-'))).toEqual(returns);
    expect(second).toContain(FROZEN.at(-1));
  });
});
