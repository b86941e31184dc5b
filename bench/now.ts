/**
 * Microseconds of the system's monotonic clock, which is the same one in all processes of a machine: so a line can
 * carry when it was written.
 */
export const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);
