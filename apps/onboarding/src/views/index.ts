import { AccountRequestsView } from './account-requests';
import { AccountsView } from './accounts';
import { CatchUpAccounts } from './catch-up-accounts';
import { CatchUpOnboarding } from './catch-up-onboarding';
import { EvidenceFilesView } from './evidence-files';
import { OwnWallets } from './own-wallets';
import { QueueItems } from './queue-items';
import { ReservationsView } from './reservations';

/** What keeps the lists, for the module. */
export const VIEW_CLASSES = [
  AccountRequestsView,
  AccountsView,
  CatchUpAccounts,
  CatchUpOnboarding,
  EvidenceFilesView,
  OwnWallets,
  QueueItems,
  ReservationsView,
];
