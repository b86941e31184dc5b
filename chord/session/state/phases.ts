/** Coarse phases, as a person reads them; transport phases such as `connecting` say nothing and keep the former. */
const phases: Readonly<Record<string, string>> = {
  preparing: 'preparing',
  waiting_headers: 'receiving reply',
  waiting_token: 'receiving reply',
  streaming: 'receiving reply',
  executing: 'running tools',
  compacting: 'checkpointing context',
  retrying: 'retrying',
  retrying_key: 'retrying',
  cooling: 'cooling down',
  waiting_input: 'waiting for a decision',
};

/** The phase that an `activity` shows, or the former one where it says nothing. */
export const phaseOf = (type: string, former: string | null): string | null => phases[type] ?? former;
