import { counter, gauge } from './metric-definition';

/** Metrics of movements: the operator keys and their transactions on the chains. */
export const TRANSACTION_METRICS = {
  ponte_operator_gas_coins: gauge(
    'Coins of the chain that an operator key has for gas; on tempo, dollars of the token in which it pays fees',
    'chain',
    'operator',
  ),
  ponte_operator_movements_left: gauge(
    'Movements that an operator key can pay for at the fee that it offers, with the gas that a movement typically takes',
    'chain',
    'operator',
  ),
  ponte_operator_pending_transactions: gauge(
    'Unfinished transactions of an operator key; operator is "unknown" for those of keys that movements does not have',
    'chain',
    'operator',
  ),
  ponte_operator_unfinal_transactions: gauge(
    'Confirmed transactions of an operator key that are not final; operator is "unknown" if movements lacks the key',
    'chain',
    'operator',
  ),
  ponte_nonce_gap: gauge(
    'Nonces of an operator key that are not mined and that no transaction uses, below the next nonce',
    'chain',
    'operator',
  ),
  ponte_nonce_unsigned: gauge(
    '1 while the next nonce of an operator key to be mined has a transaction without signed bytes, otherwise 0',
    'chain',
    'operator',
  ),
  ponte_treasury_waiting_payments: gauge(
    'Treasury payments that wait because the treasury holds too little, as this process saw in the last minute',
    'chain',
    'asset',
  ),
  ponte_chain_pending_transactions: gauge('Transactions that are intended or sent and not finished', 'chain'),
  ponte_chain_oldest_pending_seconds: gauge(
    'Longest time that an unfinished transaction has been in its current state, by the staff decision that it ' +
      'waits for',
    'chain',
    'waits_for',
  ),
  ponte_chain_oldest_unfinal_seconds: gauge('Age of the oldest confirmed transaction that is not final', 'chain'),
  ponte_reorgs_after_completion_total: counter('Completed transactions that a reorg removed from the chain', 'chain'),
  ponte_final_contradictions_total: counter(
    'Rounds in which a completed transaction was not in the final chain of the nodes that agree, after two such rounds',
    'chain',
  ),
  ponte_references_misused_total: counter(
    'Checks that found that another transaction has used the reference of an unfinished movement for another movement',
    'chain',
  ),
  ponte_nonce_counts_refused_total: counter(
    'Nonce allocations that waited because a node reports more mined transactions of a key than Ponte has sent and ' +
      'knows to be final',
    'chain',
    'operator',
  ),
  ponte_node_broadcasts_total: counter(
    'Signed transactions sent to a node, by its place in CHAIN_RPC_<CHAIN> and its answer: taken, unknown or a reason',
    'chain',
    'node',
    'outcome',
  ),
  ponte_node_head_age_seconds: gauge(
    'Age of the newest block of a node, by its place in CHAIN_RPC_<CHAIN>; of the last known one if it does not answer, infinite if it never did',
    'chain',
    'node',
  ),
  ponte_transactions_lost_total: counter(
    'Completed transactions that are lost permanently after a reorg; one that two processes report counts twice',
    'chain',
  ),
} as const;
