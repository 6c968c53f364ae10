/** Judges the credential of staff (compliance, operations), which no partner key can stand for. */
export interface StaffToken {
  matches(token: string): boolean;
}
