import 'reflect-metadata';
import { generate } from '../../../libs/sdk/generate/generate.cjs';
import { servedDocuments } from '../src/clients/served-documents';
import { writeFiles } from './write-files';

void writeFiles('libs/sdk/src/generated', async () => {
  const { document, errors } = await servedDocuments();
  return generate(document, errors);
});
