import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Hex } from '../../chain.port';
import { simulatedDeployment } from '../simulated/simulated-deployment';
import { ViemChain } from '../rpc/viem.chain.adapter';

const BASE = 8453;
const MAINNET = 1;
const ADDRESS: Hex = `0x${'ab'.repeat(20)}`;

/** A node with a chain id and a head of its own. Without a chain it does not answer. */
class StubNode {
  chainId: number | null = BASE;
  readonly receivedMethods: string[] = [];
  readonly started: Promise<unknown>;
  private readonly server: Server;

  constructor(private readonly head: number) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (this.chainId === null) return response.destroy();
        const calls = [JSON.parse(Buffer.concat(chunks).toString()) as object].flat() as {
          id: number;
          method: string;
        }[];
        const answers = calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: this.answer(method) }));
        return response.setHeader('content-type', 'application/json').end(JSON.stringify(answers));
      });
    }).listen(0, '127.0.0.1');
    this.started = once(this.server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer(method: string): unknown {
    this.receivedMethods.push(method);
    if (method === 'eth_chainId') return `0x${this.chainId?.toString(16)}`;
    if (method === 'eth_sendRawTransaction') return `0x${'0'.repeat(64)}`;
    if (method === 'eth_getTransactionCount') return `0x${this.head.toString(16)}`;
    const number = `0x${this.head.toString(16)}`;
    return { number, hash: `0x${this.head.toString(16).padStart(64, '0')}`, timestamp: '0x1' };
  }
}

let nodes: readonly StubNode[];
let first: StubNode;
let chain: ViemChain;
beforeEach(async () => {
  nodes = [new StubNode(100), new StubNode(50)];
  [first] = nodes as [StubNode, StubNode];
  await Promise.all(nodes.map((node) => node.started));
  const finality = { confirmations: 1 };
  chain = new ViemChain({ deployment: simulatedDeployment('eth-base'), urls: nodes.map(({ url }) => url), finality });
});
afterEach(() => {
  for (const node of nodes) node.stop();
});
afterEach(() => jest.restoreAllMocks());
/** The clock stands still between two calls, however long the reads take. */
const later = (ms: number): void => {
  const at = performance.now() + ms;
  jest.spyOn(performance, 'now').mockReturnValue(at);
};
beforeEach(() => later(0));
const head = async () => (await chain.headBlock()).number;

describe('A node that serves another chain', () => {
  it('is neither read nor sent broadcasts after an outage, and is used once it serves the right chain', async () => {
    first.chainId = null;
    expect(await head()).toBe(50);
    first.chainId = MAINNET;
    expect(await head()).toBe(50);
    expect(await chain.nextNonce(ADDRESS, 'latest')).toBe(50);
    expect(await chain.broadcast('0x02')).toEqual({ outcome: 'taken' });
    expect(new Set(first.receivedMethods)).toEqual(new Set(['eth_chainId']));
    first.chainId = BASE;
    expect(await head()).toBe(100);
  });

  it('is noticed when the node returns from an outage', async () => {
    expect(await head()).toBe(100);
    first.chainId = null;
    expect(await head()).toBe(50);
    first.chainId = MAINNET;
    expect(await head()).toBe(50);
  });

  it('is noticed within a minute when a node that keeps answering changes its chain', async () => {
    expect(await head()).toBe(100);
    first.chainId = MAINNET;
    later(59_000);
    expect(await head()).toBe(100);
    later(2_000);
    expect(await head()).toBe(50);
  });

  it('is asked for its chain once a minute while it answers', async () => {
    const proofs = () => first.receivedMethods.filter((method) => method === 'eth_chainId').length;
    for (let read = 0; read < 3; read += 1) await head();
    expect(proofs()).toBe(1);
    later(61_000);
    for (let read = 0; read < 3; read += 1) await head();
    expect(proofs()).toBe(2);
  });
});
