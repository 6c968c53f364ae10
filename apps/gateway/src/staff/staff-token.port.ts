/** Checks the staff token (compliance, operations), for which no partner key is a substitute. */
export interface StaffToken {
  matches(token: string): boolean;
}
