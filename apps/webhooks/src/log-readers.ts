import { REPLAYS_READER } from './deliveries/when-replay-requested-schedule-deliveries.policy';
import { OUTBOX_READER } from './outbox/outbox-projector';

/** The readers of the log, beside those of views, that operators may put back. */
export const LOG_READERS: readonly string[] = [OUTBOX_READER, REPLAYS_READER];
