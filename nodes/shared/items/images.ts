import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';
import type { ImageDocument } from '../../../chord';

/** n8n's function that stores bytes and gives the reference for an item. */
export type PrepareBinary = (data: Buffer, fileName: string, mimeType: string) => Promise<IBinaryData>;

/** `image/png` ends as `.png`. */
const fileEnding = (mimeType: string): string => /^image\/([a-z0-9]+)/.exec(mimeType)?.[1] ?? 'bin';

/** What stays in the item's json: everything but the bytes. */
export const withoutBytes = ({ data: _bytes, ...facts }: ImageDocument): Omit<ImageDocument, 'data'> => facts;

/** The images as binary data of an item: `image`, `image_2`, `image_3` … `undefined` without images. */
export const imageBinaries = async (
  images: readonly ImageDocument[],
  prepare: PrepareBinary,
): Promise<IBinaryKeyData | undefined> => {
  if (images.length === 0) return undefined;
  const binary: IBinaryKeyData = {};
  for (const [index, image] of images.entries()) {
    const name = index === 0 ? 'image' : `image_${index + 1}`;
    const bytes = Buffer.from(image.data, 'base64');
    binary[name] = await prepare(bytes, `${name}.${fileEnding(image.mime_type)}`, image.mime_type);
  }
  return binary;
};
