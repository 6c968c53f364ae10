import { REPLAYS_READER } from './deliveries/when-replay-requested-schedule-deliveries.policy';
import { OUTBOX_READER } from './outbox/reader-progress.service';

/** The log readers that operators may rewind, in addition to those of the read models. */
export const LOG_READERS: readonly string[] = [OUTBOX_READER, REPLAYS_READER];
