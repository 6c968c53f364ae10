/** The part of a Jest configuration that runs suites in groups; empty for a run that names suites. */
export declare function inGroups(
  name: string,
  options: {
    /** How many suites a group has. */
    readonly size: number;
    /** Whether the suite with this path, from the root of the repository, is run. */
    readonly isMember: (path: string) => boolean;
    /** The arguments of Jest. Default: those of the process. */
    readonly argv?: readonly string[];
  },
): { readonly roots?: readonly string[]; readonly testMatch?: readonly string[] };
