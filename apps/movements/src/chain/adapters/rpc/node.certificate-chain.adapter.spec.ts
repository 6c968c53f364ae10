import { Unavailable } from '@ponte/kernel';
import { encodeEventTopics } from 'viem';
import type { Hex } from '../../chain.port';
import { NodeHeads } from '../nodes/node-heads';
import { simulatedDeployment } from '../simulated/simulated-deployment';
import { CERTIFICATE_ABI } from './abi';
import type { ReceiptLog } from './certificates';
import type { ChainNode } from './node';
import { NodeCertificates } from './node.certificate-chain.adapter';

const deployment = simulatedDeployment('eth-base');
const HASH: Hex = `0x${'1'.repeat(64)}`;
const movement = {
  certificate: `0x${'2'.repeat(64)}`,
  from: `0x${'a'.repeat(40)}`,
  to: `0x${'b'.repeat(40)}`,
} as const;
const { certificate, from, to } = movement;
const args = { from, to, tokenId: BigInt(certificate) };
const moving = {
  address: deployment.certificates as Hex,
  topics: encodeEventTopics({ abi: CERTIFICATE_ABI, eventName: 'Transfer', args }) as Hex[],
};

/** What the nodes answer about the movement. `null`: the node has no receipt of the transaction. */
const moved = (...logs: (readonly ReceiptLog[] | null)[]) => {
  const nodes = logs.map((one) => ({ logsOf: async () => one }) as unknown as ChainNode);
  return new NodeCertificates(new NodeHeads(nodes), nodes, deployment).moved(HASH, movement);
};

describe('Whether a transaction moved a certificate', () => {
  it('is read from a receipt', async () => {
    expect([await moved([moving]), await moved([])]).toEqual([true, false]);
  });

  it('is read from the next node while one is behind and has no receipt', async () => {
    expect([await moved(null, [moving]), await moved(null, [])]).toEqual([true, false]);
  });

  it('is unknown while no node has the receipt', async () => {
    await expect(moved(null, null)).rejects.toBeInstanceOf(Unavailable);
  });
});
