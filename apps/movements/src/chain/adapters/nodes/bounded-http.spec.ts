import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpTransport } from 'viem';
import type { Hex } from '../../chain.port';
import { provenNodes } from './proven-nodes';
import { JsonRpcNode } from '../rpc/json-rpc-node';
import { ViemChain } from '../rpc/viem.chain.adapter';
import { simulatedDeployment } from '../simulated/simulated-deployment';

const BASE = 8453;
const ADDRESS: Hex = `0x${'ab'.repeat(20)}`;
const MIB = 1_048_576;

interface Call {
  readonly id: number;
  readonly method: string;
}
type Calls = Call | Call[];

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

/** A node that names its chain, and answers everything else in the given way. Returns its URL. */
async function node(answer: (calls: Calls, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const calls = JSON.parse(Buffer.concat(chunks).toString()) as Calls;
      response.setHeader('content-type', 'application/json');
      if ([calls].flat().some(({ method }) => method !== 'eth_chainId')) answer(calls, response);
      else response.end(bodyOf(calls, `0x${BASE.toString(16)}`));
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function bodyOf(calls: Calls, result: unknown): string {
  const answerTo = ({ id }: Call) => ({ jsonrpc: '2.0', id, result });
  return JSON.stringify(Array.isArray(calls) ? calls.map(answerTo) : answerTo(calls));
}

const healthy = () => node((calls, response) => response.end(bodyOf(calls, '0x32')));

const nodeAt = (url: string): JsonRpcNode => {
  const [transport] = provenNodes([url], BASE, 60_000) as [HttpTransport];
  return new JsonRpcNode(transport);
};

/** The count of a key's transactions, from the first node that answers. */
async function nonceFrom(...urls: readonly string[]): Promise<number | undefined> {
  const chain = new ViemChain({ deployment: simulatedDeployment('eth-base'), urls, timeoutMs: 1_000 });
  return chain.nextNonce(ADDRESS, 'latest').catch(() => undefined);
}

describe('The answer of a node', () => {
  it('is read from the next node when it stops after the headers', async () => {
    const stalled = await node((_, response) => void response.write('[{"jsonrpc":"2.0",'));
    const next = await healthy();
    await eventually(async () => expect(await nonceFrom(stalled, next)).toBe(50), 30_000);
  }, 40_000);

  it('is read from the next node when it arrives too slowly', async () => {
    const slow = await node((_, response) => {
      const dripping = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(dripping));
    });
    const next = await healthy();
    await eventually(async () => expect(await nonceFrom(slow, next)).toBe(50), 30_000);
  }, 40_000);

  it('is cut off when it is too large, and read from the next node', async () => {
    let ended = 0;
    const endless = await node((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more).on('close', () => (ended += 1));
      more();
    });
    const next = await healthy();
    await eventually(async () => expect(await nonceFrom(endless, next)).toBe(50), 30_000);
    await eventually(() => expect(ended).toBeGreaterThan(0), 10_000);
  }, 40_000);

  it('may be large, even when the calls of one turn exceed the limit together', async () => {
    const requests: number[] = [];
    const large = await node((calls, response) => {
      requests.push([calls].flat().length);
      response.end(bodyOf(calls, `0x${'0'.repeat(MIB)}`));
    });
    const one = nodeAt(large);
    const answers = await Promise.all(Array.from({ length: 12 }, () => one.rpc<string>('eth_call', [])));
    expect(answers.map(({ length }) => length)).toEqual(Array.from({ length: 12 }, () => MIB + 2));
    expect(requests).toEqual([12, ...Array.from({ length: 12 }, () => 1)]);
  }, 60_000);

  it('is an outage when one call alone exceeds the limit', async () => {
    const huge = await node((calls, response) => response.end(bodyOf(calls, `0x${'0'.repeat(11 * MIB)}`)));
    const one = nodeAt(huge);
    await expect(one.rpc('eth_call', [])).rejects.toThrow(Unavailable);
  }, 60_000);

  it('may be larger if it is a receipt, which anyone can make, but not of any size', async () => {
    const bytes = { now: 31 * MIB };
    const requests: number[] = [];
    const large = await node((calls, response) => {
      requests.push([calls].flat().length);
      response.end(bodyOf(calls, `0x${'0'.repeat(bytes.now)}`));
    });
    const one = nodeAt(large);
    const receipt = () => one.rpc<string>('eth_getTransactionReceipt', []);
    const answers = await Promise.all([receipt(), receipt()]);
    expect(answers.map(({ length }) => length)).toEqual([bytes.now + 2, bytes.now + 2]);
    expect(requests).toEqual([2, 1, 1]);
    bytes.now = 32 * MIB;
    await expect(receipt()).rejects.toThrow(Unavailable);
  }, 60_000);
});
