import type { HttpTransport } from 'viem';
import { WrongChain } from './rpc/broadcast-outcome';

/** Keeps the nodes of a chain from being used until the contracts on it have been checked. */
export class CheckGate {
  constructor(private isOpen: boolean) {}

  open(): void {
    this.isOpen = true;
  }

  /** A transport that rejects every request while the gate is closed, as if its node served another chain. */
  guard(transport: HttpTransport): HttpTransport {
    return (config) => {
      const node = transport(config);
      const { request } = node;
      const ask = (async (call: { readonly method: string }, options?: object) => {
        if (!this.isOpen) throw new WrongChain('the contracts on the chain have not been checked yet');
        return request(call, options);
      }) as typeof request;
      return { ...node, request: ask };
    };
  }
}
