import type { ManagementDocument, ManagementDocuments } from '@ponte/observability';
import { CSS, hide, HTML, JAVASCRIPT, referencePage, referencePolicy, showReference } from './reference-page';
import { readViewer } from './reference-viewer';

const DOCUMENT = '/staff/openapi.json';
const PAGE = '/staff/reference';

/**
 * A read-only page without a client and without a form for credentials: the staff API is on another port, and its
 * session cookies belong to that port.
 */
const START = showReference(
  DOCUMENT,
  `supportedSubmitMethods: [], plugins: [${hide('ServersContainer', 'authorizeBtn', 'authorizeOperationBtn')}]`,
);

/** Adds the OpenAPI document of the staff API and its reference, on the management port only. */
export function addStaffReference(documents: ManagementDocuments, document: () => string): void {
  const headers = { 'content-security-policy': referencePolicy(), 'x-frame-options': 'DENY' };
  const given = (type: string, body: () => string | Buffer) => async (): Promise<ManagementDocument> => ({
    type,
    body: body(),
    headers,
  });
  documents
    .set(DOCUMENT, document)
    .set(
      PAGE,
      given(HTML, () => referencePage(PAGE, 'Ponte staff API reference')),
    )
    .set(
      `${PAGE}/start.js`,
      given(JAVASCRIPT, () => START),
    )
    .set(
      `${PAGE}/viewer.js`,
      given(JAVASCRIPT, () => readViewer().script),
    )
    .set(
      `${PAGE}/viewer.css`,
      given(CSS, () => readViewer().style),
    );
}
