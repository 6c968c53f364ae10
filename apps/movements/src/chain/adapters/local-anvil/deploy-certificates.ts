import { type Chain, chainIdOf } from '@ponte/kernel';
import { type Abi, encodeDeployData, getContractAddress } from 'viem';
import * as artifact from '../../../../contracts/artifacts/RewardCertificate.json';
import type { Hex } from '../../chain.port';
import type { Keystore } from '../../../signer/signer.port';
import type { Deployment } from '../deployment';
import { askNode, askNodeOne } from './json-rpc';

/** The chain on which certificates are issued. */
const CHAIN: Chain = 'eth-base';
/** Gas limit of the deployment (measured: 1,395,000). */
const DEPLOY_GAS = 2_500_000n;
/** 100 gwei. The base fee of a new local chain starts at 1 gwei. */
const DEPLOY_FEE = 100_000_000_000n;

interface DeployerAccess {
  readonly url: string;
  readonly signer: Keystore;
  readonly deployerKeyId: string;
  readonly parties: { readonly deployer: Hex; readonly operators: readonly Hex[] };
}

/** The deployment without the certificate contract, which {@link ensureCertificates} adds. */
export function withoutCertificates({ chain, minter, custody, tokens }: Deployment): Deployment {
  return { chain, minter, custody, tokens };
}

/**
 * Returns the deployment with the certificate contract, which is deployed if the chain does not have it. The other
 * contracts do not change.
 */
export async function ensureCertificates(access: DeployerAccess, deployment: Deployment): Promise<Deployment> {
  const { url, signer, deployerKeyId, parties } = access;
  if (deployment.chain !== CHAIN) return deployment;
  if (deployment.certificates !== undefined && (await hasCode(url, deployment.certificates))) return deployment;
  const nonce = Number(await askNodeOne(url, 'eth_getTransactionCount', parties.deployer, 'latest'));
  const certificates = getContractAddress({ from: parties.deployer, nonce: BigInt(nonce) }).toLowerCase() as Hex;
  const args = [parties.deployer, parties.operators];
  const data = encodeDeployData({ abi: artifact.abi as Abi, bytecode: artifact.bytecode as Hex, args });
  const fees = { gas: DEPLOY_GAS, maxFeePerGas: DEPLOY_FEE, maxPriorityFeePerGas: 1n };
  const { raw } = await signer.signTransaction(deployerKeyId, { chainId: chainIdOf(CHAIN), nonce, data, ...fees });
  await askNode(url, [{ method: 'eth_sendRawTransaction', params: [raw] }, { method: 'evm_mine' }]);
  if (!(await hasCode(url, certificates)))
    throw new Error(`the contract of the reward certificates was not deployed on ${CHAIN}`);
  return { ...deployment, certificates };
}

async function hasCode(url: string, address: Hex): Promise<boolean> {
  const code = await askNodeOne(url, 'eth_getCode', address, 'latest');
  return typeof code === 'string' && code.length > 2;
}
