/** The view of transfers, a {@link ViewTable} of `TransferRow`. */
export const TRANSFERS_TABLE = Symbol('TransfersTable');
