import type { INodeExecutionData } from 'n8n-workflow';
import type { ChordEvent } from '../../../chord';
import { imageBinaries, withoutBytes, type PrepareBinary } from './images';
import { asJson } from './json';
import { requestItem } from './requestItem';

/** One event as an item: what the Chord Trigger emits, and what leaves "Needs Decision". */
export const eventItem = async (event: ChordEvent, prepare: PrepareBinary): Promise<INodeExecutionData> => {
  const { images = [], request, offer, turn, event: name, category, ...facts } = event;
  const turnImages = turn?.images ?? [];
  const binary = await imageBinaries([...images, ...turnImages], prepare);
  const json = asJson({
    event: name,
    category,
    ...facts,
    ...(request && { request: requestItem(request, undefined, offer) }),
    ...(turn && { turn: { ...turn, images: turnImages.map(withoutBytes) } }),
    ...(images.length > 0 && { images: images.map(withoutBytes) }),
  });
  return binary ? { json, binary } : { json };
};
