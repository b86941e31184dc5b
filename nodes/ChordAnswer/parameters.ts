import type { INodeProperties } from 'n8n-workflow';
import { stepParameters, targetParameters } from '../shared/parameters/target';
import { waitAfterAnswer } from '../shared/parameters/waitAfterAnswer';

/** All parameters of Chord Answer. */
export const answerParameters: INodeProperties[] = [
  ...stepParameters('any'),
  ...targetParameters('any'),
  ...waitAfterAnswer,
];
