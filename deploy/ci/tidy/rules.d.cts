/** One violation of a style rule. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}
/** What the rules ask about the other files. Paths are relative to the root. */
export interface Repository {
  exists(target: string): boolean;
  /** Whether a file has this name, or this end of its path. */
  hasFile(name: string): boolean;
  /** The lines of a file, or undefined if it does not exist. */
  linesOf(target: string): readonly string[] | undefined;
}
/** Every finding in one file, in the order of the rules. */
export function findingsIn(file: string, text: string, repository: Repository): Finding[];
/** The names of all rules. */
export const RULES: readonly string[];
