import { join } from 'node:path';
import { type Chain, chainIdOf } from '@ponte/kernel';
import type { Hex } from '../../chain.port';
import type { Keystore } from '../../../signer/signer.port';
import { readIfThere, writeDurably } from '../durable-file';
import { type Deployment, contractsIn, parseDeployment } from '../deployment';
import { type Parties, planContracts } from './contracts-plan';
import { ensureCertificates, withoutCertificates } from './deploy-certificates';
import { askNode, askNodeOne } from './json-rpc';

interface DeploymentRequest {
  readonly chain: Chain;
  readonly url: string;
  /** The folder of the file that stores the addresses. */
  readonly folder: string;
  readonly signer: Keystore;
  readonly deployerKeyId: string;
  readonly parties: Parties;
}

/** Gas limit of each deployment: more than the largest contract needs. */
const DEPLOY_GAS = 4_000_000n;
/** 100 gwei. The base fee of a new local chain starts at 1 gwei. */
const DEPLOY_FEE = 100_000_000_000n;
/** A million coins, in wei: more gas than any local chain uses. */
const GAS_MONEY = `0x${(10n ** 24n).toString(16)}`;

/** The contracts of a local chain: those of the last run if the chain still has them, otherwise deployed now. */
export async function ensureContracts(
  request: DeploymentRequest,
): Promise<{ deployment: Deployment; deployedNow: boolean }> {
  const remembered = await rememberedIn(request);
  const isKept = remembered !== undefined && (await isDeployed(request.url, withoutCertificates(remembered)));
  const deployment = await ensureCertificates(request, isKept ? remembered : await deploy(request));
  if (deployment === remembered) return { deployment, deployedNow: false };
  await writeDurably(fileOf(request), `${JSON.stringify({ ...deployment, parties: request.parties }, null, 2)}\n`);
  return { deployment, deployedNow: !isKept };
}

const fileOf = ({ folder }: DeploymentRequest): string => join(folder, 'contracts.json');

/** The contracts of the last run; undefined when they name other keys because the keystore was replaced. */
async function rememberedIn(request: DeploymentRequest): Promise<Deployment | undefined> {
  const text = await readIfThere(fileOf(request));
  if (text === undefined) return undefined;
  const json = JSON.parse(text) as { readonly parties?: Partial<Parties> };
  const { deployer, operators, treasury } = request.parties;
  const same =
    json.parties?.deployer === deployer &&
    String(json.parties.operators) === String(operators) &&
    json.parties.treasury === treasury;
  return same ? parseDeployment(request.chain, json) : undefined;
}

async function isDeployed(url: string, deployment: Deployment): Promise<boolean> {
  const addresses = [...contractsIn(deployment)];
  const codes = await askNode(
    url,
    addresses.map((address) => ({ method: 'eth_getCode', params: [address, 'latest'] })),
  );
  return codes.every((code) => typeof code === 'string' && code.length > 2);
}

/** Deploys all contracts in one block, with one request. */
async function deploy({ chain, url, signer, deployerKeyId, parties }: DeploymentRequest): Promise<Deployment> {
  const firstNonce = Number(await askNodeOne(url, 'eth_getTransactionCount', parties.deployer, 'latest'));
  const { deployment, creations } = planContracts(chain, parties, firstNonce);
  const signed = await Promise.all(
    creations.map((data, index) =>
      signer.signTransaction(deployerKeyId, {
        chainId: chainIdOf(chain),
        nonce: firstNonce + index,
        data,
        gas: DEPLOY_GAS,
        maxFeePerGas: DEPLOY_FEE,
        maxPriorityFeePerGas: 1n,
      }),
    ),
  );
  const payers: readonly Hex[] = [parties.deployer, ...parties.operators, parties.treasury];
  await askNode(url, [
    ...payers.map((address) => ({ method: 'anvil_setBalance', params: [address, GAS_MONEY] })),
    ...signed.map(({ raw }) => ({ method: 'eth_sendRawTransaction', params: [raw] })),
    { method: 'evm_mine' },
  ]);
  if (!(await isDeployed(url, deployment))) throw new Error(`the contracts of ${chain} were not deployed`);
  return deployment;
}
