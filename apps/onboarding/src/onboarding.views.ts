import { OwnWallets } from './wallet/own-wallets';
import { QueueItems } from './review/queue-items';

/** The providers that reserve our own wallets and build the items of the review queue. */
export const VIEW_CLASSES = [OwnWallets, QueueItems];
