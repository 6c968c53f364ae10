import 'reflect-metadata';
import type { AmountOf } from '@ponte/contracts';
import { GetTrialBalance, GetUncreditedTokens } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { temporaryFolder } from '@ponte/testing';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServedChain } from '../chain/served-chains.port';
import { Outsider, walletsOf } from '../testing/deposits-under-test';
import { LEDGER_LAG_MS } from '../testing/movements-service-under-test';
import { MovementsUnderTest } from '../testing/movements-under-test';
import { Reconciler } from './reconciler.service';

let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;
beforeEach(async () => {
  folder = temporaryFolder();
  movements = await new MovementsUnderTest(folder.path).start();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await movements.stop();
  folder.remove();
});

const USDC: AssetId = 'eth-base/usdc';
const usdc = (units: number): AmountOf => ({ asset: USDC, amount: `0.${String(units).padStart(6, '0')}` });
/** How often a method of the reconciler was called for eth-base. */
const callsForBase = ({
  mock,
}: {
  readonly mock: { readonly calls: readonly (readonly [ServedChain, ...unknown[]])[] };
}) => mock.calls.filter(([{ evm }]) => evm.chain === 'eth-base').length;
const reconciled = () => movements.operate('chain reconcile');

/** Sets the answers of the ledger: what customers hold, and the deposits that it has seen but not credited. */
function books({
  held = async () => [],
  seen = () => 0,
  refused = 0,
  final = 0,
}: {
  readonly held?: () => Promise<readonly AmountOf[]>;
  readonly seen?: () => number;
  readonly refused?: number;
  readonly final?: number;
}): void {
  movements.bus.handle(GetTrialBalance.pattern, async () => ({ lines: [], customers: await held(), sums: [] }));
  movements.bus.handle(GetUncreditedTokens.pattern, async () => ({
    amounts: [usdc(seen())],
    final: [usdc(final)],
    refused: [usdc(refused)],
  }));
}

describe('a reconciliation', () => {
  it('agrees while deposits arrive all the time and the ledger sees each of them a moment later', async () => {
    const to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
    const outsider = new Outsider(movements.base);
    const sent: number[] = [];
    books({
      held: async () => {
        await outsider.send(to, 1n);
        sent.push(Date.now());
        return [];
      },
      seen: () => sent.filter((at) => at < Date.now() - 500).length,
    });
    await expect(reconciled()).resolves.toContain('agree');
  });

  it('agrees when each asset differs only once, and never the same one three times', async () => {
    const assets: AssetId[] = ['eth-base/brlv', 'eth-base/wbrly', USDC];
    const looks = jest.spyOn(Reconciler.prototype, 'read');
    books({
      held: async () => {
        const asset = assets[callsForBase(looks) - 1] ?? USDC;
        return [{ asset, amount: asset === USDC ? '1.000000' : '1.000000000000000000' }];
      },
    });
    await expect(reconciled()).resolves.toContain('agree');
  });

  it('agrees when the ledger books a deposit only after several seconds', async () => {
    const to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
    await new Outsider(movements.base).send(to, 5n);
    const booked = Date.now() + LEDGER_LAG_MS - 500;
    books({ held: async () => (Date.now() < booked ? [] : [usdc(5)]) });
    await expect(reconciled()).resolves.toContain('agree');
  });

  it('agrees when the ledger books a deposit during a comparison that takes longer than the ledger may lag', async () => {
    const to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
    await new Outsider(movements.base).send(to, 5n);
    const comparisons = jest.spyOn(Reconciler.prototype, 'compare');
    books({
      held: async () => {
        const begun = callsForBase(comparisons);
        if (begun === 1) await pause(LEDGER_LAG_MS);
        return begun <= 1 ? [] : [usdc(5)];
      },
    });
    await expect(reconciled()).resolves.toContain('agree');
  });

  it('waits for longer while a service reports that it is behind', async () => {
    const to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
    await new Outsider(movements.base).send(to, 5n);
    const booked = Date.now() + LEDGER_LAG_MS + 2_000;
    books({
      held: async () => {
        await movements.backlogs.report(Date.now() < booked ? { reader: 'ledger', behindMs: 9_000 } : null);
        return Date.now() < booked ? [] : [usdc(5)];
      },
    });
    await expect(reconciled()).resolves.toContain('agree');
  });

  it('reports nothing if a service stays behind', async () => {
    books({
      held: async () => {
        await movements.backlogs.report({ reader: 'ledger', behindMs: 9_000 });
        return [usdc(5)];
      },
    });
    await expect(reconciled()).rejects.toThrow('ledger and chain cannot be compared: ledger is behind');
  });

  it('reports tokens that are missing, although a final deposit of as much waits for its account', async () => {
    const to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
    await new Outsider(movements.base).send(to, 5n);
    let waitingDeposits = [usdc(5)];
    books({ held: async () => waitingDeposits, seen: () => 5, final: 5 });
    await expect(reconciled()).rejects.toThrow('"wallets-difference":"-0.000005"');
    waitingDeposits = [];
    await expect(reconciled()).resolves.toContain('agree');
  });

  it('reports tokens that are missing, although a deposit of as much was refused and is in a wallet', async () => {
    const to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
    await new Outsider(movements.base).send(to, 5n);
    let waitingDeposits = [usdc(5)];
    books({ held: async () => waitingDeposits, refused: 5 });
    await expect(reconciled()).rejects.toThrow('"wallets-difference":"-0.000005"');
    waitingDeposits = [];
    await expect(reconciled()).resolves.toContain('agree');
  });
});
