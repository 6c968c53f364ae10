import { WhenAccountOpenedProvisionWallets } from './when-account-opened-provision-wallets';
import { WhenMintRequestedSendMint } from './when-mint-requested-send-mint';
import { WhenTransactionMovedAdvanceMint } from './when-transaction-moved-advance-mint';

/** What the service does because of events, in the order in which it does it. */
export const MOVEMENTS_POLICIES = [WhenAccountOpenedProvisionWallets, WhenMintRequestedSendMint, WhenTransactionMovedAdvanceMint] as const;
