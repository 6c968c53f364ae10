import { OwnWallets } from './own-wallets';
import { QueueItems } from './queue-items';

/** What keeps the lists, for the module. */
export const VIEW_CLASSES = [OwnWallets, QueueItems];
