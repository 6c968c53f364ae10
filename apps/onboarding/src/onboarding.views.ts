import { OwnWallets } from './wallet/own-wallets';
import { QueueItems } from './review/queue-items';

/** What keeps the lists, for the module. */
export const VIEW_CLASSES = [OwnWallets, QueueItems];
