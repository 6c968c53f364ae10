import { AccountRequestsView } from './account-requests';
import { AccountsView } from './accounts';
import { OwnWallets } from './own-wallets';
import { QueueItems } from './queue-items';

/** What keeps the lists, for the module. */
export const VIEW_CLASSES = [AccountRequestsView, AccountsView, OwnWallets, QueueItems];
