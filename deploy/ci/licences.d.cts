/** The licence-related part of a component in a CycloneDX document. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
}
/** The part of a lock file of npm that is read. */
export interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly name?: string; readonly version?: string; readonly license?: string }>
  >;
}
/** The packages of a lock file as components. */
export function componentsIn(lockFile: LockFile): Component[];
/** The SPDX expression of a component, null when it states none. */
export function licenceOf(component: Component): string | null;
/** One line for each component whose licence is missing, not an SPDX expression, or not allowed. */
export function licenceFaults(components: readonly Component[]): string[];
