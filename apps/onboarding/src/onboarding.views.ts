import { OwnWallets } from './wallet/own-wallets';
import { QueueItems } from './review/queue-items';

/** The view classes of the module. */
export const VIEW_CLASSES = [OwnWallets, QueueItems];
