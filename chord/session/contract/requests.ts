import type { RuleScope } from '../../protocol/commands';

/** The three things that Chord asks a person. */
export type RequestKind = 'confirm' | 'question' | 'handoff';

/** What happens by itself when nobody answers in time: Chord denies, takes its default answer, or nothing. */
export type OnExpiry = 'deny' | 'default' | 'none';

/** What became of a request. Only `open` may be answered. */
export type RequestState =
  | 'open'
  | 'answered'
  | 'denied'
  | 'expired'
  | 'superseded'
  | 'cancelled'
  | 'ended'
  | 'lost'
  /** Protocol C only: the process ended, and the question may live on in the session's file. */
  | 'unknown';

/** Fields of every request document. Item documents, so in snake_case. */
interface RequestBase {
  id: string;
  /** When Chord gives up waiting, RFC 3339, or `null` where nothing expires. */
  expires_at: string | null;
  on_expiry: OnExpiry;
}

/** Chord asks before it runs a tool. */
export interface ConfirmDocument extends RequestBase {
  kind: 'confirm';
  tool: string;
  /**
   * What the call acts on, whole: its command, path or pattern, else its first argument. Like `summary` no part of it
   * is markup, since it is what people drag into a text.
   */
  subject: string;
  /** The tool's arguments; the raw text where it is no JSON. */
  arguments: unknown;
  /** The same by a name that n8n's expressions can read: they block `arguments`. */
  input: unknown;
  /** Patterns of the rules that made Chord ask. */
  asked_because: string[];
  /** The parts of the call that need approval, e.g. the sub-commands of a shell line. */
  needs_approval: string[];
  /** Set when the tool is `done`: the agent's report that is to be accepted. */
  report?: string;
}

/** One choice of a question. `id` is Chord's own where it has ids, else the label. */
export interface QuestionOption {
  id: string;
  label: string;
  description: string;
}

/** Chord asks a question. */
export interface QuestionDocument extends RequestBase {
  kind: 'question';
  header: string;
  question: string;
  options: QuestionOption[];
  /** Label of the answer that is taken when the time is over, or empty. */
  default_option: string;
  multiple: boolean;
  allows_text: boolean;
}

/** An agent that a plan can be handed to. */
export interface HandoffTarget {
  name: string;
  default: boolean;
  model_pools: string[];
  current_model_pool: string;
}

/** Chord has a plan and asks who should carry it out. */
export interface HandoffDocument extends RequestBase {
  kind: 'handoff';
  plan_path: string;
  plan: string;
  /** Why the plan could not be read, so that `plan` is empty or not the whole; empty where it could. */
  plan_error: string;
  agents: HandoffTarget[];
}

/** A request as it stands in items, without `form`, which is n8n's and is added by the nodes. */
export type RequestDocument = ConfirmDocument | QuestionDocument | HandoffDocument;

/** What a person can decide, over all kinds. */
export type DecisionAction = 'allow' | 'deny' | 'answer' | 'decline' | 'approve' | 'cancel';

/** How it was seen that an answer was taken: the best proof that this Chord gives. */
export type VerifiedBy = 'event' | 'receipt' | 'taken';

/** A person who answered, as far as n8n tells. */
export interface ResponderDocument {
  /** The person's id in the channel; empty where only a name is known. */
  id: string;
  name: string;
  /** Where the person answered: `slack`, `telegram`, or `form`. */
  channel: string;
  /** True for a name that was typed into a form: nothing proves that it is true. */
  claimed: boolean;
}

/** Whose decision it is, and when it was made. */
export interface Attribution {
  /** `null` where n8n does not tell, and where nobody was asked. */
  responder: ResponderDocument | null;
  /** When the person answered, RFC 3339; `null` where n8n does not tell. */
  responded_at: string | null;
}

/** A decision that reached Chord. */
export interface DecisionDocument extends Attribution {
  request_id: string;
  kind: RequestKind;
  action: DecisionAction;
  verified_by: VerifiedBy;
  /** When it was verified, RFC 3339. */
  at: string;
  /** What else a person should know, e.g. that the agent rests after a question that was refused. */
  note?: string;
}

/** What a form can offer beside the decision: a rule for the next time, another command, the person's name. */
export type FormOption = 'remember' | 'edit' | 'name';

/** What the form of one request offers beside the decision. */
export interface ApprovalOffer {
  /** The pattern of a rule that allows what is asked, as narrow as Chord can say it; `null`: no rule. */
  rule: string | null;
  /** The command that may be edited; `null`: none. */
  command: string | null;
  name: boolean;
}

/** What a person put into the form beside an approval, as it came: held against the offer before anything is written. */
export interface ConfirmForm {
  /** Where the approval is remembered; `null`: it is for this time only. */
  remember: Exclude<RuleScope, 'user_global'> | null;
  /** The field with the rule's pattern; `null` where there was none. */
  rule: string | null;
  /** The field with the command; `null` where there was none. */
  command: string | null;
}

/** A permission rule that is installed together with an approval. */
export interface NewRule {
  /** A glob (`*`, `?`) on the tool's argument, without the tool's name. */
  pattern: string;
  scope: RuleScope;
}
