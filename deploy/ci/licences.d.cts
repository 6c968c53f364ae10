/** The licence-related part of a component in a CycloneDX document. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
}
/** The SPDX expression of a component, null when it states none. */
export function licenceOf(component: Component): string | null;
/** One line for each component whose licence is missing, not an SPDX expression, or not allowed. */
export function licenceFaults(components: readonly Component[]): string[];
