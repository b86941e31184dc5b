import { readFile } from 'node:fs/promises';
import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';
import type { ImageDocument } from '../../../chord';

/** n8n's function that stores bytes and gives the reference for an item. */
export type PrepareBinary = (data: Buffer, fileName: string, mimeType: string) => Promise<IBinaryData>;

/** An image as it stands in the item's json; its bytes are binary data. */
type ImageFacts = Omit<ImageDocument, 'file'> & {
  /** Its file is gone: it was kept for 30 days, or other images needed the room. */
  missing?: true;
};

/** What an item has of images. */
export interface ItemImages {
  facts: ImageFacts[];
  /** `image`, `image_2`, `image_3` …; `undefined` without images. */
  binary: IBinaryKeyData | undefined;
}

/** `image/png` ends as `.png`. */
const fileEnding = (mimeType: string): string => /^image\/([a-z0-9]+)/.exec(mimeType)?.[1] ?? 'bin';

/** Reads the images of an item and has n8n store them. */
export const itemImages = async (
  images: readonly ImageDocument[],
  prepare: PrepareBinary,
): Promise<ItemImages> => {
  const facts: ImageFacts[] = [];
  const binary: IBinaryKeyData = {};
  for (const [index, { file, ...image }] of images.entries()) {
    const name = index === 0 ? 'image' : `image_${index + 1}`;
    const bytes = await readFile(file).catch(() => undefined);
    facts.push(bytes ? image : { ...image, missing: true });
    if (bytes) binary[name] = await prepare(bytes, `${name}.${fileEnding(image.mime_type)}`, image.mime_type);
  }
  return { facts, binary: Object.keys(binary).length > 0 ? binary : undefined };
};
