import type { Chain } from '@ponte/kernel';

/** How one chain is reached over JSON-RPC. */
export interface RpcSettings {
  readonly chain: Chain;
  readonly urls: readonly string[];
  /** JSON, as it was given: the adapter knows how to read it. */
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
      /** Blocks after which a block of such a chain is final, itself included. */
      readonly finalAfter?: number;
    };

/** Where the operator keys are. */
export type KeyStoreSettings =
  { readonly kind: 'file'; readonly passphrase: string } | { readonly kind: 'aws-kms'; readonly aliasPrefix: string };
