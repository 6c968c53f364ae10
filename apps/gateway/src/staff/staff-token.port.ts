/** Checks the staff token of the installation, for which no partner key is a substitute. */
export interface StaffToken {
  matches(token: string): boolean;
}
