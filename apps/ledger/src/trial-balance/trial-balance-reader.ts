/** The reader name of the projector for the trial balance, the open holds and the FX trades. */
export const TRIAL_BALANCE_READER = 'ledger-trial-balance';
