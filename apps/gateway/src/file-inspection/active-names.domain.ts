/**
 * PDF names (ISO 32000-2) by which a PDF runs a program, submits entered data, plays media, opens another document or
 * contains files: types of actions, annotations and streams, and keys of scripts, scripted forms and attached files. No
 * identity document needs them.
 */
export const ACTIVE_NAMES: readonly string[] = [
  'JavaScript',
  'JS',
  'Launch',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'GoToR',
  'EmbeddedFile',
  'EmbeddedFiles',
  'EF',
  'FileAttachment',
  'Rendition',
  'Movie',
  'Sound',
  'RichMedia',
  'RichMediaExecute',
  'XFA',
  '3D',
];
