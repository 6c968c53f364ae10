import { WhenReorgedAfterCompletionFreezeAccount } from '../reorg/when-reorged-after-completion-freeze-account.policy';
import { WhenAccountOpenedProvisionWallets } from './when-account-opened-provision-wallets';

/** What the service does because of events, in the order in which it does it. */
export const MOVEMENTS_POLICIES = [WhenAccountOpenedProvisionWallets, WhenReorgedAfterCompletionFreezeAccount] as const;
