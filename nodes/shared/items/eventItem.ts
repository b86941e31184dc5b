import type { INodeExecutionData } from 'n8n-workflow';
import type { ChordEvent } from '../../../chord';
import { itemImages, type PrepareBinary } from './images';
import { asJson } from './json';
import { requestItem } from './requestItem';

/** One event as an item: what the Chord Trigger emits, and what leaves "Needs Decision". */
export const eventItem = async (event: ChordEvent, prepare: PrepareBinary): Promise<INodeExecutionData> => {
  const { images = [], request, offer, turn, event: name, category, ...facts } = event;
  const shown = await itemImages([...images, ...(turn?.images ?? [])], prepare);
  const { binary } = shown;
  const json = asJson({
    event: name,
    category,
    ...facts,
    ...(request && { request: requestItem(request, undefined, offer) }),
    ...(turn && { turn: { ...turn, images: shown.facts.slice(images.length) } }),
    ...(images.length > 0 && { images: shown.facts.slice(0, images.length) }),
  });
  return binary ? { json, binary } : { json };
};
