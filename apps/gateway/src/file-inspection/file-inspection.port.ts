import type { EvidenceContentType } from '@ponte/contracts';

interface InspectedFile {
  /** Determined from the bytes, whatever the sender declared. */
  readonly contentType: EvidenceContentType;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Checks an uploaded file without decoding it. Refuses at path `file`: `file-too-large` (more than 10 MB, or an
 * image of more than 50 million pixels), `unsupported-media-type` (not a JPEG, PNG or PDF),
 * `file-password-protected` (a PDF that opens with a password only), `file-corrupted` (cut off, damaged, two formats
 * in one, data after an image, a PDF with active content, or a PDF that cannot be read within its time and memory
 * limits). Throws `Unavailable` while too many PDFs wait.
 */
export interface FileInspection {
  inspect(bytes: Uint8Array): Promise<InspectedFile>;
}

export const FILE_INSPECTION = Symbol('FileInspection');
