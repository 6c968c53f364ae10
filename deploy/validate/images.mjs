// The third-party images of deploy/images.yaml.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './helm.mjs';

/** Third-party images, with their digests where they are known. */
export const images = () => parse(readFileSync(join(ROOT, 'deploy/images.yaml'), 'utf8')).images;

/** The name of a third-party image, with its digest if it is known. */
export const nameOf = ({ image, digest }) => (digest ? `${image}@${digest}` : image);
