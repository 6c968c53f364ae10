import type { HttpTransport } from 'viem';
import { boundedHttp } from './bounded-http';
import { WrongChain, isOutage } from '../rpc/broadcast-outcome';

const CHAIN_ID = 'eth_chainId';
/**
 * How long the answer of a node that keeps answering is believed. A proxy in front of it may switch to another node.
 */
const PROOF_MS = 60_000;

/**
 * A transport that uses its node only after the node has named this chain: once a minute, and again after it did not
 * answer, because another node may have taken its place. Until then every request rejects as if the node did not
 * answer, except the one for the chain id.
 */
function proven(transport: HttpTransport, chainId: number): HttpTransport {
  return (config) => {
    const node = transport(config);
    const { request } = node;
    let proof: Promise<void> | undefined;
    let provenAt = 0;
    const prove = async (): Promise<void> => {
      const actual = Number(await request({ method: CHAIN_ID, params: [] }));
      if (actual !== chainId) throw new WrongChain(`the node serves chain ${actual}, not ${chainId}`);
    };
    const assertProven = async (): Promise<void> => {
      if (performance.now() - provenAt > PROOF_MS) proof = undefined;
      if (!proof) provenAt = performance.now();
      const current = (proof ??= prove());
      try {
        await current;
      } catch (error) {
        if (proof === current) proof = undefined;
        throw error;
      }
    };
    const ask = (async (call: { readonly method: string }, options?: object) => {
      if (call.method !== CHAIN_ID) await assertProven();
      try {
        return await request(call, options);
      } catch (error) {
        if (isOutage(error)) proof = undefined;
        throw error;
      }
    }) as typeof request;
    return { ...node, request: ask };
  };
}

/** One transport for each endpoint, which rejects while the endpoint serves another chain. */
export const provenNodes = (urls: readonly string[], chainId: number, timeoutMs: number): HttpTransport[] =>
  urls.map((url) => proven(boundedHttp(url, timeoutMs), chainId));
