/** The document without the operations that partners cannot call. */
export function partnerDocument(document: object): object;
/** The text of `operation-table.ts`, from a document for partners. */
export function operationTableText(document: object): string;
/** The text of `operations.ts`, from a document for partners. */
export function operationsText(document: object): string;
/** The text of `event-types.ts`, from the document of the API. */
export function eventTypesText(document: object): string;
/** The text of `error-codes.ts`, from the catalogue of `/api/v1/errors`. */
export function errorCodesText(errors: readonly { readonly code: string }[]): string;
