import { OperatorError, faultText } from '@ponte/operator';
import type { ChainReconciliation } from '../reconciliation/reconcile.job';
import { differs, textOf } from '../reconciliation/reconciliation.domain';

/**
 * What operators read about a comparison of all chains. Throws an {@link OperatorError} with the same lines when ledger
 * and chain differ, or a chain was not compared.
 */
export function reconciliationText(chains: readonly ChainReconciliation[]): string {
  const assets = chains.flatMap((one) => ('assets' in one ? one.assets : []));
  const failed = chains.flatMap((one) => ('failure' in one ? [one] : []));
  const found = assets.some(differs) ? 'ledger and chain differ' : 'ledger and chain agree';
  const missing = failed.map(
    ({ chain, failure, since }) => `${chain}: not compared since ${since}: ${faultText(failure)}`,
  );
  const heading = [
    ...(assets.length > 0 ? [found] : []),
    ...(failed.length > 0 ? [`not compared: ${failed.map(({ chain }) => chain).join(', ')}`] : []),
  ].join('; ');
  const text = [`${heading}:`, ...missing, ...assets.map((one) => JSON.stringify(textOf(one)))].join('\n');
  if (failed.length > 0 || assets.some(differs)) throw new OperatorError(text);
  return text;
}
