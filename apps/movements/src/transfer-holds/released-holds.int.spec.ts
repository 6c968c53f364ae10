import { CommandBus } from '@nestjs/cqrs';
import type { Hold, TokenMovementPurpose } from '@ponte/contracts';
import { ListOpenHolds } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { OWNER, uuid } from '../testing/certificates-under-test';
import { ASSET, OUTSIDE, TransfersUnderTest } from '../testing/transfers-under-test';
import { CompleteTransferCommand } from '../transfer/end-transfer.commands';
import { GiveUpHold } from './give-up-hold.service';
import { SweepTransferHolds } from './sweep-holds.job';

const service = TransfersUnderTest.forEachTest();

/** A transfer whose target is under review. */
async function waiting(): Promise<string> {
  service.fund(1);
  service.movements.outcomes.set(OUTSIDE, 'waits');
  const { id } = await service.send(service.request({ targetAddress: OUTSIDE }));
  await eventually(() => expect(service.movements.screened).toContain(OUTSIDE));
  return id;
}

describe('The hold of a transfer that fails while the ledger does not answer', () => {
  it('is released when the account was frozen', async () => {
    const id = await waiting();
    service.movements.unansweredReleases = 1;
    service.movements.statuses.set(OWNER, 'frozen');
    await service.movements.review({ kind: 'transfer', id }, 'clear');
    await expect(service.ended(id)).resolves.toMatchObject({ failure: { code: 'account-not-active' } });
    await eventually(() => expect(service.movements.holds.size).toBe(0));
  });

  it('is released when staff have refused the target', async () => {
    const id = await waiting();
    service.movements.unansweredReleases = 1;
    await service.movements.review({ kind: 'transfer', id }, 'refused');
    await expect(service.ended(id)).resolves.toMatchObject({ failure: { code: 'compliance' } });
    await eventually(() => expect(service.movements.holds.size).toBe(0));
  });
});

it('Tokens that moved for a failed transfer are not posted, so that the event is parked for an operator', async () => {
  const id = await waiting();
  await service.movements.review({ kind: 'transfer', id }, 'refused');
  await service.ended(id);
  const purpose: TokenMovementPurpose = {
    ...{ kind: 'token-movement', id, owner: { kind: 'transfer', id }, accountId: OWNER, asset: ASSET, amount: '1' },
    ...{ walletIds: ['w'], from: '0x1', to: OUTSIDE, receiver: null },
  };
  const confirmed = { purpose, chain: 'eth-base', txHash: '0xa', minedAt: '2026-01-01T00:00:00.000Z' } as const;
  const moved = new CompleteTransferCommand({ transferId: id, confirmed }, service.movements.context());
  await expect(service.movements.part(CommandBus).execute(moved)).rejects.toThrow('tokens were moved for transfer');
});

describe('The sweep of the holds', () => {
  const sweep = () => service.movements.part(SweepTransferHolds).sweep(service.movements.context());
  const unneeded = () => service.movements.value('ponte_holds_without_transfer');
  const hold = (holdId: string, id: string): Hold & { accountId: string; placedAt: string } => ({
    ...{ holdId, accountId: OWNER, asset: ASSET, amount: '1.000000000000000000' },
    ...{ owner: { kind: 'transfer', id }, placedAt: '2026-01-01T00:00:00.000Z' },
  });

  it('keeps a hold whose transfer was created after the sweep found none', async () => {
    const id = await waiting();
    const [holdId = ''] = service.movements.holds;
    const owned = { transferId: id, accountId: OWNER, holdId };
    const answer = await service.movements.part(GiveUpHold).execute(owned, service.movements.context());
    expect([answer, [...service.movements.holds]]).toEqual([{ owned: true }, [holdId]]);
  });

  it('releases the hold of a failed transfer, and reports it until then', async () => {
    const id = await waiting();
    const [holdId = ''] = service.movements.holds;
    await service.movements.review({ kind: 'transfer', id }, 'refused');
    await service.ended(id);
    await eventually(() => expect(service.movements.holds.size).toBe(0));
    service.movements.holds.add(holdId);
    service.movements.bus.handle(ListOpenHolds.pattern, async () => ({
      holds: service.movements.holds.has(holdId) ? [hold(holdId, id)] : [],
    }));
    service.movements.unansweredReleases = 1;
    await sweep();
    // The metric alerts an operator to a hold that cannot be released.
    expect([service.movements.holds.size, await unneeded()]).toEqual([1, 1]);
    await sweep();
    expect(service.movements.holds.size).toBe(0);
    await sweep();
    expect(await unneeded()).toBe(0);
  });

  /** Lists the holds page by page in this order, and records how many each answer had. */
  function listing(...all: readonly ReturnType<typeof hold>[]): number[] {
    const placed = all.map((one, at) => ({ ...one, placedAt: new Date(Date.UTC(2026, 0) + at).toISOString() }));
    const answered: number[] = [];
    service.movements.bus.handle(ListOpenHolds.pattern, async (query) => {
      const { limit, after } = query as PayloadOf<typeof ListOpenHolds>;
      const open = placed.filter(({ holdId }) => service.movements.holds.has(holdId));
      const holds = open.filter(({ placedAt }) => !after || placedAt > after.placedAt).slice(0, limit);
      answered.push(holds.length);
      return { holds };
    });
    return answered;
  }

  /** The hold of a transfer that needs it, as often as given. */
  async function needed(times: number) {
    const id = await waiting();
    const [holdId = ''] = service.movements.holds;
    return Array.from({ length: times }, () => hold(holdId, id));
  }

  /** A hold whose transfer was never created. */
  function forgotten() {
    const holdId = uuid();
    service.movements.holds.add(holdId);
    return hold(holdId, uuid());
  }

  it('releases a forgotten hold behind a full page of older holds that are needed, one page in each run', async () => {
    const page = await needed(1_000);
    const last = forgotten();
    const answered = listing(...page, last);
    await sweep();
    expect([...service.movements.holds]).toContain(last.holdId);
    await sweep();
    expect([...service.movements.holds]).toEqual([page[0]?.holdId]);
    expect(answered).toEqual([1_000, 1]);
  });

  it('begins with the oldest hold again after the last page', async () => {
    const page = await needed(1_001);
    const answered = listing(...page);
    for (let run = 0; run < 4; run += 1) await sweep();
    expect(answered).toEqual([1_000, 1, 1_000, 1]);
  });

  it('tries a hold again in the next run and reports it, although that run looks at another page', async () => {
    const page = await needed(1_000);
    const first = forgotten();
    listing(first, ...page);
    service.movements.unansweredReleases = 1;
    await sweep();
    expect([service.movements.holds.has(first.holdId), await unneeded()]).toEqual([true, 1]);
    await sweep();
    expect([service.movements.holds.has(first.holdId), await unneeded()]).toEqual([false, 1]);
    await sweep();
    expect(await unneeded()).toBe(0);
  });

  it('reports a hold while it still tries to release it', async () => {
    listing(forgotten());
    let end: () => void = () => undefined;
    const release = jest
      .spyOn(service.movements.part(GiveUpHold), 'execute')
      .mockImplementation(() => new Promise((resolve) => (end = () => resolve({ owned: false }))));
    const running = sweep();
    await eventually(() => expect(release).toHaveBeenCalled());
    expect(await unneeded()).toBe(1);
    end();
    await running;
  });
});
