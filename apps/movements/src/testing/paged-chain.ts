import { Unavailable } from '@ponte/kernel';
import pino from 'pino';
import type { Hex } from '../chain/block.port';
import type { EarlyDepositChecks } from '../early-deposits/early-deposit-checks.read-model';
import { EarlyDeposits } from '../early-deposits/early-deposits';
import type { DepositTransfers } from '../token-deposits/deposit-transfers.port';

const PAGE = 100;
const MONTH_MS = 30 * 24 * 3_600_000;
/** The first block since a month before the first wallet. */
const EARLIEST = 3;
/** When the wallets of the tests were created. */
export const CREATED = '2026-01-31T12:00:00.000Z';
const FINAL = { number: 5_000, hash: '0x5000' } as const;

/** A chain with pages of 100 blocks, whose balances and transfers a test can set. */
export class PagedChain {
  /** Units and block of each transfer, by address. */
  readonly transfers: { readonly to: Hex; readonly blockNumber: number; readonly units: bigint }[] = [];
  /** Units that left each wallet. The first of them deploys the wallet. */
  readonly sent = new Map<Hex, bigint>();
  /** Addresses of wallets that the scan does not know yet. */
  readonly unlisted = new Set<Hex>();
  /** The pages that were searched, with the number of addresses. */
  readonly pages: string[] = [];
  readonly recorded: number[] = [];
  /** Fails the next read of this kind. */
  failing: 'held' | 'before' | 'read' | 'record' | undefined;

  readonly nodes = {
    early: {
      held: async (_: unknown, holders: readonly Hex[]) => {
        this.fail('held');
        return holders.map((holder) => ({
          units: this.received(holder) - (this.sent.get(holder) ?? 0n),
          isDeployed: this.sent.has(holder),
        }));
      },
      before: async ({ last, most }: { last: number; most: number }, _: unknown, recipients: readonly Hex[]) => {
        this.fail('before');
        const first = last - Math.min(PAGE, most) + 1;
        this.pages.push(`${first}-${last} ${recipients.length}`);
        const inPage = ({ to, blockNumber }: { to: Hex; blockNumber: number }) =>
          recipients.includes(to) && blockNumber >= first && blockNumber <= last;
        return { first, transfers: this.transfers.filter(inPage) };
      },
    },
    firstSince: async (time: number) => (time === Date.parse(CREATED) - MONTH_MS ? EARLIEST : 0),
    at: async (number: number) => ({ number, hash: '0x' }),
    read: async (number: number) => {
      this.fail('read');
      return { end: FINAL, blocks: [{ number }] };
    },
  } as unknown as DepositTransfers;

  record = async ({ number }: { number: number }): Promise<void> => {
    this.fail('record');
    this.recorded.push(number);
  };

  private received(holder: Hex): bigint {
    return this.transfers.filter(({ to }) => to === holder).reduce((sum, { units }) => sum + units, 0n);
  }

  private fail(kind: typeof this.failing): void {
    if (this.failing !== kind) return;
    this.failing = undefined;
    throw new Unavailable('chain-unavailable', 'the node did not answer');
  }
}

/** One round of the search over the chain, in a process that has just started. */
export const roundOn = (
  chain: PagedChain,
  checks: EarlyDepositChecks,
  final: { readonly number: number; readonly hash: Hex } = FINAL,
): Promise<void> =>
  new EarlyDeposits(
    {
      served: { evm: { chain: 'eth-base' } } as never,
      transfers: chain.nodes,
      settings: { chainsForget: false },
      addresses: {
        firstWalletAt: async () => Date.parse(CREATED),
        of: () => ({
          recipients: async () => null,
          allWallets: async () => [],
          senders: async () => new Set(),
          wallets: async (addresses) => new Set(addresses.filter((address) => !chain.unlisted.has(address))),
        }),
      },
      checks,
      logger: pino({ level: 'silent' }),
    },
    chain.record,
  ).advance(final, new AbortController().signal);
