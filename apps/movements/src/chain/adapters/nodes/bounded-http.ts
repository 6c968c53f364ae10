import { Semaphore } from '@ponte/concurrency';
import type { HttpTransport } from 'viem';
import { ResponseBodyTooLargeError, http } from 'viem';
import { isTooLarge } from '../rpc/broadcast-outcome';

/** Largest answer of a node, in bytes. The receipt of a transaction that anyone may send can be larger. */
const MOST_BYTES = 10_485_760;
/** Calls in one HTTP request. */
const BATCH = 100;
/** Searches for logs. Their answers are slow and large, so they share no request with other calls. */
const LOGS = 'eth_getLogs';
/** Calls that are made at once, each alone: so many of the largest answers fit into memory. */
const ALONE_AT_ONCE = 4;

/**
 * viem's HTTP transport with two limits that it lacks. The timeout covers the whole answer: viem's own ends with the
 * headers, so a node that stalls after them would never be given up. An answer above `MOST_BYTES` is cut off; if it
 * answers several calls, each of them is asked again alone.
 */
export function boundedHttp(url: string, timeoutMs: number): HttpTransport {
  const options = { timeout: timeoutMs, retryCount: 0, fetchFn: fetchWhole };
  // batch: calls made in the same turn of the event loop share one HTTP request.
  const together = http(url, { ...options, batch: { batchSize: BATCH, wait: 0 } });
  const alone = http(url, options);
  return (config) => {
    const node = together(config);
    const single = alone(config);
    const places = new Semaphore(ALONE_AT_ONCE);
    const request = (async (call: { readonly method: string }, callOptions?: object) => {
      const askAlone = () => places.pass(() => single.request(call, callOptions));
      if (call.method === LOGS) return askAlone();
      try {
        return await node.request(call, callOptions);
      } catch (error) {
        if (!isTooLarge(error)) throw error;
        return askAlone();
      }
    }) as typeof node.request;
    return { ...node, request };
  };
}

/** Resolves when the whole body has been read, so the signal of the request covers it. */
async function fetchWhole(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the rest of the body.
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new ResponseBodyTooLargeError({ maxSize: MOST_BYTES, size });
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status: response.status, headers: response.headers });
}
