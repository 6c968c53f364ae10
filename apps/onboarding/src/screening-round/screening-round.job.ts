import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ScreenedCase } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged, safeError, systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { canonicalJson, derivedId, isoTime } from '@ponte/kernel';
import { CLOCK, IDS, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Screening } from '../screening/screening.port';
import { SCREENING } from '../screening/screening.port';
import { ScreenAgainCommand } from '../ongoing-screening/screen-again.command';
import { ScreenedCases } from './screened-cases.service';
import type { BegunRound } from './screening-round.decider';
import { ScreeningRounds } from './screening-rounds.service';

/** The largest number of cases per pass. They are screened one after the other, so that other work is not held up. */
const PAGE = 200;
/** A pass ends after this many failures: whatever fails usually fails for everyone. */
const MAX_FAILURES = 10;
/**
 * With so many cases put aside, every other pass tries them again, and cases that fail are put aside only if the same
 * pass screened another: a vendor that is down fails for everyone, a person who cannot be screened only for themselves.
 */
const MAX_SET_ASIDE = 100;
/** If every case of such a pass fails, it tries an account elsewhere: each time the one so many further in the list. */
const PROBE_STEP = 10;
/** Requests are not probed: one whose first screening is pending succeeds without a search. */
const BEFORE_ACCOUNTS: ScreenedCase = { kind: 'account', id: '' };

/** Screens everyone again, every day and after every change of the lists. Runs on one process at a time. */
@Injectable()
export class ScreeningRoundJob {
  /**
   * The number of failed retries. The next pass begins at another case, so that a few failures do not hold up the rest.
   */
  private failed = 0;
  private passes = 0;
  private probed = BEFORE_ACCOUNTS;

  constructor(
    private readonly rounds: ScreeningRounds,
    private readonly cases: ScreenedCases,
    private readonly commands: CommandBus,
    @Inject(SCREENING) private readonly screening: Screening,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Makes one pass: screens the next page of the current round, or what was put aside. */
  async run(signal: AbortSignal): Promise<void> {
    const context = systemContext(this.ids, 'onboarding-screening-round');
    const round = await this.rounds.current(this.screening.listsVersion(), isoTime(this.clock.now()), context);
    if (round === null) return;
    const isFull = round.aside.length >= MAX_SET_ASIDE;
    this.passes += 1;
    const isRetry = round.last === null || (isFull && this.passes % 2 === 1);
    const page = isRetry ? this.retried(round.aside) : await this.cases.after(round.last ?? undefined, PAGE);
    const { tried, failed, raised: found, isCut } = await this.screen(page, round, signal, context);
    const screened = tried.filter((one) => !failed.includes(one));
    let raised = found;
    if (!isRetry && isFull && tried.length > 0 && screened.length === 0) {
      const probe = await this.probe(round, signal, context);
      // Nothing is recorded, so these cases are tried again.
      if (!probe.isScreened) return;
      raised += probe.raised;
    }
    const keys = new Set(screened.map(canonicalJson));
    const aside = [...round.aside.filter((one) => !keys.has(canonicalJson(one))), ...(isRetry ? [] : failed)];
    if (isRetry) this.failed += failed.length;
    const isEnd = page.length === 0 && !isCut;
    const last = isRetry ? round.last : isEnd ? null : (tried.at(-1) ?? round.last);
    const state = await this.rounds.execute(
      round.roundId,
      (at) => ({ kind: 'advance', from: round, last, aside, screened: screened.length, raised, at }),
      { ...context, commandId: derivedId('advance-screening-round', context.commandId) },
    );
    if (state.status === 'completed')
      this.logger.info(
        { ...logged(context), listsVersion: state.listsVersion, screened: state.screened, raised: state.raised },
        'a screening round is completed',
      );
  }

  /**
   * Screens one account elsewhere in the list, which shows whether people can be screened at all. The round screens it
   * again in its turn, or has done so before; that changes nothing.
   */
  private async probe(round: BegunRound, signal: AbortSignal, context: RequestContext) {
    const account = (await this.cases.after(this.probed, PROBE_STEP)).at(-1);
    this.probed = account ?? BEFORE_ACCOUNTS;
    const { tried, failed, raised } = await this.screen(account ? [account] : [], round, signal, context);
    return { isScreened: tried.length > failed.length, raised };
  }

  private async screen(
    page: readonly ScreenedCase[],
    { roundId, listsVersion }: BegunRound,
    signal: AbortSignal,
    context: RequestContext,
  ) {
    const tried: ScreenedCase[] = [];
    const failed: ScreenedCase[] = [];
    let raised = 0;
    for (const screened of page) {
      // Changed lists start another round.
      if (signal.aborted || failed.length >= MAX_FAILURES || this.screening.listsVersion() !== listsVersion)
        return { tried, failed, raised, isCut: true };
      tried.push(screened);
      try {
        const commandId = derivedId('screen-again', roundId, canonicalJson(screened));
        raised += await this.commands.execute(
          new ScreenAgainCommand({ screened, roundId, listsVersion }, { ...context, commandId }),
        );
      } catch (error) {
        failed.push(screened);
        this.logger.warn(
          { ...logged(context), ...screened, error: safeError(error) },
          'the people of a case could not be screened again; it will be retried',
        );
      }
    }
    return { tried, failed, raised, isCut: false };
  }

  private retried(aside: readonly ScreenedCase[]): readonly ScreenedCase[] {
    const start = aside.length === 0 ? 0 : this.failed % aside.length;
    return [...aside.slice(start), ...aside.slice(0, start)].slice(0, PAGE);
  }
}
