/** One violation of a style rule. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}
/** Every finding in one file, in the order of the rules. */
export function findingsIn(file: string, text: string, repository: { exists(target: string): boolean }): Finding[];
/** The names of all rules. */
export const RULES: readonly string[];
