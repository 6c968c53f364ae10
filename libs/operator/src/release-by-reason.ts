import type { MayRelease, ParkedReason } from '@ponte/event-sourcing';
import { PARKED_BEHIND, reasonsOf, ReleaseRefused, shownReasons } from '@ponte/event-sourcing';
import { OperatorError } from './action-runner';

/** The number of streams or events named in an outcome; "parked list" shows the others. */
const MAX_NAMED = 10;

/** The streams that are parked for a reason that contains a text. */
interface ParkedFor {
  /** They are parked for no other reason. */
  readonly only: readonly string[];
  /** Other events of them are parked for another reason, for example because events before them are missing. */
  readonly alsoOther: readonly string[];
}

/**
 * Finds the streams that are parked for a reason that contains the text. If an event failed again in a release, the
 * reason of that failure counts: the first may be repaired. An event that only waits behind another gives
 * no reason, unless all events of its stream do so. The first event is not enough: after a relay was rewound, the
 * events that were missing wait before the one that was parked because of them.
 */
export function parkedFor(parked: readonly ParkedReason[], text: string): ParkedFor {
  const streams = new Map<string, Reason[]>();
  for (const one of parked) {
    const reasons = streams.get(one.key) ?? [];
    reasons.push(...reasonsWith(one, text));
    streams.set(one.key, reasons);
  }
  const [only, alsoOther]: [string[], string[]] = [[], []];
  for (const [key, reasons] of streams) {
    const own = reasons.filter(({ reason }) => reason !== PARKED_BEHIND);
    const causes = own.length > 0 ? own : reasons;
    if (causes.every(({ isMatch }) => isMatch)) only.push(key);
    else if (causes.some(({ isMatch }) => isMatch)) alsoOther.push(key);
  }
  return { only, alsoOther };
}

/** A reason why an event is parked, and whether the operator's text matches it. */
interface Reason {
  readonly reason: string;
  readonly isMatch: boolean;
}

/**
 * The text matches each reason that contains it; if it spans several reasons as the list shows them, it matches all.
 */
function reasonsWith(parked: ParkedReason, text: string): readonly Reason[] {
  const reasons = reasonsOf(parked);
  const spansSeveral = !reasons.some((reason) => reason.includes(text)) && shownReasons(parked).includes(text);
  return reasons.map((reason) => ({ reason, isMatch: spansSeveral || reason.includes(text) }));
}

/** What is released, and how. */
interface ReleaseByReason {
  readonly group: string;
  /** The parked events of the group. */
  readonly parked: readonly ParkedReason[];
  readonly text: string;
  /** Releases one stream, as `ParkingLot.release` does. */
  readonly release: (key: string, mayRelease: MayRelease) => Promise<boolean>;
}

/**
 * Releases the streams that are parked only for reasons that contain the text, and returns what was done. A stream that
 * is parked for another reason too is left out: a release would also handle the events behind a gap, and the missing
 * ones would then count as passed. A stream that fails again does not block the others.
 */
export async function releaseByReason({ group, parked, text, release }: ReleaseByReason): Promise<string> {
  const { only, alsoOther } = parkedFor(parked, text);
  // The releases before a stream take time, and further events of it may be parked meanwhile.
  const mayRelease: MayRelease = (waiting) => parkedFor(waiting, text).only.length > 0;
  const [released, failed, others]: [string[], string[], string[]] = [[], [], [...alsoOther]];
  for (const key of only)
    await release(key, mayRelease).then(
      (isReleased) => (isReleased ? released : others).push(key),
      (error: unknown) => failed.push(`${key}${nameOf(error)}`),
    );
  const tried = released.length + failed.length;
  const outcome = [
    tried === 0 ? `no stream of ${group} released` : `${released.length} of ${tried} streams of ${group} released`,
    ...(failed.length === 0 ? [] : [`released only in part, the rest stays parked: ${someOf(failed)}`]),
    ...(others.length === 0 ? [] : [leftOut(group, others)]),
  ].join('; ');
  if (failed.length > 0) throw new OperatorError(outcome);
  return outcome;
}

const leftOut = (group: string, streams: readonly string[]): string =>
  `${streams.length} left out, because they are parked for another reason too, such as missing events: ` +
  `${someOf(streams)}; look at them with "parked list --group ${group}", fix that cause as well, and release each ` +
  `with 'parked release <stream> --group ${group} --reason "…"'`;

/** The first of these names. An outcome is stored and logged, and there may be very many. */
export const someOf = (names: readonly string[]): string =>
  `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', …' : ''}`;

/** The name of an error tells operators what failed; that of an operator's error does not. */
const nameOf = (error: unknown): string =>
  error instanceof ReleaseRefused
    ? ` (${error.what})`
    : error instanceof OperatorError
      ? ''
      : ` (${error instanceof Error ? error.name : typeof error})`;
