/**
 * What one build of Chord can do. The five profiles are the columns of the capability table: `d1` was measured.
 *
 * Not measured: all others. They follow the documentation and sources of later builds, as every place says that looks
 * at one of these switches.
 */
export interface Profile {
  name: ProfileName;
  /** Pushes and `status_response` carry `seq`; `idle` waits for an open handoff; retries are silent. */
  seq: boolean;
  /** `role`, `role_change`, `current_role`, `handoff_cancelled`, `compaction_status`, `agent_id` in requests; `done` only in loops. */
  roles: boolean;
  /** How questions are asked and answered. */
  questions: 'A' | 'B' | 'C';
  /** `running_jobs` and `workdir`, with `workdir_changed`. */
  jobs: boolean;
  /** `session_switched`, `background_result`, `notification`. */
  switching: boolean;
  /** `input_result` for every input that had a `request_id`. */
  receipts: boolean;
  /** `image_result`, `image_artifact`. */
  images: boolean;
  /** `confirm_resolved`; known from the chat gateway's documentation only. */
  confirmResolved: boolean;
}

/** The names of the builds, from the measured one to the newest. */
export type ProfileName = 'd1' | 'd1-roles' | 'd2' | 'd2-receipts' | 'd3';

const d1: Profile = {
  name: 'd1',
  seq: false,
  roles: false,
  questions: 'A',
  jobs: false,
  switching: false,
  receipts: false,
  images: false,
  confirmResolved: false,
};
const d2: Profile = {
  ...d1,
  name: 'd2',
  seq: true,
  roles: true,
  questions: 'B',
  jobs: true,
  switching: true,
};

/** All profiles by name. */
export const PROFILES: Record<ProfileName, Profile> = {
  d1,
  'd1-roles': { ...d1, name: 'd1-roles', roles: true },
  d2,
  'd2-receipts': { ...d2, name: 'd2-receipts', receipts: true },
  d3: { ...d2, name: 'd3', questions: 'C', receipts: true, images: true, confirmResolved: true },
};

/** The profile that `CHORD_SIMULATOR_PROFILE` names; `d2` without it. Throws on an unknown name. */
export function profileNamed(name: string | undefined): Profile {
  const wanted = name === undefined || name === '' ? 'd2' : name;
  const profile = Object.values(PROFILES).find((candidate) => candidate.name === wanted);
  if (!profile) throw new Error(`CHORD_SIMULATOR_PROFILE: unknown profile "${wanted}"`);
  return profile;
}
