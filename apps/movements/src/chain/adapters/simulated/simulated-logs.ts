import { encodeAbiParameters } from 'viem';
import type { Deployment } from '../deployment';
import { readCustodyCall, readMinterCall } from '../rpc/abi';
import type { MovementLog } from '../../../transfer-logs/movement-logs.adapter';
import { movementLog } from '../../../transfer-logs/movement-logs.adapter';
import type { SimulatedExecution, SimulatedTransaction } from './simulated-transaction';

const WORD = { type: 'uint256' } as const;

/** The logs with which our contracts recorded movements of tokens in a mined transaction. */
export function movementLogsOf(
  { to: contract, data, reason }: SimulatedTransaction & SimulatedExecution,
  deployment: Deployment,
): MovementLog[] {
  if (reason !== null) return [];
  const call =
    contract === deployment.minter
      ? readMinterCall(data)
      : contract === deployment.custody
        ? readCustodyCall(data)
        : null;
  switch (call?.functionName) {
    case 'mint':
    case 'mintShares':
    case 'sendToken': {
      const [reference, token, to, units] = call.args;
      const kind = call.functionName === 'sendToken' ? 'token-movement' : 'mint';
      const log = movementLog(deployment, { kind, reference, token, to });
      return [{ ...log, data: encodeAbiParameters([WORD], [units]) }];
    }
    case 'redeemToken':
    case 'redeemShares': {
      const [reference, token, units] = call.args;
      // A share returns one unit of the underlying token: the simulated vault earns nothing.
      const burned = encodeAbiParameters([WORD, WORD], [units, units]);
      return [{ ...movementLog(deployment, { kind: 'redemption', reference, token }), data: burned }];
    }
    default:
      return [];
  }
}
