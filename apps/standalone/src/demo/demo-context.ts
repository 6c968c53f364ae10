import type { Ponte } from '@ponte/sdk';
import type { SandboxStaff } from '../../../onboarding/src/sandbox/sandbox-staff';
import type { WebhookReceiver } from './webhook-receiver';

/** A running sandbox as its partner and its compliance staff see it. */
export interface DemoContext {
  readonly baseUrl: string;
  readonly client: Ponte;
  readonly accountId: string;
  readonly subaccountId: string;
  readonly walletAddress: string;
  readonly staff: readonly SandboxStaff[];
  readonly receiver: WebhookReceiver;
  /** Reads a holder's BRLV from the chain, not from the API. */
  readonly onChainBalance: (holder: string) => Promise<string>;
  readonly print: (line: string) => void;
}

/** An amount for a person to read: without trailing zeros after the second decimal. */
export const shortAmount = (amount: string): string => amount.replace(/(\.\d\d\d*?)0+$/, '$1');

export async function brlvWallet(client: Ponte, accountId: string): Promise<string> {
  const { items } = await client.listWallets(accountId, { assets: ['eth-base/brlv'] });
  const [wallet] = items;
  if (!wallet) throw new Error(`${accountId} has no wallet for BRLV`);
  return wallet.address;
}
