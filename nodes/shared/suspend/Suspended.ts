/** Thrown by an item whose call is parked: the node's run ends here, and n8n runs it again when the call has ended. */
export class Suspended extends Error {
  override readonly name = 'Suspended';
}
