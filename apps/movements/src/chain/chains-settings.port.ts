import type { Chain } from '@ponte/kernel';
import type { FormerKeystoreNumber } from '../movements-settings.port';

/** How one chain is reached over JSON-RPC. */
export interface RpcSettings {
  readonly chain: Chain;
  readonly urls: readonly string[];
  /** JSON as configured; the adapter parses it. */
  readonly deployment: unknown;
  readonly confirmations: number;
}

/** Which chains a process works on. */
export type ChainsSettings =
  | { readonly kind: 'local'; readonly blockMs: number; readonly finalAfter?: number }
  | { readonly kind: 'simulated' }
  | {
      readonly kind: 'rpc';
      readonly chains: readonly RpcSettings[];
      readonly forget: boolean;
      /** The nodes are the local chains of a sandbox. */
      readonly outsider?: boolean;
      /** Confirmations after which a block of such a chain is final; 1 is the block itself. */
      readonly finalAfter?: number;
    };

/** Where operator keys are. */
export type KeystoreSettings =
  { readonly kind: 'file'; readonly passphrase: string } | { readonly kind: 'aws-kms'; readonly aliasPrefix: string };

/** Where former operator keys are, and how many there are. */
export interface FormerKeysSettings {
  /** Of the keystore. It is part of the names of its keys and of its file. */
  readonly number: FormerKeystoreNumber;
  readonly keystore: KeystoreSettings;
  readonly count: number;
}
