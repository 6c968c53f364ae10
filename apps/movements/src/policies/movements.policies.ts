import { WhenAccountOpenedProvisionWallets } from './when-account-opened-provision-wallets';

/** What the service does because of events, in the order in which it does it. */
export const MOVEMENTS_POLICIES = [WhenAccountOpenedProvisionWallets] as const;
