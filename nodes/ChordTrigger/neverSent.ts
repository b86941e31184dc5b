import { catalogEntry, type CapabilityDocument } from '../../chord';

/** How an event that is not in every Chord shows in the capabilities; `null` while that is not known. */
const senders: Readonly<Record<string, (has: CapabilityDocument) => boolean | null>> = {
  question_updated: ({ question_protocol: protocol }) => protocol && protocol === 'C',
  question_resolved: ({ question_protocol: protocol }) => protocol && protocol !== 'A',
  role_change: ({ roles }) => roles,
  session_switched: (has) => has.session_switched,
  workdir_changed: ({ workdir }) => workdir,
  confirm_resolved: (has) => has.confirm_resolved,
  input_result: ({ receipts }) => receipts,
  image_result: ({ images }) => images,
  mcp_status_changed: ({ mcp }) => mcp,
  input_queue_changed: ({ input_queue: queue }) => queue,
  session_transfer_preparing: ({ transfer }) => transfer,
  session_transfer_status: ({ transfer }) => transfer,
  session_transfer_saved: ({ transfer }) => transfer,
  session_transfer_released: ({ transfer }) => transfer,
};

/** Whether this Chord sends an event; `null` while that is not known. */
const isSent = (event: string, capabilities: CapabilityDocument | null): boolean | null => {
  if (!catalogEntry(event)) return false;
  const sender = senders[event];
  if (!sender) return true;
  return capabilities && sender(capabilities);
};

/** Events that a trigger waits for in vain, and those of which it is not known yet. */
export const neverSent = (
  events: readonly string[],
  capabilities: CapabilityDocument | null,
): { never: string[]; unknown: string[] } => ({
  never: events.filter((event) => isSent(event, capabilities) === false),
  unknown: events.filter((event) => isSent(event, capabilities) === null),
});
