import { Semaphore } from '@ponte/concurrency';
import { readChunks } from '@ponte/kernel';
import type { HttpTransport } from 'viem';
import { ResponseBodyTooLargeError, http } from 'viem';
import { isTooLarge } from '../rpc/broadcast-outcome';

/** Largest answer of a node, in bytes, except a receipt. */
const MAX_BYTES = 10_485_760;
const RECEIPT = 'eth_getTransactionReceipt';
/**
 * Largest receipt, in bytes. Anyone can send a transaction that spends all of its gas on empty logs: each costs at
 * least 379 gas and takes about 370 bytes of JSON. A transaction may use 16,777,216 gas (EIP-7825); on tempo, it may
 * use 30,000,000.
 */
const MAX_RECEIPT_BYTES = 33_554_432;
/** Receipts above `MAX_BYTES` that the process reads at once, from all nodes: one takes up to 300 MiB of memory. */
const largeReceipts = new Semaphore(1);
/** Calls in one HTTP request. */
const BATCH = 100;
/** Searches for logs. Their answers are slow and large, so they share no request with other calls. */
const LOGS = 'eth_getLogs';
/** Calls that are made at once, each alone: so many of the largest answers fit into memory. */
const ALONE_AT_ONCE = 4;

/**
 * viem's HTTP transport with two limits that it lacks. The timeout covers the whole answer: viem's own ends with the
 * headers, so a node that stalls after them would never be given up. An answer above `MAX_BYTES` is cut off, and each
 * of its calls is asked again alone: a receipt up to `MAX_RECEIPT_BYTES`, any other up to `MAX_BYTES`.
 */
export function boundedHttp(url: string, timeoutMs: number): HttpTransport {
  const upTo = (maxBytes: number) => ({
    ...{ timeout: timeoutMs, retryCount: 0 },
    ...{ fetchFn: fetchUpTo(maxBytes), maxResponseBodySize: maxBytes },
  });
  const options = upTo(MAX_BYTES);
  // batch: calls made in the same turn of the event loop share one HTTP request.
  const together = http(url, { ...options, batch: { batchSize: BATCH, wait: 0 } });
  const alone = http(url, options);
  const receipt = http(url, upTo(MAX_RECEIPT_BYTES));
  return (config) => {
    const node = together(config);
    const single = alone(config);
    const large = receipt(config);
    const places = new Semaphore(ALONE_AT_ONCE);
    const request = (async (call: { readonly method: string }, callOptions?: object) => {
      const askAlone = () => places.pass(() => single.request(call, callOptions));
      if (call.method === LOGS) return askAlone();
      try {
        return await node.request(call, callOptions);
      } catch (error) {
        if (!isTooLarge(error)) throw error;
        return call.method === RECEIPT ? largeReceipts.pass(() => large.request(call, callOptions)) : askAlone();
      }
    }) as typeof node.request;
    return { ...node, request };
  };
}

/** Fetches resolve when the whole body has been read, so the signal of the request covers it. */
const fetchUpTo =
  (maxBytes: number): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const chunks = await readChunks(response.body, maxBytes);
    // The rest was cancelled, so only the least that the size can be is known.
    if (!chunks) throw new ResponseBodyTooLargeError({ maxSize: maxBytes, size: maxBytes + 1 });
    // As a stream, so that a large answer is not copied.
    return new Response(ReadableStream.from(chunks), { status: response.status, headers: response.headers });
  };
