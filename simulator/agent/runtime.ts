import type { Confirms } from '../requests/confirms';
import type { Handoffs } from '../requests/handoffs';
import type { QuestionDesk } from '../requests/questions';
import type { Images } from '../tools/images';
import type { Base } from './base';

/** One running Chord: what its agents and commands work with. */
export interface Runtime extends Base {
  confirms: Confirms;
  questions: QuestionDesk;
  handoffs: Handoffs;
  images: Images;
}
