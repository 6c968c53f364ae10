import type { OperatorOutcome } from '@ponte/event-sourcing';
import { fromIso, isoTime, isUuid } from '@ponte/kernel';
import { Command } from 'commander';
import { OperatorError } from './action-runner';
import { isBeyond, START } from './log-positions';
import { printRows } from './table';
import type { TimeReader } from './time-reader';
import { timeIn } from './time-reader';
import type { OperatorReason, OperatorTools } from './tools';
import { perform } from './tools';
import type { ChangeFlags, VerbOptions } from './verb-options';
import { changing, failUnless } from './verb-options';

/**
 * Readers of the bank and of chains are moved this much further back than the backup: what they could not process then
 * is in neither log.
 */
const MARGIN_MS = 24 * 60 * 60 * 1000;

/** One reader, its move and the outcome. */
interface SetBack {
  readonly reader: string;
  readonly from: string;
  readonly to: string;
  readonly outcome: Pick<OperatorOutcome, 'succeeded' | 'detail'>;
}

/** Commands for the time after the log was restored from a backup. */
export function restoreVerbs(options: VerbOptions): Command {
  const { tools, print } = options;
  const setBack = changing(
    new Command('set-back')
      .description(
        'move back every reader of this service whose position may be beyond the end of the restored log: readers ' +
          'of the log to its beginning, readers of the bank and of chains to a day before the backup. No reader ' +
          'moves forward, nothing is credited or delivered twice, and the command can be repeated',
      )
      .requiredOption('--backup-time <time>', 'when the backup of the log began, such as 2026-01-31T00:00:00.000Z'),
  ).action(async (flags: ChangeFlags & { backupTime: string }) => {
    const all = await tools();
    const backup = timeIn(flags.backupTime, all.systemClock.now());
    const rows = await setBackAll(all, isoTime(fromIso(backup) - MARGIN_MS), flags);
    printRows(
      print,
      rows.map(({ reader, from, to, outcome: { succeeded, detail } }) => ({
        ...{ reader, from, to, ended: succeeded ? 'done' : 'failed', detail },
      })),
      { json: flags.json, none: 'this service has no reader that could be beyond the end of the log' },
    );
    failUnless(rows.every(({ outcome }) => outcome.succeeded));
  });
  return new Command('restore')
    .description(
      'after the log was restored from a backup: move readers back, and find payments that the log does not have',
    )
    .addCommand(setBack)
    .addCommand(unknownPayouts(options));
}

/** Finds payments that the bank made after the backup, and of which the restored log has no record. */
function unknownPayouts({ tools, print }: VerbOptions): Command {
  return new Command('unknown-payouts')
    .description(
      'list payments that the bank made but whose withdrawal was never started in the restored log, so that the ' +
        'account was not debited: the withdrawal is not in the log (missing), is only created, or was rolled back ' +
        'before it was started (rolled-back). Exits with 1 if there are any',
    )
    .argument('<payment-ids...>', "payment ids from the bank's list of outgoing payments, with or without dashes")
    .option('--json', 'print JSON')
    .action(async (paymentIds: string[], { json }: { json?: boolean }) => {
      const withdrawals = [...new Set(paymentIds.map(withdrawalOf))];
      const { readStream } = await tools();
      const unknown: { withdrawal: string; state: UnknownState }[] = [];
      for (const withdrawal of withdrawals) {
        const state = unknownState(await readStream(`withdrawal-${withdrawal}`));
        if (state !== undefined) unknown.push({ withdrawal, state });
      }
      printRows(print, unknown, { json, none: 'the withdrawal of every payment was started in the log' });
      failUnless(unknown.length === 0);
    });
}

type UnknownState = 'missing' | 'created' | 'rolled-back';

/** The state of a withdrawal in the log; undefined if it was started: then the log already expects a payment. */
function unknownState(events: readonly { readonly type: string }[]): UnknownState | undefined {
  const has = (type: string): boolean => events.some((event) => event.type === type);
  if (has('WithdrawalProcessingStarted')) return undefined;
  if (has('WithdrawalRolledBack')) return 'rolled-back';
  return has('WithdrawalCreated') ? 'created' : 'missing';
}

/** A payment has the id of its withdrawal. Ponte sends it to the bank without dashes, and the bank lists it so. */
function withdrawalOf(paymentId: string): string {
  const hex = paymentId.replaceAll('-', '').toLowerCase();
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (isUuid(uuid)) return uuid;
  throw new OperatorError(
    `${paymentId} is not a payment id: use the id of the withdrawal, a UUID with or without dashes`,
  );
}

async function setBackAll(tools: OperatorTools, since: string, reason: OperatorReason): Promise<SetBack[]> {
  const kept = new Map((await tools.operator.checkpoints()).map(({ reader, position }) => [reader, position]));
  const outside = new Map((await tools.timePositions()).map(({ reader, position }) => [reader, position]));
  const ofLog = [...tools.rewindable, ...(await readersBeyondEnd(tools, kept))];
  return Promise.all([
    ...ofLog.map((reader) => setBackOne(tools, { reader, from: kept.get(reader) || START, to: START }, reason)),
    ...tools.timeReaders.map((reader) =>
      setBackOne(tools, { reader: reader.name, ...fromTo(reader, { kept, outside, since }) }, reason),
    ),
  ]);
}

/**
 * Other readers whose position is beyond the end of the log, such as the policies of a single process without brokers.
 */
async function readersBeyondEnd(tools: OperatorTools, kept: ReadonlyMap<string, string>): Promise<string[]> {
  const head = await tools.head();
  // The end is known only to a running process, which has read no further than its own log.
  if (head === null) return [];
  return [...kept]
    .filter(([reader, position]) => !tools.rewindable.includes(reader) && isBeyond(position, head))
    .map(([reader]) => reader);
}

type ReaderPositions = Readonly<Record<'kept' | 'outside', ReadonlyMap<string, string>>> & { readonly since: string };

/** The position of a reader of the bank or of a chain and its new one, which is never later. */
function fromTo(
  { name, positionIn }: TimeReader,
  { kept, outside, since }: ReaderPositions,
): Pick<SetBack, 'from' | 'to'> {
  if (positionIn) {
    const position = outside.get(name);
    return position === undefined ? { from: START, to: START } : { from: position, to: since };
  }
  const mark = kept.get(name);
  // Without a checkpoint, the reader would start a day before now.
  if (!mark) return { from: 'none', to: since };
  return { from: mark, to: fromIso(mark) <= fromIso(since) ? mark : since };
}

async function setBackOne(
  tools: OperatorTools,
  { reader, from, to }: Omit<SetBack, 'outcome'>,
  reason: OperatorReason,
): Promise<SetBack> {
  const outcome =
    from === to
      ? { succeeded: true, detail: 'was already at this position' }
      : await perform(tools, 'relay rewind', { reader, to }, reason);
  return { reader, from, to, outcome };
}
