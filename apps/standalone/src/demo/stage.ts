import type { SandboxStaff } from '../../../onboarding/src/sandbox/sandbox-staff';
import type { PartnerClient } from './partner-client';
import type { WebhookReceiver } from './webhook-receiver';

/** A running sandbox as its partner and its compliance staff see it. */
export interface Stage {
  readonly baseUrl: string;
  readonly client: PartnerClient;
  readonly accountId: string;
  readonly subaccountId: string;
  readonly walletAddress: string;
  readonly staff: readonly SandboxStaff[];
  readonly receiver: WebhookReceiver;
  /** Reads a holder's BRLV from the chain, not from the API. */
  readonly onChainBalance: (holder: string) => Promise<string>;
  readonly say: (line: string) => void;
}
