/** Names the projector of what is unfinished on the chains, which also wakes those who watch them. */
export const TRANSACTIONS_READER = 'movements/chainTransaction';
