import { Unavailable } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import type { RpcRule } from '../../testing/rpc-proxy';
import { RpcProxy } from '../../testing/rpc-proxy';
import { AnvilUnderTest } from './anvil-under-test.testing';
import type { OpenChains } from './open-chains';
import { openChains } from './open-chains';
import { unmetRequirements } from './nodes/node-requirements';
import type { ViemChain } from './rpc/viem.chain.adapter';

const anvil = new AnvilUnderTest();
const silent: RpcRule = () => {
  throw new Error('no answer');
};
const emptyCode: RpcRule = ({ method }) => (method === 'eth_call' ? { result: '0x' } : undefined);

let folder: ReturnType<typeof temporaryFolder>;
let proxy: RpcProxy;
let open: OpenChains | undefined;

beforeEach(async () => {
  folder = temporaryFolder();
  proxy = await RpcProxy.before(anvil.base.url);
});
afterEach(async () => {
  await open?.stop();
  open = undefined;
  await proxy.stop();
  folder.remove();
});

/** eth-base behind the proxy. */
const opened = async () => {
  const { deployment } = anvil.base;
  open = await openChains({
    which: {
      kind: 'rpc',
      chains: [{ chain: 'eth-base', urls: [proxy.url], deployment, confirmations: 1 }],
      forget: false,
    },
    folder: folder.path,
    keystore: { kind: 'file', passphrase: 'correct horse' },
    operatorKeyIds: ['operator'],
    environment: 'sandbox',
    checkAgainMs: 10,
  });
  return open.chains.of('eth-base').evm;
};

describe('a chain whose nodes do not answer at the start', () => {
  it('is unavailable, and is served once a node answers and its contracts were checked', async () => {
    proxy.rules = [silent];
    const evm = await opened();
    await expect(evm.headBlock()).rejects.toBeInstanceOf(Unavailable);
    await expect(evm.certificates.ownerOf(`0x${'1'.repeat(64)}`)).rejects.toBeInstanceOf(Unavailable);
    proxy.rules = [];
    await eventually(() => expect(evm.headBlock()).resolves.toHaveProperty('number'));
  });

  it('is not used when the first answer shows that a contract is not ours, until it is', async () => {
    proxy.rules = [silent];
    const evm = await opened();
    proxy.rules = [emptyCode];
    const asked = proxy.of('eth_call').length;
    await eventually(() => expect(proxy.of('eth_call').length).toBeGreaterThan(asked + 2));
    await expect(evm.headBlock()).rejects.toBeInstanceOf(Unavailable);
    await expect(evm.broadcast('0x02')).resolves.toMatchObject({ outcome: 'unknown' });
    expect([...proxy.of('eth_getBlockByNumber'), ...proxy.of('eth_sendRawTransaction')]).toEqual([]);
    proxy.rules = [];
    await eventually(() => expect(evm.headBlock()).resolves.toHaveProperty('number'));
  });

  it('keeps the process from starting when it answers and a contract is not ours', async () => {
    proxy.rules = [emptyCode];
    await expect(opened()).rejects.toThrow('there is no custody contract of Ponte');
  });
});

describe('what a node does not provide', () => {
  const unmetOf = async () => {
    const { nodes, deployment } = (await opened()) as ViemChain;
    return unmetRequirements(nodes, deployment);
  };

  it('is nothing on a real node', async () => {
    await expect(unmetOf()).resolves.toEqual([]);
  });

  it('is what it refuses', async () => {
    proxy.rules = [
      ({ method }) => (method === 'eth_getLogs' ? { error: { code: -32_601, message: 'no such method' } } : undefined),
    ];
    await expect(unmetOf()).resolves.toEqual([
      { node: 1, lacks: expect.stringContaining('logs by the hash') as string, reason: 'MethodNotFoundRpcError' },
      { node: 1, lacks: expect.stringContaining('logs of the last 10000') as string, reason: 'MethodNotFoundRpcError' },
    ]);
  });
});
